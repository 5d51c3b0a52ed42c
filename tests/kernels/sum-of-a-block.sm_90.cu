title "Two sums of a block with one storage"
note "The first thread reads the storage of the first sum, and a barrier orders this before the second sum writes it."
launch ctas=1
expect ok
#include <cub/cub.cuh>
__global__ void __launch_bounds__(128) sums(const float *in, float *out) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  float one = Reduce(storage).Sum(in[threadIdx.x]);
  __syncthreads();
  float other = Reduce(storage).Sum(in[threadIdx.x + 128]);
  if (threadIdx.x == 0) out[0] = one + other;
}
