title "Operators and functions of the vectors of CUDA's samples"
note "Integer functions have exact values: a product of 24 bits drops the other bits of its factors."
launch ctas=1 threads=64
expect ok
#include <helper_math.h>
#include <math_constants.h>
typedef unsigned long ulong;
__global__ void forces(float4 *bodies, float3 *out) {
  __shared__ float3 tile[64];
  unsigned t = __umul24(0x1000001u, threadIdx.x);
  float3 at = make_float3(bodies[t]) * 2.0f + make_float3(CUDART_PI_F);
  tile[t] = normalize(at) * dot(at, at) - make_float3(1, 0, 0);
  __syncthreads();
  int power;
  float part = frexp(tile[__usad(63, t, 0)].x, &power);
  out[t] = tile[63 - t] * part;
}
