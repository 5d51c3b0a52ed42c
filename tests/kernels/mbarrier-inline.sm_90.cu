title "One warp fills a tile and another one waits on an mbarrier, in inline PTX"
launch ctas=1 threads=64
expect ok
#include <cstdint>
__device__ inline void mbar_init(uint64_t *bar, uint32_t count) {
  uint32_t a = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(a), "r"(count) : "memory");
}
__device__ inline void mbar_arrive(uint64_t *bar) {
  uint32_t a = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile("{\n\t.reg .b64 st;\n\tmbarrier.arrive.shared::cta.b64 st, [%0];\n\t}" :: "r"(a) : "memory");
}
__device__ inline void mbar_wait(uint64_t *bar, uint32_t phase) {
  uint32_t a = static_cast<uint32_t>(__cvta_generic_to_shared(bar));
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" :: "r"(a), "r"(phase) : "memory");
}
extern "C" __global__ void a03(float *out) {
  __shared__ alignas(8) uint64_t full;
  __shared__ float buf[32];
  if (threadIdx.x == 0) mbar_init(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    buf[threadIdx.x] = threadIdx.x;
    mbar_arrive(&full);
  } else {
    mbar_wait(&full, 0);
    out[threadIdx.x] = buf[63 - threadIdx.x];
  }
}
