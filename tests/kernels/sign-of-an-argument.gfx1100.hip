title "The sign of an argument decides"
note "The host may pass a negative number. Each thread then reads an element that another thread writes."
target gfx1100
launch groups=1 threads=64
expect race
#include <hip/hip_runtime.h>
__global__ void k(int n, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (n >> 31) out[t] = s[63 - t];
  __syncthreads();
}
