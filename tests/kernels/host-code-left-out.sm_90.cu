title "A program whose host code needs headers that are not installed"
note "The host code is left out. The instance of the kernel that it launches stays."
launch ctas=1
expect race
#include <missing_helper.h>
template <int N> __global__ void turn(int *out) {
  __shared__ int tile[N];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}
int main() {
  Timer timer = Timer::start();
  int *out = missing_allocate(64);
  turn<64><<<1, 64>>>(out);
  return timer.stop();
}
