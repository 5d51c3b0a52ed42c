title "A loop that ends by the vote of a barrier"
note "All threads get the same result, so they leave the loop together."
launch ctas=1
__global__ void __launch_bounds__(128) votes(const int *in, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x, v = in[t];
  do {
    tile[t] = v;
    __syncthreads();
    v = tile[127 - t] / 2;
  } while (__syncthreads_or(v > 5));
  out[t] = v;
}
expect ok
