title "The low byte of an argument"
note "With `n = 1031` the low byte is 7. Each thread then reads an element that another thread writes."
launch ctas=1 threads=64
expect race
__global__ void k(int n, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if ((unsigned char)n == 7 && n > 1000) out[t] = s[63 - t];
  __syncthreads();
}
