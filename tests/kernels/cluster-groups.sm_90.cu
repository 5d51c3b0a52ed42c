title "Two CTAs of a cluster read the shared memory of each other"
launch ctas=2 threads=64 cluster=2
expect ok
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) a24(float *p) {
  __shared__ float s[64];
  auto cluster = cooperative_groups::this_cluster();
  s[threadIdx.x] = p[threadIdx.x];
  cluster.sync();
  float *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  p[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  cluster.sync();
}
