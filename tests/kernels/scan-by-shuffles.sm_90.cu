title "A scan by shuffles of integers"
note "The barrier orders the sums of the warps."
launch ctas=1 threads=128
expect ok
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __launch_bounds__(128) scan2(const int *in, int *out) {
  __shared__ int sums[4];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int v = in[threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) {
    int o = tile.shfl_up(v, d);
    if (tile.thread_rank() >= d) v += o;
  }
  if (tile.thread_rank() == 31) sums[threadIdx.x / 32] = v;
  block.sync();
  int add = 0;
  for (int w = 0; w < threadIdx.x / 32; ++w) add += sums[w];
  out[threadIdx.x] = v + add;
}
