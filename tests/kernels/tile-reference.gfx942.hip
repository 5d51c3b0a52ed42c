title "A tile that a function fills through a reference"
target gfx942
launch groups=1x1 threads=16x16
expect ok
#include <hip/hip_runtime.h>
#define BLK 16
typedef float tile_t[BLK][BLK];
static __device__ __forceinline__ void load(tile_t &dst, const float *src, int ld) {
  dst[threadIdx.y][threadIdx.x] = src[threadIdx.y * ld + threadIdx.x];
}
__global__ void __launch_bounds__(256) a23(const float *a, float *c, int ld, int steps) {
  __shared__ tile_t t;
  float acc = 0;
  for (int s = 0; s < steps; s++) {
    load(t, a + s * BLK, ld);
    __syncthreads();
    for (int k = 0; k < BLK; k++) acc = fmaf(t[threadIdx.y][k], t[k][threadIdx.x], acc);
    __syncthreads();
  }
  c[threadIdx.y * ld + threadIdx.x] = acc;
}
