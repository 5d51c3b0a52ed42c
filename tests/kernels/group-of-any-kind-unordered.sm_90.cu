title "A sum of any group of threads that overwrites what others still read"
launch ctas=1
expect race
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group group, int *all, int value) {
  int rank = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    all[rank] = value;
    group.sync();
    if (rank < half) value += all[rank + half];
  }
  return value;
}
__global__ void __launch_bounds__(64) sums(int *out, const int *in) {
  __shared__ int all[64];
  cg::thread_block block = cg::this_thread_block();
  int whole = sum(block, all, in[block.thread_rank()]);
  block.sync();
  cg::thread_group tile = cg::tiled_partition(block, 16);
  int part = sum(tile, all + block.thread_rank() - tile.thread_rank(), whole);
  out[block.thread_rank()] = part;
}
