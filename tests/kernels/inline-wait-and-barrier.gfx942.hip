title "A wait for the LDS and a barrier in inline assembly"
target gfx942
launch groups=1 threads=256
expect ok
#include <hip/hip_runtime.h>
static __device__ void meet() { asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n s_barrier" ::: "memory"); }
__global__ void __launch_bounds__(256) turn(int *out) {
  __shared__ int tile[256];
  int own = threadIdx.x;
  tile[own] = own;
  meet();
  out[own] = tile[255 - own];
}
