title "A store after a loop of n rounds that only some n reach, without a barrier"
launch ctas=1 threads=128
expect race
extern "C" __global__ void __launch_bounds__(128) k(int *out, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, acc = 0;
  s[t] = 0;
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    acc += s[t ^ 64];
  }
  if (n > 4) s[t] = acc;
  out[t] = acc;
}
