title "A reversal through shared memory with cooperative groups"
launch ctas=1 threads=128
expect ok
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void a08(float *p) {
  __shared__ float s[128];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = p[threadIdx.x];
  block.sync();
  auto tile = cg::tiled_partition<32>(block);
  float v = s[127 - threadIdx.x];
  for (int o = tile.size() / 2; o > 0; o /= 2) v += tile.shfl_down(v, o);
  if (tile.thread_rank() == 0) p[threadIdx.x / 32] = v;
}
