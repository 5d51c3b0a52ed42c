title "Blocks exchange values after a barrier of the grid"
note "The barrier of the grid is not modelled. `synchronize` is another name of `sync`."
launch ctas=2 threads=32
expect unknown
#include <cooperative_groups.h>
using namespace cooperative_groups;
__global__ void exchange(int *data) {
  grid_group grid = this_grid();
  thread_block block = this_thread_block();
  unsigned rank = grid.thread_rank();
  data[rank] = rank;
  block.sync();
  synchronize(grid);
  int other = data[63 - rank];
  grid.sync();
  data[rank] = other;
}
