title "An assignment whose right side is first"
note "C++ evaluates `i++` before the index, so thread `t` writes `out[t + 1]`."
launch ctas=1 threads=64
expect ok
__global__ void k(int *out) {
  int i = threadIdx.x;
  out[i] = i++;
}
