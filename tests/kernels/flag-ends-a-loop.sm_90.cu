title "A loop that ends by a flag in shared memory"
note "Thread 0 writes the flag between two barriers, and all threads read it between two others: they leave the loop together."
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
    __syncthreads();
  } while (!stop);
  out[t] = v;
}
expect ok
