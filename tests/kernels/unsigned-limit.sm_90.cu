title "A limit above the largest signed number"
note "`3000000000` is a long, so `n` is extended without a sign. The host may pass more, and thread 0 then reads too early."
launch ctas=1 threads=64
expect race
__global__ void k(unsigned n, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (n > 3000000000) out[t] = s[63 - t];
  __syncthreads();
}
