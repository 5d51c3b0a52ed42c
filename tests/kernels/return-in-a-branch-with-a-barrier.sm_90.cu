title "A barrier in a branch that some threads of a warp return in"
note "The even threads do not reach the barrier of the odd ones."
launch ctas=1
__global__ void __launch_bounds__(64) exchange(int *out) {
    __shared__ int row[64];
    int own = threadIdx.x;
    row[own] = own;
    if (own % 2) {
        if (own == 5) return;
        __syncthreads();
    }
    __syncthreads();
    if (own < 32) out[own] = row[own + 32];
}
expect ub ptx.bar.aligned
