title "One thread arrives with bytes, the others without, so the bytes do not count"
expect race
launch ctas=1
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace bulk = cuda::device::experimental;
extern "C" __global__ void __launch_bounds__(64) doubled(int *values) {
    alignas(16) __shared__ int tile[128];
    __shared__ Barrier full;
    if (threadIdx.x == 0) {
        init(&full, 64);
        bulk::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    Barrier::arrival_token own;
    if (threadIdx.x != 0) {
        own = full.arrive();
    } else {
        bulk::cp_async_bulk_global_to_shared(tile, values, sizeof(tile), full);
        own = full.arrive();
    }
    full.wait(std::move(own));
    for (int at = threadIdx.x; at < 128; at += 64) tile[at] *= 2;
    bulk::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk::cp_async_bulk_shared_to_global(values, tile, sizeof(tile));
        bulk::cp_async_bulk_commit_group();
        bulk::cp_async_bulk_wait_group_read<0>();
    }
}
