title "Threads of two CTAs exchange one element with the scope of a CTA"
launch ctas=2 threads=1
expect race
#include <cuda/atomic>
__global__ void exchange(int *last, int *before) {
  cuda::atomic_ref<int, cuda::thread_scope_block> own(*last);
  before[blockIdx.x] = own.exchange(blockIdx.x);
}
