title "A launch with 10,000 blocks"
note "Each block transposes its own tile of the image, in shared memory. No block accesses the tile of another one."
expect ok
__global__ void tiles(float *image) {
  __shared__ float tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int at = (blockIdx.y * 16 + y) * 1600 + blockIdx.x * 16 + x;
  tile[y][x] = image[at];
  __syncthreads();
  image[at] = tile[x][y];
}
int main() {
  float *image;
  cudaMalloc(&image, 1600 * 1600 * 4);
  tiles<<<dim3(100, 100), dim3(16, 16)>>>(image);
}
