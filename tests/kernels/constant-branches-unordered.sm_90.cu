title "A sum by halves that a template unrolls without barriers"
launch ctas=1 threads=128
expect race
template <int N, bool Sync> __device__ void step(float *s, int t) {
  if constexpr (N > 1) {
    if (t < N / 2) s[t] += s[t + N / 2];
    if constexpr (Sync) __syncthreads();
    step<N / 2, Sync>(s, t);
  }
}
__global__ void a09(float *p) {
  __shared__ float s[128];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
   step<128, false>(s, threadIdx.x);
  if (!threadIdx.x) *p = *s;
}
