title "Copies of a group without a barrier before the next ones"
note "The next round copies into the tile while other threads still read it."
expect race ptx.async-copy.access
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void stage(const int *in, int *out) {
  extern __shared__ int tile[];
  cg::thread_block block = cg::this_thread_block();
  for (int k = 0; k < 4; k++) {
    cg::memcpy_async(block, tile, in + k * 128, sizeof(int) * 128);
    cg::wait(block);
    out[k * 128 + threadIdx.x] = tile[127 - threadIdx.x];

  }
}
void host(int *a, int *b) { stage<<<1, 128, 512>>>(a, b); }
