title "A ring that one thread of the last warp fills"
note "Only thread 64 counts the rounds of its warp. What the other threads of that warp have never written does not keep the loop from being proved."
launch ctas=1 threads=96
typedef unsigned long long u64;
__device__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64 *b, int n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(shared(b)), "r"(n) : "memory");
}
__device__ void arrive(u64 *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(shared(b)) : "memory");
}
__device__ void wait(u64 *b, int parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}"
               :: "r"(shared(b)), "r"(parity) : "memory");
}
__global__ void __launch_bounds__(96) ring(const float *in, float *out, int n) {
  __shared__ __align__(128) float tile[3][64];
  __shared__ u64 full[3], empty[3];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 3; ++i) { init(&full[i], 1); init(&empty[i], 2); }
  }
  __syncthreads();
  if (t == 64) {
    for (int i = 0, stage = 0, parity = 1; i < n; ++i) {
      wait(&empty[stage], parity);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(shared(&full[stage])) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                   :: "r"(shared(tile[stage])), "l"(in + i * 64), "r"(shared(&full[stage])) : "memory");
      if (++stage == 3) { stage = 0; parity ^= 1; }
    }
  } else if (t < 64) {
    float sum = 0;
    for (int i = 0, stage = 0, parity = 0; i < n; ++i) {
      wait(&full[stage], parity);
      sum += tile[stage][63 - t];
      __syncwarp();
      if (t % 32 == 0) arrive(&empty[stage]);
      if (++stage == 3) { stage = 0; parity ^= 1; }
    }
    out[t] = sum;
  }
}
expect ok
