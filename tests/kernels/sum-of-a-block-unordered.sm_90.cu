title "Two sums of a block with one storage, without a barrier"
note "The second sum writes the storage while the first thread may still read it for the first sum."
launch ctas=1
expect race
#include <cub/cub.cuh>
__global__ void __launch_bounds__(128) sums(const float *in, float *out) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  float one = Reduce(storage).Sum(in[threadIdx.x]);
  float other = Reduce(storage).Sum(in[threadIdx.x + 128]);
  if (threadIdx.x == 0) out[0] = one + other;
}
