title "One thread of a warp waits for an earlier phase than the others"
note "Its wait may begin when the second phase is complete. The first phase is then too old to be waited for."
expect violation
launch ctas=1
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void __launch_bounds__(64) late(int *values) {
    __shared__ int tile[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) init(&full, 33);
    __syncthreads();
    Barrier::arrival_token own;
    if (threadIdx.x == 0) own = full.arrive(33);
    __syncthreads();
    if (threadIdx.x >= 32) full.wait_parity(0);
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x != 0) own = full.arrive();
        full.wait(std::move(own));
        values[threadIdx.x] = tile[32 + threadIdx.x];
    } else {
        tile[threadIdx.x] = values[threadIdx.x];
        __syncwarp();
        if (threadIdx.x == 32) full.arrive(2);
    }
}
