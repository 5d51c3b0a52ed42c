title "A consumer that does not release the second stage at the start"
note "The producer waits for the second stage for ever."
expect deadlock ptx.mbarrier.never-completes
#include <cuda/barrier>
#include <cooperative_groups.h>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ void producer(barrier ready[], barrier filled[], float *buffer, const float *in, int n) {
  for (int i = 0; i < n; ++i) {
    ready[i % 2].arrive_and_wait();
    buffer[(i % 2) * 32 + threadIdx.x] = in[i * 32 + threadIdx.x];
    barrier::arrival_token token = filled[i % 2].arrive();
  }
}
__device__ void consumer(barrier ready[], barrier filled[], float *buffer, float *out, int n) {
  barrier::arrival_token token1 = ready[0].arrive();

  for (int i = 0; i < n; ++i) {
    filled[i % 2].arrive_and_wait();
    out[i * 32 + threadIdx.x - 32] = buffer[(i % 2) * 32 + 63 - threadIdx.x];
    barrier::arrival_token token = ready[i % 2].arrive();
  }
}
__global__ void pattern(int n, float *in, float *out) {
  __shared__ float buffer[64];
  __shared__ barrier bar[4];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() < 4) init(bar + block.thread_rank(), block.size());
  block.sync();
  if (block.thread_rank() < 32) producer(bar, bar + 2, buffer, in, n);
  else consumer(bar, bar + 2, buffer, out, n);
}
void host(float *a, float *b) { pattern<<<1, 64>>>(4, a, b); }
