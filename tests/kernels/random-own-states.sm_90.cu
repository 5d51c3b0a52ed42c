title "Each thread draws from a random state of its own"
note "A draw reads and writes the state that the pointer names."
launch ctas=1 threads=64
expect ok
#include <curand_kernel.h>
__global__ void draw(curandState *states, float *out) {
  int t = threadIdx.x;
  curand_init(7, t, 0, &states[t]);
  curandState own = states[t];
  out[t] = curand_uniform(&own) + curand_normal(&own);
  states[t] = own;
}
