#pragma once
#include <cuda/copies>
namespace cooperative_groups {
// A group of any kind: the block, or some threads of a warp.
struct thread_group {
  bool whole;
  unsigned active;
  __device__ void sync() const {
    if (whole) __syncthreads();
    else __syncwarp(active);
  }
  __device__ unsigned size() const { return whole ? blockDim.x * blockDim.y * blockDim.z : __popc(active); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const {
    if (whole) return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return __popc(active & ((1u << __lane_id()) - 1));
  }
};
struct thread_block : thread_group {
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ dim3 dim_threads() const { return group_dim(); }
};
__device__ inline thread_block this_thread_block() {
  thread_block group;
  group.whole = true;
  return group;
}

template <unsigned Size> struct thread_block_tile : thread_group {
  __device__ static unsigned mask() {
    if (Size >= warpSize) return 0xffffffffu;
    return ((1u << (Size & 31)) - 1) << (__lane_id() & ~(Size - 1));
  }
  __device__ void sync() const { __syncwarp(mask()); }
  __device__ unsigned size() const { return Size; }
  __device__ unsigned num_threads() const { return Size; }
  __device__ unsigned thread_rank() const { return __lane_id() & (Size - 1); }
  __device__ unsigned meta_group_size() const { return blockDim.x * blockDim.y * blockDim.z / Size; }
  __device__ unsigned meta_group_rank() const {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / Size;
  }
  template <class T> __device__ T shfl(T value, unsigned from) const { return __shfl_sync(mask(), value, from, Size); }
  template <class T> __device__ T shfl_up(T value, unsigned by) const { return __shfl_up_sync(mask(), value, by, Size); }
  template <class T> __device__ T shfl_down(T value, unsigned by) const { return __shfl_down_sync(mask(), value, by, Size); }
  template <class T> __device__ T shfl_xor(T value, unsigned by) const { return __shfl_xor_sync(mask(), value, by, Size); }
  __device__ bool any(int on) const { return (__ballot_sync(mask(), on) & mask()) != 0; }
  __device__ bool all(int on) const { return (__ballot_sync(mask(), !on) & mask()) == 0; }
  __device__ unsigned ballot(int on) const { return (__ballot_sync(mask(), on) & mask()) >> (__lane_id() & ~(Size - 1)); }
};
template <unsigned Size, class Group> __device__ thread_block_tile<Size> tiled_partition(const Group &group) {
  thread_block_tile<Size> tile;
  tile.whole = false;
  tile.active = tile.mask();
  return tile;
}

struct coalesced_group : thread_group {
  __device__ void sync() const { __syncwarp(active); }
  __device__ unsigned size() const { return __popc(active); }
  __device__ unsigned num_threads() const { return __popc(active); }
  __device__ unsigned thread_rank() const { return __popc(active & ((1u << __lane_id()) - 1)); }
  __device__ unsigned meta_group_size() const { return 1; }
  __device__ unsigned meta_group_rank() const { return 0; }
  template <class T> __device__ T shfl(T value, unsigned from) const { return __shfl_sync(active, value, lane(from)); }
  template <class T> __device__ T shfl_up(T value, unsigned by) const { return __shfl_sync(active, value, lane(thread_rank() - by)); }
  template <class T> __device__ T shfl_down(T value, unsigned by) const { return __shfl_sync(active, value, lane(thread_rank() + by)); }
  __device__ bool any(int on) const { return (__ballot_sync(active, on) & active) != 0; }
  __device__ bool all(int on) const { return (__ballot_sync(active, !on) & active) == 0; }
  __device__ unsigned ballot(int on) const { return __ballot_sync(active, on) & active; }
  // The lane of the thread with a rank.
  __device__ unsigned lane(unsigned rank) const {
    unsigned rest = active;
    for (unsigned at = 0; at < rank % __popc(active); at++) rest &= rest - 1;
    return __ffs(rest) - 1;
  }
};
__device__ inline coalesced_group coalesced_threads() { coalesced_group group; group.whole = false; group.active = __activemask(); return group; }

template <class Group> __device__ thread_group tiled_partition(const Group &group, unsigned size) {
  thread_group tile;
  tile.whole = false;
  tile.active = size >= warpSize ? 0xffffffffu : ((1u << (size & 31)) - 1) << (__lane_id() & ~(size - 1));
  return tile;
}

struct grid_group {
  __device__ void sync() const { asm volatile("grid.sync;" ::: "memory"); }
  __device__ bool is_valid() const { return true; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
  __device__ dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ dim3 dim_blocks() const { return group_dim(); }
  __device__ dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ unsigned size() const { return gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned thread_rank() const {
    return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
};
__device__ inline grid_group this_grid() { grid_group group; return group; }
// The grids of several devices: their barrier is not modelled.
__device__ void synchronize_grids_of_several_devices();
__device__ __attribute__((const)) unsigned tidegate_of_several_devices(int what);
struct multi_grid_group : grid_group {
  __device__ void sync() const { synchronize_grids_of_several_devices(); }
  __device__ unsigned grid_rank() const { return tidegate_of_several_devices(0); }
  __device__ unsigned num_grids() const { return tidegate_of_several_devices(1); }
};
__device__ inline multi_grid_group this_multi_grid() { multi_grid_group group; return group; }
template <class Group> __device__ void sync(const Group &group) { group.sync(); }
template <class Group> __device__ void synchronize(const Group &group) { group.sync(); }

#if defined(__NVPTX__)
template <class Group, class T, class Size>
__device__ void memcpy_async(const Group &group, T *to, const T *from, Size bytes) {
  cuda::copy_in_parts(group.thread_rank(), group.size(), to, from, bytes);
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <class Group> __device__ void wait(const Group &group) {
  asm volatile("cp.async.wait_all;" ::: "memory");
  group.sync();
}
template <int Newer, class Group> __device__ void wait_prior(const Group &group) {
  asm volatile("cp.async.wait_group %0;" :: "n"(Newer) : "memory");
  group.sync();
}
#endif

#define TIDEGATE_COMBINES(name, result) \
  template <class T> struct name { __device__ T operator()(T x, T y) const { return result; } };
TIDEGATE_COMBINES(plus, x + y)
TIDEGATE_COMBINES(less, x < y ? x : y)
TIDEGATE_COMBINES(greater, x > y ? x : y)
TIDEGATE_COMBINES(bit_and, x & y)
TIDEGATE_COMBINES(bit_or, x | y)
TIDEGATE_COMBINES(bit_xor, x ^ y)
template <class Group, class T, class How> __forceinline__ __device__ T reduce(const Group &group, T value, How how) {
  group.sync();
  return how(group.shfl(value, 0), value);
}

#if defined(__NVPTX__)
struct cluster_group {
  __device__ static void barrier_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
  __device__ static void barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
  __device__ static void sync() { barrier_arrive(); barrier_wait(); }
  __device__ static unsigned block_rank() { unsigned rank; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank)); return rank; }
  __device__ static dim3 dim_blocks() {
    unsigned x, y, z;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(z));
    return dim3(x, y, z);
  }
  __device__ static dim3 block_index() {
    unsigned x, y, z;
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
    return dim3(x, y, z);
  }
  __device__ static unsigned num_threads() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static unsigned thread_rank() {
    return block_rank() * blockDim.x * blockDim.y * blockDim.z +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned num_blocks() { unsigned count; asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count)); return count; }
  template <class T> __device__ T *map_shared_rank(T *address, int rank) const {
    unsigned long long own = (unsigned long long)address, other;
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(rank));
    return (T *)other;
  }
};
__device__ inline cluster_group this_cluster() { cluster_group group; return group; }
#endif
}
