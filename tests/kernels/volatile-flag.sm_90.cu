title "A thread waits for a volatile flag"
note "Volatile accesses are strong on NVIDIA, like relaxed ones of the whole system, and do not race with each other."
launch ctas=1
expect ok
__device__ void wait_for(volatile int *flag) { while (*flag == 0) { } }
__global__ void __launch_bounds__(64) k() {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) flag = 1;
  if (threadIdx.x == 32) wait_for(&flag);
}
