#pragma once
#if defined(__NVPTX__)
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t Alignment> struct aligned_size_t {
  size_t value;
  __device__ explicit aligned_size_t(size_t bytes) : value(bytes) {}
  __device__ operator size_t() const { return value; }
};
__device__ inline unsigned shared_address(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }
// Copies that a thread of a group starts, in words: each word is copied by one thread.
__device__ inline void copy_in_parts(unsigned rank, unsigned threads, void *to, const void *from, size_t bytes) {
  for (size_t at = rank * 4; at < bytes; at += threads * 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(shared_address((char *)to + at)), "l"((const char *)from + at) : "memory");
}
// A copy in bulk, whose bytes a barrier awaits.
__device__ inline void copy_in_bulk(void *to, const void *from, unsigned bytes, const unsigned long long *by) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :: "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(by)) : "memory");
}
// A copy in bulk that a group awaits.
__device__ inline void copy_out_in_bulk(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");
}
// Copies of a tile of a tensor, at a place of one to five coordinates, which a barrier awaits.
__device__ inline void copy_tile_in(void *to, const void *map, const unsigned long long *by, int x) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
               :: "r"(shared_address(to)), "l"(map), "r"(shared_address(by)), "r"(x) : "memory");
}
__device__ inline void copy_tile_in(void *to, const void *map, const unsigned long long *by, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :: "r"(shared_address(to)), "l"(map), "r"(shared_address(by)), "r"(x), "r"(y) : "memory");
}
__device__ inline void copy_tile_in(void *to, const void *map, const unsigned long long *by, int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
               :: "r"(shared_address(to)), "l"(map), "r"(shared_address(by)), "r"(x), "r"(y), "r"(z) : "memory");
}
__device__ inline void copy_tile_in(void *to, const void *map, const unsigned long long *by, int x, int y, int z, int u) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
               :: "r"(shared_address(to)), "l"(map), "r"(shared_address(by)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
}
__device__ inline void copy_tile_in(void *to, const void *map, const unsigned long long *by, int x, int y, int z, int u, int v) {
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];"
               :: "r"(shared_address(to)), "l"(map), "r"(shared_address(by)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}
// Copies of a tile into a tensor that a group awaits.
__device__ inline void copy_tile_out(const void *map, const void *from, int x) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];"
               :: "l"(map), "r"(shared_address(from)), "r"(x) : "memory");
}
__device__ inline void copy_tile_out(const void *map, const void *from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               :: "l"(map), "r"(shared_address(from)), "r"(x), "r"(y) : "memory");
}
__device__ inline void copy_tile_out(const void *map, const void *from, int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];"
               :: "l"(map), "r"(shared_address(from)), "r"(x), "r"(y), "r"(z) : "memory");
}
__device__ inline void copy_tile_out(const void *map, const void *from, int x, int y, int z, int u) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
               :: "l"(map), "r"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
}
__device__ inline void copy_tile_out(const void *map, const void *from, int x, int y, int z, int u, int v) {
  asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
               :: "l"(map), "r"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}
// The copy of one object by one thread.
__device__ inline void copy_at_once(void *to, const void *from, size_t bytes) {
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared_address(to)), "l"(from) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(shared_address(to)), "l"(from) : "memory");
  else
    copy_in_parts(0, 1, to, from, bytes);
}
// Copies that a barrier or a pipeline awaits.
template <class Group, class T, class Size, class By>
__device__ void memcpy_async(const Group &group, T *to, const T *from, Size bytes, By &by) {
  copy_in_parts(group.thread_rank(), group.size(), to, from, bytes);
  by.started();
}
template <class T, class By> __device__ void memcpy_async(T *to, const T *from, aligned_size_t<16> bytes, By &by) {
  by.copy(to, from, bytes.value);
}
template <class T, class Size, class By> __device__ void memcpy_async(T *to, const T *from, Size bytes, By &by) {
  copy_at_once(to, from, bytes);
  by.started();
}
namespace ptx {
__device__ inline void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
}
}
#endif
