title "An array that fits one warp"
note "No launch is given. With 32 threads, every access is inside the array."
expect ok
__global__ void one_warp(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[31 - t];
}
