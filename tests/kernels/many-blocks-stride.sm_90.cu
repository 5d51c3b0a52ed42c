title "A loop with the stride of a large grid"
note "In each round, the blocks write the next part of the array. All parts are apart, for every length. The sum is atomic."
expect ok
__global__ void scale(float *out, const float *in, int *count, int n) {
  int own = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 600 * 256) {
    out[i] = in[i] * 2;
    own++;
  }
  atomicAdd(count, own);
}
int main(int argc, char **argv) {
  float *out, *in;
  int *count, n = atoi(argv[1]);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&in, n * 4);
  cudaMalloc(&count, 4);
  scale<<<600, 256>>>(out, in, count, n);
}
