title "Too many threads of a CTA draw from one MTGP32 state"
note "The state has words for 256 threads."
launch ctas=1 threads=288
expect race
#include <curand_mtgp32_kernel.h>
__global__ void draw(curandStateMtgp32_t *states, unsigned *out) {
  for (int round = 0; round < 2; round++) out[threadIdx.x + 288 * round] = curand(&states[blockIdx.x]);
}
