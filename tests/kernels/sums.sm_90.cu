title "A sum by halves in CUDA C++"
launch ctas=1
expect ok
#include <cuda_runtime.h>

template <typename T> __device__ __forceinline__ T plus(T one, T other) { return one + other; }

__global__ void __launch_bounds__(128) sums(const float *__restrict__ in, float *out, unsigned n) {
  extern __shared__ float part[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  part[t] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) part[t] = sum = plus(sum, part[t + half]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum;
}

int main() { sums<<<1, 128, 128 * sizeof(float)>>>(nullptr, nullptr, 0); }
