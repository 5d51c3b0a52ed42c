title "A limit above the largest number of its type"
note "No value of 32 bits is above `5000000000`."
launch ctas=1 threads=64
expect ok
__global__ void k(unsigned n, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (n > 5000000000) out[t] = s[63 - t];
  __syncthreads();
  out[t] += s[63 - t];
}
