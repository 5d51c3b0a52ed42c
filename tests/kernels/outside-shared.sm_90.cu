title "An index runs past the end of a shared array"
note "C leaves an access outside an array undefined, so what it may overwrite is not judged."
launch ctas=1
__global__ void __launch_bounds__(128) exchange(int *out) {
    __shared__ int row[64];
    row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = row[63 - threadIdx.x % 64];
}
expect unknown
