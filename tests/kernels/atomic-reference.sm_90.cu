title "A flag by an atomic reference"
note "The second CTA waits for the flag. What orders its read is the value of the flag, which is data."
expect unknown
#include <cuda/atomic>
__global__ void flag(int *data, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*ready);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) { data[0] = 42; flag.store(1, cuda::memory_order_release); }
  } else if (threadIdx.x == 0) {
    while (flag.load(cuda::memory_order_acquire) == 0) {}
    out[0] = data[0];
  }
}
void host(int *a, int *b, int *c) { flag<<<2, 32>>>(a, b, c); }
