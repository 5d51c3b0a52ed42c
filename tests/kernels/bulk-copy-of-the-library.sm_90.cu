title "A bulk copy in and out by the library"
note "The copy in completes a barrier object; a proxy fence and a barrier precede the copy out."
expect ok
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
__global__ void add_one(int *data, size_t offset) {
  __shared__ alignas(16) int smem[256];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::memcpy_async(smem, data + offset, cuda::aligned_size_t<16>(sizeof(smem)), bar);
  }
  barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += blockDim.x) smem[i] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + offset, smem, sizeof(smem));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
void host(int *a) { add_one<<<1, 64>>>(a, 0); }
