title "A thread waits for an ordinary flag"
note "Ordinary accesses of two warps race, whatever a loop does with the value."
launch ctas=1
expect race
__device__ void wait_for(int *flag) { while (*flag == 0) { } }
__global__ void __launch_bounds__(64) k() {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) flag = 1;
  if (threadIdx.x == 32) wait_for(&flag);
}
