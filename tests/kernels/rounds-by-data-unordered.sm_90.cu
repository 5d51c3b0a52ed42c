title "A loop whose length is data, with a race in each round"
note "All threads store into the same element in every round. The race needs a length of at least one, so it is possible."
launch ctas=1
__global__ void __launch_bounds__(64) rounds(int *out, const int *length) {
  int n = length[0];
  for (int i = 0; i < n; i++) {
    out[0] = i + threadIdx.x;
    __syncthreads();
  }
}
expect unknown
