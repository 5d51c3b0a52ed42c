title "Threads beyond the length return before the tree of sums"
note "The host passes any `n`. A thread that returns arrives at no barrier, and the barrier does not wait for it."
launch ctas=1
__global__ void __launch_bounds__(256) sum(const float *in, float *out, int n) {
    __shared__ float part[256];
    int own = threadIdx.x;
    int at = blockIdx.x * blockDim.x + own;
    if (at >= n) return;
    part[own] = in[at];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (own < half) part[own] += part[own + half];
        __syncthreads();
    }
    if (own == 0) out[blockIdx.x] = part[0];
}
expect ok
