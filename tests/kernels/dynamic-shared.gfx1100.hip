title "Vectors through dynamic shared memory in HIP"
target gfx1100
launch groups=1 threads=128
expect ok
#include <hip/hip_runtime.h>
__global__ __launch_bounds__(128) void a14(float4 *p, int n) {
  HIP_DYNAMIC_SHARED(float, lds)
  const int t = hipThreadIdx_x;
  float4 v = p[t];
  lds[t * 4 + 0] = v.x; lds[t * 4 + 1] = v.y; lds[4 * t + 2] = v.z; lds[4 * t + 3] = v.w;
  __syncthreads();
  float s = 0;
  for (int i = 0; i < 4; ++i) s += lds[(t * 4 + i + 256) % 512];
  p[t] = make_float4(s, s, s, s);
}
