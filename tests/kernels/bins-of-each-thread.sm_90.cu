title "Data choose a bin in the row of each thread"
note "The index is at most 15, so no thread leaves its row of 16 bins, whatever the data."
launch ctas=1 threads=64
expect ok
__global__ void bins(const unsigned char *in, int *out) {
  __shared__ int row[64][16];
  int t = threadIdx.x;
  for (int b = 0; b < 16; ++b) row[t][b] = 0;
  for (int i = 0; i < 4; ++i) row[t][in[i * 64 + t] & 15] += 1;
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < 64; ++r) sum += row[r][t & 15];
  out[t] = sum;
}
