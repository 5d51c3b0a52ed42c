title "Fragments of matrices without a barrier"
note "A warp loads fragments before the other one has stored."
expect race mem.race
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void mm(const half *a, const half *b, float *c) {
  __shared__ half as[256], bs[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) { as[i] = a[i]; bs[i] = b[i]; }

  if (threadIdx.x < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, as, 16);
    wmma::load_matrix_sync(fb, bs, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  }
}
void host(half *a, half *b, float *c) { mm<<<1, 64>>>(a, b, c); }
