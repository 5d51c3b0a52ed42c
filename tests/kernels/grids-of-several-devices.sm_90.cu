title "A barrier of the grids of several devices"
note "It is not modelled."
launch ctas=1 threads=32
expect unknown
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *data) {
  data[threadIdx.x] = 1;
  cg::this_multi_grid().sync();
}
