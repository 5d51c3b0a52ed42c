title "Two warps draw from one random state"
note "Both change the state, and nothing orders them."
launch ctas=1 threads=64
expect race
#include <curand_kernel.h>
__global__ void draw(curandStatePhilox4_32_10_t *states, float *out) {
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) out[warp] = curand_uniform(&states[0]);
}
