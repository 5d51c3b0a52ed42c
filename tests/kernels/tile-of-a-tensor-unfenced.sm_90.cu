title "A tile of a tensor that is copied out without a fence"
note "The copy out may read the tile without the stores of the threads."
expect unknown
launch ctas=1
#include <cuda/barrier>
#include <cuda/ptx>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
extern "C" __global__ void __launch_bounds__(64) scaled(const __grid_constant__ CUtensorMap map, int column, int row) {
    alignas(128) __shared__ int tile[4][16];
    __shared__ Barrier full;
    if (threadIdx.x == 0) {
        init(&full, 64);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    int place[2] = {column, row};
    Barrier::arrival_token own;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, &map, place,
                                  cuda::device::barrier_native_handle(full));
        own = cuda::device::barrier_arrive_tx(full, 1, sizeof(tile));
    } else {
        own = full.arrive();
    }
    full.wait(std::move(own));
    tile[threadIdx.x / 16][threadIdx.x % 16] *= 3;
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, place, &tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        (&full)->~Barrier();
    }
}
