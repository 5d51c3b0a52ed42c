title "Two stages of copies of a group"
note "One stage is copied while the other one is read. `cg::wait_prior<1>` leaves the newest copies incomplete."
expect ok
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
constexpr int N = 64;
__global__ void stages(const int *in, int *out, int rounds) {
  __shared__ int tile[2][N];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof(int) * N);
  for (int k = 0; k < rounds; k++) {
    if (k + 1 < rounds) {
      cg::memcpy_async(block, tile[(k + 1) & 1], in + (k + 1) * N, sizeof(int) * N);
      cg::wait_prior<1>(block);
    } else {
      cg::wait_prior<0>(block);
    }
    out[k * N + threadIdx.x] = tile[k & 1][N - 1 - threadIdx.x];
    block.sync();
  }
}
void host(int *a, int *b) { stages<<<1, N>>>(a, b, 6); }
