title "A loop that ends by a vote, without the other barrier"
note "Neighbours are read before they have stored."
launch ctas=1
__global__ void __launch_bounds__(128) votes(const int *in, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x, v = in[t];
  do {
    tile[t] = v;
    v = tile[127 - t] / 2;
  } while (__syncthreads_or(v > 5));
  out[t] = v;
}
expect race mem.race
