title "A loop whose length is data"
note "Every thread stores the number of the round. The length comes from memory that no thread writes, so all threads leave the loop in the same round."
launch ctas=1
__global__ void __launch_bounds__(64) rounds(int *out, const int *length) {
  int n = length[0];
  for (int i = 0; i < n; i++) {
    out[threadIdx.x] = i;
    __syncthreads();
  }
  out[threadIdx.x] += n;
}
expect ok
