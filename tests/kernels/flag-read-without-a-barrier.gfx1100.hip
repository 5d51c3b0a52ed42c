title "A flag in LDS that is read without a barrier"
note "No barrier separates the store of the flag from the loads of the first round."
launch groups=1
__global__ void __launch_bounds__(128) rounds(const int *in, int *out) {
  __shared__ int done;
  __shared__ int tile[128];
  int t = threadIdx.x, v = 0, stop;
  do {
    tile[t] = v;
    if (t == 0) done = in[v & 7] == 0;
    v += tile[127 - t];
    stop = done;
    __syncthreads();
  } while (!stop);
  out[t] = v;
}
expect race mem.race
