title "A loop of unsigned length without a barrier"
note "Nothing orders the rows of a round with the reads."
launch ctas=1 threads=64
expect race mem.race
__global__ void __launch_bounds__(64) ringu(const float *in, float *out, unsigned n) {
  __shared__ float ring[4][64];
  size_t l = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = 0; i < n; i++) {
    ring[i % 4][l] = in[i * 64 + l];

    sum += ring[i % 4][(l + 1) % 64];
  }
  out[l] = sum;
}
