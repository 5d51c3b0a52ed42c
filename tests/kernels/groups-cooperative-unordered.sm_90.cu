title "A reversal with cooperative groups without the barrier"
launch ctas=1 threads=128
expect race
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void a08(float *p) {
  __shared__ float s[128];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = p[threadIdx.x];
  auto tile = cg::tiled_partition<32>(block);
  float v = s[127 - threadIdx.x];
  for (int o = tile.size() / 2; o > 0; o /= 2) v += tile.shfl_down(v, o);
  if (tile.thread_rank() == 0) p[threadIdx.x / 32] = v;
}
