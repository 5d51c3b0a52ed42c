title "A loop whose length is data, and after which threads end"
note "Barriers do not wait for threads that have ended, so it does not matter in which round each of them leaves the loop."
launch ctas=1
__global__ void __launch_bounds__(64) rounds(int *out, const int *length) {
  int n = length[0];
  for (int i = 0; i < n; i++) {
    out[threadIdx.x] = i;
    __syncthreads();
  }
}
expect ok
