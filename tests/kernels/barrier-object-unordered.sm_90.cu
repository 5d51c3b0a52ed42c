title "Rounds with a `cuda::barrier` without the second wait of each"
launch ctas=1 threads=64
expect race
#include <cuda/barrier>
__global__ void a10(float *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float s[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    s[threadIdx.x] = p[threadIdx.x + 64 * i];
    auto token = bar.arrive();
    bar.wait(std::move(token));
    p[threadIdx.x + 64 * i] = s[63 - threadIdx.x];
  }
}
