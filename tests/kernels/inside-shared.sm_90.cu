title "An index stays inside a shared array, where the host passes no other"
note "Values of `at` from 4 on lead outside the array; a program that passes them is undefined."
launch ctas=1
__global__ void __launch_bounds__(4) exchange(int *out, unsigned at) {
    __shared__ int row[4];
    row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = row[at];
}
expect ok
