title "A barrier object that other threads use before its init is ordered"
note "Without a barrier of the CTA after `init`, other warps can use the object first."
expect ub ptx.mbarrier.valid-object
#include <cuda/barrier>
#include <cooperative_groups.h>
__global__ void stage(const int *in, int *out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ int tile[128];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&bar, block.size());
  }

  for (int k = 0; k < 3; k++) {
    cuda::memcpy_async(block, tile, in + k * 128, sizeof(int) * 128, bar);
    bar.arrive_and_wait();
    out[k * 128 + threadIdx.x] = tile[127 - threadIdx.x];
    block.sync();
  }
}
void host(int *a, int *b) { stage<<<1, 128>>>(a, b); }
