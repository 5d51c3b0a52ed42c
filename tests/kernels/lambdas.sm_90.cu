title "Tiles that lambdas load and store"
launch ctas=1 threads=64
expect ok
enum class Op : int { Load, Store };
template <class F> __device__ void each(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
__global__ void a21(float *p) {
  __shared__ float s[4][64];
  int t = threadIdx.x;
  auto load = [&](int i) { s[i][t] = p[i * 64 + t]; };
  each(4, load);
  __syncthreads();
  each(4, [&](int i) { p[i * 64 + t] = s[i][63 - t]; });
}
