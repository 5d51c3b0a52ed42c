title "A launch with 10,000 blocks, without a barrier"
note "Only the last block of a row leaves out its barrier. So its threads read what threads of other warps write."
expect race
__global__ void tiles(float *image) {
  __shared__ float tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int at = (blockIdx.y * 16 + y) * 1600 + blockIdx.x * 16 + x;
  tile[y][x] = image[at];
  if (blockIdx.x < 99 || blockIdx.y < 99) __syncthreads();
  image[at] = tile[x][y];
}
int main() {
  float *image;
  cudaMalloc(&image, 1600 * 1600 * 4);
  tiles<<<dim3(100, 100), dim3(16, 16)>>>(image);
}
