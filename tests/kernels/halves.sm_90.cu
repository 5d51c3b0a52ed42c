title "Pairs of short floating-point numbers"
note "Threads exchange pairs through shared memory."
expect ok
#include <cuda_fp16.h>
__global__ void scale(const half *in, half *out, int n) {
  __shared__ half2 tile[64];
  int i = threadIdx.x;
  tile[i] = reinterpret_cast<const half2 *>(in)[i];
  __syncthreads();
  half2 value = __hmul2(tile[63 - i], __float2half2_rn(2.0f));
  out[2 * i] = __low2half(value);
  out[2 * i + 1] = __high2half(__hadd2(value, value));
}
void host(half *a, half *b) { scale<<<1, 64>>>(a, b, 5); }
