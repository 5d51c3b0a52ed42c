title "Half of a warp at a barrier, and then all at memory of their own"
note "The other half has not ended: it still writes."
expect ub ptx.bar.aligned
launch ctas=1 threads=64
extern "C" __global__ void half(int *out) {
    int own = threadIdx.x;
    if (own % 32 < 16) __syncthreads();
    out[own] = own;
}
