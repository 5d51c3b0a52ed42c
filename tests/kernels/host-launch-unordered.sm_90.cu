title "A launch in the code of the host, of a kernel without its barrier"
note "The host launches the kernel with one CTA of 64 threads and passes `n = 64`. Without the barrier a thread can read an element before another warp writes it."
expect race
__global__ void reverse(int *d, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = d[t];
  d[t] = s[n - t - 1];
}
int main() {
  int *d;
  cudaMalloc(&d, 256);
  reverse<<<1, 64>>>(d, 64);
}
