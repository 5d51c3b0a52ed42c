launch ctas=1 threads=32
expect unknown
__global__ void __launch_bounds__(32) k(const int *in, int *out) {
  __shared__ int part[32];
  int t = threadIdx.x, value = in[t];
  if (t < 16) value += __shfl_xor_sync(0xffffffffu, value, 8);
  part[t] = value;
  __syncwarp();
  out[t] = part[31 - t];
}
