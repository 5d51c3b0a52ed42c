title "All threads of a CTA draw from one MTGP32 state"
note "Each of up to 256 threads has a word of the state."
launch ctas=1 threads=256
expect ok
#include <curand_mtgp32_kernel.h>
__global__ void draw(curandStateMtgp32_t *states, unsigned *out) {
  for (int round = 0; round < 2; round++) out[threadIdx.x + 256 * round] = curand(&states[blockIdx.x]);
}
