title "A launch in the code of the host"
note "The host launches the kernel with one CTA of 64 threads and passes `n = 64`. With this launch each thread reads the element that another thread wrote before the barrier."
expect ok
__global__ void reverse(int *d, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[n - t - 1];
}
int main() {
  int *d;
  cudaMalloc(&d, 256);
  const int n = 64;
  dim3 block(n);
  reverse<<<1, block>>>(d, n);
}
