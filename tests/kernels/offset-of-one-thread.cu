launch ctas=1 threads=512
expect unknown
__global__ void k(int *a, int x) {
  int t = threadIdx.x;
  if (x < 0 || x >= 1000) return;
  if (t == 15) a[t + x] = 1;
  if (t == 200) a[t] = 2;
}
