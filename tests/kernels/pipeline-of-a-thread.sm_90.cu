title "A pipeline of each thread"
note "`cuda::make_pipeline()` makes stages of groups of copies; barriers of the CTA order what other threads copied."
expect ok
#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void own(const int4 *in, int4 *out, int n) {
  __shared__ int4 tile[2][64];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][t], &in[t], sizeof(int4), pipe);
  pipe.producer_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    out[k * 64 + t] = tile[k % 2][63 - t];
    __syncthreads();
    pipe.consumer_release();
  }
}
void host(int4 *a, int4 *b) { own<<<1, 64>>>(a, b, 5); }
