title "A flag that is written without a barrier after the loads"
note "The store of the next round is not ordered after the loads. It needs a second round, so the race is possible."
launch ctas=1
__global__ void __launch_bounds__(128) rounds(const int *in, int *out) {
  __shared__ int done;
  __shared__ int tile[128];
  int t = threadIdx.x, v = 0, stop;
  do {
    tile[t] = v;
    if (t == 0) done = in[v & 7] == 0;
    __syncthreads();
    v += tile[127 - t];
    stop = done;
  } while (!stop);
  out[t] = v;
}
expect unknown mem.race
