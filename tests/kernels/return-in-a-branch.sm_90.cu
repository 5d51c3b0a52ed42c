title "A thread returns in a branch, and the others of its warp go on"
note "Odd and even threads meet again after the branch, without the thread that has returned."
launch ctas=1
__global__ void __launch_bounds__(64) exchange(int *out) {
    __shared__ int row[64];
    int own = threadIdx.x;
    row[own] = own;
    if (own % 2) {
        if (own == 5) return;
        row[own] = 3;
    }
    __syncthreads();
    if (own < 32) out[own] = row[own + 32];
}
expect ok
