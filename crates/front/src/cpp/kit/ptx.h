#pragma once
#include <cuda/copies>
namespace cuda {
namespace ptx {
enum dot_sem { sem_release, sem_acquire, sem_relaxed, sem_acq_rel, sem_sc };
enum dot_scope { scope_cta, scope_cluster, scope_gpu, scope_sys };
// A space is a type, because it chooses the instruction.
struct space_shared_t {};
struct space_global_t {};
struct space_cluster_t {};
static const __device__ space_shared_t space_shared;
static const __device__ space_global_t space_global;
static const __device__ space_cluster_t space_cluster;
template <int Value> struct n32_t { static constexpr int value = Value; };
__device__ inline void mbarrier_init(unsigned long long *at, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(shared_address(at)), "r"(count) : "memory");
}
__device__ inline unsigned long long mbarrier_arrive(unsigned long long *at) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(at)) : "memory");
  return token;
}
__device__ inline unsigned long long mbarrier_arrive(dot_sem, dot_scope, space_shared_t, unsigned long long *at) { return mbarrier_arrive(at); }
__device__ inline unsigned long long mbarrier_arrive(dot_sem, dot_scope, space_shared_t, unsigned long long *at, unsigned count) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(shared_address(at)), "r"(count) : "memory");
  return token;
}
__device__ inline unsigned long long mbarrier_arrive_expect_tx(dot_sem, dot_scope, space_shared_t, unsigned long long *at, unsigned bytes) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(shared_address(at)), "r"(bytes) : "memory");
  return token;
}
__device__ inline bool mbarrier_try_wait(unsigned long long *at, unsigned long long token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(shared_address(at)), "l"(token) : "memory");
  return done != 0;
}
__device__ inline bool mbarrier_try_wait_parity(unsigned long long *at, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(shared_address(at)), "r"(parity) : "memory");
  return done != 0;
}
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ inline void fence_proxy_async(space_shared_t) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void fence_proxy_async(space_global_t) { asm volatile("fence.proxy.async.global;" ::: "memory"); }
__device__ inline void fence_mbarrier_init(dot_sem, dot_scope) { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ inline void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from, unsigned bytes, unsigned long long *by) {
  copy_in_bulk(to, from, bytes, by);
}
__device__ inline void cp_async_bulk(space_shared_t, space_global_t, void *to, const void *from, unsigned bytes, unsigned long long *by) {
  copy_in_bulk(to, from, bytes, by);
}
__device__ inline void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from, unsigned bytes) {
  copy_out_in_bulk(to, from, bytes);
}
__device__ inline void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map, const int (&at)[1], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0]);
}
__device__ inline void cp_async_bulk_tensor(space_shared_t, space_global_t, void *to, const void *map, const int (&at)[1], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0]);
}
__device__ inline void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map, const int (&at)[1], const void *from) {
  copy_tile_out(map, from, at[0]);
}
__device__ inline void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map, const int (&at)[2], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1]);
}
__device__ inline void cp_async_bulk_tensor(space_shared_t, space_global_t, void *to, const void *map, const int (&at)[2], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1]);
}
__device__ inline void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map, const int (&at)[2], const void *from) {
  copy_tile_out(map, from, at[0], at[1]);
}
__device__ inline void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map, const int (&at)[3], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2]);
}
__device__ inline void cp_async_bulk_tensor(space_shared_t, space_global_t, void *to, const void *map, const int (&at)[3], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2]);
}
__device__ inline void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map, const int (&at)[3], const void *from) {
  copy_tile_out(map, from, at[0], at[1], at[2]);
}
__device__ inline void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map, const int (&at)[4], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2], at[3]);
}
__device__ inline void cp_async_bulk_tensor(space_shared_t, space_global_t, void *to, const void *map, const int (&at)[4], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2], at[3]);
}
__device__ inline void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map, const int (&at)[4], const void *from) {
  copy_tile_out(map, from, at[0], at[1], at[2], at[3]);
}
__device__ inline void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to, const void *map, const int (&at)[5], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2], at[3], at[4]);
}
__device__ inline void cp_async_bulk_tensor(space_shared_t, space_global_t, void *to, const void *map, const int (&at)[5], unsigned long long *by) {
  copy_tile_in(to, map, by, at[0], at[1], at[2], at[3], at[4]);
}
__device__ inline void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map, const int (&at)[5], const void *from) {
  copy_tile_out(map, from, at[0], at[1], at[2], at[3], at[4]);
}
template <class Newer> __device__ void cp_async_bulk_wait_group_read(Newer) {
  asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(Newer::value) : "memory");
}
template <class Newer> __device__ void cp_async_bulk_wait_group(Newer) {
  asm volatile("cp.async.bulk.wait_group %0;" :: "n"(Newer::value) : "memory");
}
__device__ inline void barrier_cluster_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ inline void barrier_cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
}
}
