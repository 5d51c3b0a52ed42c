#pragma once
#include <cuda/copies>
namespace cuda {
template <int Scope> struct barrier {
  typedef unsigned long long arrival_token;
  unsigned long long state;
  __device__ unsigned address() const { return shared_address(&state); }
  __device__ void expect(unsigned count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(address()), "r"(count) : "memory"); }
  __device__ arrival_token arrive(unsigned count = 1) {
    arrival_token token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(address()), "r"(count) : "memory");
    return token;
  }
  __device__ void wait(arrival_token token) const {
    asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.shared.b64 p, [%0], %1; @!p bra AGAIN; }"
                 :: "r"(address()), "l"(token) : "memory");
  }
  __device__ void wait_parity(bool parity) const {
    asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }"
                 :: "r"(address()), "r"((unsigned)parity) : "memory");
  }
  __device__ void expect_bytes(unsigned bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(address()), "r"(bytes) : "memory");
  }
  // The current phase awaits the copies that the thread has started.
  __device__ void started() { asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(address()) : "memory"); }
  __device__ void copy(void *to, const void *from, unsigned bytes) {
    expect_bytes(bytes);
    copy_in_bulk(to, from, bytes, &state);
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" :: "r"(address()) : "memory");
  }
};
template <class Barrier> __device__ void init(Barrier *at, int count) { at->expect(count); }

namespace device {
template <class Barrier> __device__ unsigned long long *barrier_native_handle(Barrier &of) { return &of.state; }
template <class Barrier> __device__ void barrier_expect_tx(Barrier &of, unsigned bytes) { of.expect_bytes(bytes); }
template <class Barrier> __device__ unsigned long long barrier_arrive_tx(Barrier &of, unsigned count, unsigned bytes) {
  of.expect_bytes(bytes);
  return of.arrive(count);
}
namespace experimental {
using ptx::cp_async_bulk_commit_group;
__device__ inline void fence_proxy_async_shared_cta() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
template <class Barrier> __device__ void cp_async_bulk_global_to_shared(void *to, const void *from, unsigned bytes, Barrier &by) {
  copy_in_bulk(to, from, bytes, &by.state);
}
__device__ inline void cp_async_bulk_shared_to_global(void *to, const void *from, unsigned bytes) {
  copy_out_in_bulk(to, from, bytes);
}
template <class Barrier> __device__ void cp_async_bulk_tensor_1d_global_to_shared(void *to, const CUtensorMap *map, int x, Barrier &by) {
  copy_tile_in(to, map, &by.state, x);
}
__device__ inline void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap *map, int x, const void *from) {
  copy_tile_out(map, from, x);
}
template <class Barrier> __device__ void cp_async_bulk_tensor_2d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, Barrier &by) {
  copy_tile_in(to, map, &by.state, x, y);
}
__device__ inline void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap *map, int x, int y, const void *from) {
  copy_tile_out(map, from, x, y);
}
template <class Barrier> __device__ void cp_async_bulk_tensor_3d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z, Barrier &by) {
  copy_tile_in(to, map, &by.state, x, y, z);
}
__device__ inline void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap *map, int x, int y, int z, const void *from) {
  copy_tile_out(map, from, x, y, z);
}
template <class Barrier> __device__ void cp_async_bulk_tensor_4d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z, int u, Barrier &by) {
  copy_tile_in(to, map, &by.state, x, y, z, u);
}
__device__ inline void cp_async_bulk_tensor_4d_shared_to_global(const CUtensorMap *map, int x, int y, int z, int u, const void *from) {
  copy_tile_out(map, from, x, y, z, u);
}
template <class Barrier> __device__ void cp_async_bulk_tensor_5d_global_to_shared(void *to, const CUtensorMap *map, int x, int y, int z, int u, int v, Barrier &by) {
  copy_tile_in(to, map, &by.state, x, y, z, u, v);
}
__device__ inline void cp_async_bulk_tensor_5d_shared_to_global(const CUtensorMap *map, int x, int y, int z, int u, int v, const void *from) {
  copy_tile_out(map, from, x, y, z, u, v);
}
template <int Newer> __device__ void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(Newer) : "memory");
}
template <int Newer> __device__ void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" :: "n"(Newer) : "memory");
}
}
}
}
