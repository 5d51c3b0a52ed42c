title "A CTA of a cluster reads the row of the next one too early"
note "The first wait for the cluster is missing."
expect race
launch ctas=2 cluster=2 threads=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void turned(int *out) {
    __shared__ int row[64];
    cg::cluster_group cluster = cg::this_cluster();
    row[threadIdx.x] = cluster.thread_rank();
    int *next = cluster.map_shared_rank(row, (cluster.block_rank() + 1) % cluster.dim_blocks().x);
    out[cluster.thread_rank()] = next[threadIdx.x];
    cluster.sync();
}
