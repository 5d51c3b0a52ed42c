title "A named barrier in inline PTX with operands"
launch ctas=1 threads=96
expect ok
template <int ID, int N> __device__ void bar_sync() { asm volatile("bar.sync %0, %1;" : : "n"(ID), "n"(N) : "memory"); }
__device__ void bar_arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(n) : "memory"); }
__global__ void a20(float *p) {
  __shared__ float s[32];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  switch (w) {
    case 0: s[l] = p[l]; bar_arrive(1, 96); break;
    case 1: case 2: bar_sync<1, 96>(); p[threadIdx.x] = s[31 - l]; break;
  }
}
