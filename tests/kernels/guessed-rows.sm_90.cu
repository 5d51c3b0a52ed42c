title "A kernel with rows, without a launch"
note "The kernel uses two dimensions. With several rows, a thread reads what a thread of another warp writes."
expect race
__global__ void columns(int *out) {
  __shared__ int s[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = x;
  out[y * 16 + x] = s[x][y];
}
