title "A thread that leaves a loop of rounds without a word"
note "The barrier still expects it, so the first round never completes."
expect deadlock
launch ctas=1 threads=64
#include <cuda/barrier>
extern "C" __global__ void rounds(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> turn;
    if (threadIdx.x == 0) init(&turn, 64);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 5) {
            return;
        }
        turn.wait(turn.arrive());
    }
    out[threadIdx.x] = 1;
}
