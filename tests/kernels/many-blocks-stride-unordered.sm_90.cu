title "A loop with a stride that is less than a large grid"
note "The stride is one block too small: the first block writes in its second round what the last block writes in its first."
expect unknown
__global__ void scale(float *out, const float *in, int *count, int n) {
  int own = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 599 * 256) {
    out[i] = in[i] * 2;
    own++;
  }
  atomicAdd(count, own);
}
int main() {
  float *out, *in;
  int *count;
  const int n = 500000;
  cudaMalloc(&out, n * 4);
  cudaMalloc(&in, n * 4);
  cudaMalloc(&count, 4);
  scale<<<600, 256>>>(out, in, count, n);
}
