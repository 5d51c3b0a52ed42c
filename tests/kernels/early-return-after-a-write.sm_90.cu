title "Threads return after they have written, and others read it"
note "A warp that has returned does not arrive at the barrier, so its writes are ordered before no read."
launch ctas=1
__global__ void __launch_bounds__(256) sum(const float *in, float *out, int n) {
    __shared__ float part[256];
    int own = threadIdx.x;
    int at = blockIdx.x * blockDim.x + own;
    part[own] = in[at];
    if (at >= n) return;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (own < half) part[own] += part[own + half];
        __syncthreads();
    }
    if (own == 0) out[blockIdx.x] = part[0];
}
expect race
