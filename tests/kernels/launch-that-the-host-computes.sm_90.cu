title "A launch with a size that the host computes"
note "A larger block than the host may launch would race. What the host computes is not known, so this is possible only."
expect unknown
__global__ void mirror(int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x, last = blockDim.x - 1;
  s[t] = t;
  __syncwarp();
  out[t] = s[last - t];
}
int main(int count, char **words) {
  int *out, threads = atoi(words[1]);
  cudaMalloc(&out, 4096);
  mirror<<<1, threads>>>(out);
}
