title "Two launches of different sizes"
note "The host launches the kernel with one warp, and with two. With two, a thread reads what another warp writes, without a barrier."
expect race
__global__ void mirror(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, last = blockDim.x - 1;
  s[t] = t;
  __syncwarp();
  out[t] = s[last - t];
}
int main() {
  int *out;
  cudaMalloc(&out, 256);
  mirror<<<1, 32>>>(out);
  dim3 block(8);
  block = dim3(64);
  mirror<<<1, block>>>(out);
}
