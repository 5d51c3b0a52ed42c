title "A product of matrices by tiles in HIP, whose next tile overwrites this one"
target gfx942
launch groups=1x1 threads=16x16
argument n=48
expect race
#include <hip/hip_runtime.h>
#define TILE 16

__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    left[y][x] = a[row * n + k + x];
    right[y][x] = b[(k + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < TILE; ++j) sum += left[y][j] * right[j][x];
  }
  c[row * n + column] = sum;
}
