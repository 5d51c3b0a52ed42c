title "A barrier of the grid that counts CTAs: what follows depends on data"
launch ctas=2 threads=64
expect unknown
__device__ unsigned arrived;
__global__ void __launch_bounds__(64) halves(float *first, float *second) {
  int own = blockIdx.x * 64 + threadIdx.x;
  first[own] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) { }
    __threadfence();
  }
  __syncthreads();
  second[own] = first[127 - own];
}
