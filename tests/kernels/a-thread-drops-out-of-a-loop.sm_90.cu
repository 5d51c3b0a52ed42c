title "A thread that leaves a loop of rounds at a barrier"
note "It drops out of the barrier, so the others complete the later rounds without it. Threads do not wait for each other where it leaves."
expect ok
launch ctas=1 threads=64
#include <cuda/barrier>
extern "C" __global__ void rounds(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> turn;
    if (threadIdx.x == 0) init(&turn, 64);
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 5) {
            turn.arrive_and_drop();
            return;
        }
        turn.wait(turn.arrive());
    }
    out[threadIdx.x] = 1;
}
