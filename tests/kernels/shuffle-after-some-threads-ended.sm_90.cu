launch ctas=1 threads=32
expect ok
__global__ void __launch_bounds__(32) k(const int *in, int *out) {
  int t = threadIdx.x, value = in[t];
  if (t >= 16) return;
  value += __shfl_xor_sync(0xffffffffu, value, 8);
  out[t] = value;
}
