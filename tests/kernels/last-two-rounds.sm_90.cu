title "The last two rounds release nothing"
note "Two warps share a row by two barriers of the CTA. The reader arrives for the next round only if there are two."
launch ctas=1
expect deadlock
__device__ __forceinline__ void bar_sync(int i, int n) { asm volatile("bar.sync %0, %1;" :: "r"(i), "r"(n) : "memory"); }
__device__ __forceinline__ void bar_arrive(int i, int n) { asm volatile("bar.arrive %0, %1;" :: "r"(i), "r"(n) : "memory"); }
__global__ void __launch_bounds__(64) k(const float *in, float *out, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t < 32) {
    for (int i = 0; i < n; ++i) {
      if (i > 0) bar_sync(2, 64);
      s[t] = in[i * 32 + t];
      bar_arrive(1, 64);
    }
  } else {
    float acc = 0;
    for (int i = 0; i < n; ++i) {
      bar_sync(1, 64);
      acc += s[63 - t];
      if (i + 2 < n) bar_arrive(2, 64);
    }
    out[t] = acc;
  }
}
