title "A launch with 10,000 blocks whose tiles overlap"
note "The rows of the image are shorter than 10 tiles, so that the last block of a row writes to the tiles of the first one."
expect race
__global__ void tiles(float *image) {
  __shared__ float tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int at = (blockIdx.y * 16 + y) * 144 + blockIdx.x * 16 + x;
  tile[y][x] = image[at];
  __syncthreads();
  image[at] = tile[x][y];
}
int main() {
  float *image;
  cudaMalloc(&image, 160 * 16000 * 4);
  tiles<<<dim3(10, 1000), dim3(16, 16)>>>(image);
}
