title "Each thread but the first reads its neighbour without a barrier"
launch ctas=1 threads=64
expect race
__global__ void __launch_bounds__(64) k(float *out) {
  __shared__ float s[64];
  int own = threadIdx.x;
  s[own] = own;
  out[own] = s[own == 0 ? 0 : own - 1];
}
