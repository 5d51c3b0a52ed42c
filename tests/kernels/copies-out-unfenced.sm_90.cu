title "Copies out of shared memory"
note "The copies read through the async proxy, and no fence makes the stores visible to it."
launch ctas=1
__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void __launch_bounds__(128) rows(float *out, int n) {
  __shared__ __align__(128) float tile[2][128];
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (t == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    tile[i & 1][t] = i + t;
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;"
                   :: "l"(out + i * 128), "r"(shared(tile[i & 1])) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
expect unknown
