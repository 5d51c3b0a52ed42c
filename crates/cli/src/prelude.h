// What HIP and CUDA kernels use of the headers of their kits, for machines without the kits. Only what synchronises, accesses
// memory or names a thread is here, and what such programs need beside it.
#pragma once
// The compilers of both kits include headers of C and C++ before every text.
#if __has_include(<stdlib.h>) && __has_include(<utility>) && !defined(__OPENCL_VERSION__)
#define TIDEGATE_LIBRARY 1
#endif
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#ifdef __AMDGPU__
// As HIP's header has it: clang ignores `launch_bounds` for AMDGPU.
#define __launch_bounds__(most, ...) __attribute__((amdgpu_flat_work_group_size(1, most)))
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif

#ifdef TIDEGATE_LIBRARY
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <cmath>
#include <stdio.h>
#include <utility>
#endif
typedef __SIZE_TYPE__ size_t;
typedef long clock_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#define NULL __null
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 3.402823466e+38f
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-7f
#define DBL_MAX 1.7976931348623158e308
#define M_PI 3.14159265358979323846
#define assert(holds) ((void)0)

typedef _Float16 half;
typedef _Float16 __half;
typedef __bf16 __nv_bfloat16;
typedef __bf16 __hip_bfloat16;
#ifndef TIDEGATE_LIBRARY
namespace std {
template <class T> struct tidegate_value { using type = T; };
template <class T> struct tidegate_value<T &> { using type = T; };
template <class T> __host__ __device__ constexpr typename tidegate_value<T>::type &&move(T &&at) {
  return static_cast<typename tidegate_value<T>::type &&>(at);
}
}
#endif

#include <tidegate/cuda>
#ifdef __NVPTX__
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
};
// A launch from the host is parsed, not executed.
__host__ int cudaConfigureCall(dim3 groups, dim3 threads, size_t bytes = 0, void *stream = 0);
__host__ int __cudaPushCallConfiguration(dim3 groups, dim3 threads, size_t bytes = 0, void *stream = 0);
__host__ int __hipPushCallConfiguration(dim3 groups, dim3 threads, size_t bytes = 0, void *stream = 0);
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#if defined(__AMDGCN__)
#define TIDEGATE_GRID(x) (__builtin_amdgcn_grid_size_##x() / __builtin_amdgcn_workgroup_size_##x())
#define TIDEGATE_AXES(type, what)                                                                  \
  struct type {                                                                                    \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    __declspec(property(get = get_z)) unsigned z;                                                  \
    __forceinline__ __device__ unsigned get_x() const { return __builtin_amdgcn_##what##_x(); }    \
    __forceinline__ __device__ unsigned get_y() const { return __builtin_amdgcn_##what##_y(); }    \
    __forceinline__ __device__ unsigned get_z() const { return __builtin_amdgcn_##what##_z(); }    \
    __forceinline__ __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
    __forceinline__ __device__ operator uint3() const { return {get_x(), get_y(), get_z()}; }      \
  };
TIDEGATE_AXES(tidegate_thread, workitem_id)
TIDEGATE_AXES(tidegate_block, workgroup_id)
TIDEGATE_AXES(tidegate_size, workgroup_size)
struct tidegate_grid {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  __declspec(property(get = get_z)) unsigned z;
  __forceinline__ __device__ unsigned get_x() const { return TIDEGATE_GRID(x); }
  __forceinline__ __device__ unsigned get_y() const { return TIDEGATE_GRID(y); }
  __forceinline__ __device__ unsigned get_z() const { return TIDEGATE_GRID(z); }
  __forceinline__ __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }
};
#define warpSize __builtin_amdgcn_wavefrontsize()
static __forceinline__ __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static __forceinline__ __device__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
static __forceinline__ __device__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
static __forceinline__ __device__ void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
static __forceinline__ __device__ void __syncwarp(unsigned long long mask = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
static __forceinline__ __device__ int tidegate_lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
static __forceinline__ __device__ unsigned __lane_id() { return tidegate_lane(); }
// A value of another lane, or the own one if the lane is outside the part of the wave that the lane belongs to.
static __forceinline__ __device__ int tidegate_from(int value, int lane, bool inside) {
  return __builtin_amdgcn_ds_bpermute((inside ? lane : tidegate_lane()) << 2, value);
}
#define TIDEGATE_SHUFFLE(name, by, lane, inside)                                                   \
  static __forceinline__ __device__ int name(int value, int by, int width = warpSize) {            \
    int self = tidegate_lane(), first = self & ~(width - 1);                                       \
    return tidegate_from(value, lane, inside);                                                     \
  }                                                                                                \
  static __forceinline__ __device__ unsigned name(unsigned value, int by, int width = warpSize) {  \
    return name((int)value, by, width);                                                            \
  }                                                                                                \
  static __forceinline__ __device__ float name(float value, int by, int width = warpSize) {        \
    return __builtin_bit_cast(float, name(__builtin_bit_cast(int, value), by, width));             \
  }                                                                                                \
  static __forceinline__ __device__ long long name(long long value, int by, int width = warpSize) { \
    return (long long)name((int)(value >> 32), by, width) << 32 | (unsigned)name((int)value, by, width); \
  }                                                                                                \
  static __forceinline__ __device__ unsigned long long name(unsigned long long value, int by, int width = warpSize) { \
    return name((long long)value, by, width);                                                      \
  }                                                                                                \
  static __forceinline__ __device__ double name(double value, int by, int width = warpSize) {      \
    return __builtin_bit_cast(double, name(__builtin_bit_cast(long long, value), by, width));      \
  }                                                                                                \
  template <class T> static __forceinline__ __device__ T name##_sync(unsigned long long mask, T value, int by, int width = warpSize) { \
    return name(value, by, width);                                                                 \
  }
TIDEGATE_SHUFFLE(__shfl, from, first + (from & (width - 1)), true)
TIDEGATE_SHUFFLE(__shfl_down, by, self + by, self + by < first + width)
TIDEGATE_SHUFFLE(__shfl_up, by, self - by, self - by >= first)
TIDEGATE_SHUFFLE(__shfl_xor, bits, self ^ bits, (self ^ bits) < first + width)
static __forceinline__ __device__ unsigned long long __ballot(int holds) { return __builtin_amdgcn_ballot_w64(holds != 0); }
static __forceinline__ __device__ unsigned long long __ballot_sync(unsigned long long mask, int holds) { return __ballot(holds) & mask; }
static __forceinline__ __device__ unsigned long long __activemask() { return __ballot(1); }
static __forceinline__ __device__ int __any(int holds) { return __ballot(holds) != 0; }
static __forceinline__ __device__ int __all(int holds) { return __ballot(!holds) == 0; }
#else
#define TIDEGATE_AXES(type, what)                                                                  \
  struct type {                                                                                    \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    __declspec(property(get = get_z)) unsigned z;                                                  \
    __forceinline__ __device__ unsigned get_x() const { return __nvvm_read_ptx_sreg_##what##_x(); } \
    __forceinline__ __device__ unsigned get_y() const { return __nvvm_read_ptx_sreg_##what##_y(); } \
    __forceinline__ __device__ unsigned get_z() const { return __nvvm_read_ptx_sreg_##what##_z(); } \
    __forceinline__ __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
    __forceinline__ __device__ operator uint3() const { return {get_x(), get_y(), get_z()}; }      \
  };
TIDEGATE_AXES(tidegate_thread, tid)
TIDEGATE_AXES(tidegate_block, ctaid)
TIDEGATE_AXES(tidegate_size, ntid)
TIDEGATE_AXES(tidegate_grid, nctaid)
#define __CUDACC__ 1
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
constexpr int warpSize = 32;
static __forceinline__ __device__ void __threadfence_block() { __nvvm_membar_cta(); }
static __forceinline__ __device__ void __threadfence() { __nvvm_membar_gl(); }
static __forceinline__ __device__ void __threadfence_system() { __nvvm_membar_sys(); }
static __forceinline__ __device__ void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
static __forceinline__ __device__ unsigned __ballot_sync(unsigned mask, int holds) { return __nvvm_vote_ballot_sync(mask, holds != 0); }
static __forceinline__ __device__ int __any_sync(unsigned mask, int holds) { return __nvvm_vote_any_sync(mask, holds != 0); }
static __forceinline__ __device__ int __all_sync(unsigned mask, int holds) { return __nvvm_vote_all_sync(mask, holds != 0); }
static __forceinline__ __device__ int __syncthreads_count(int holds) { return __nvvm_bar0_popc(holds); }
static __forceinline__ __device__ int __syncthreads_and(int holds) { return __nvvm_bar0_and(holds); }
static __forceinline__ __device__ int __syncthreads_or(int holds) { return __nvvm_bar0_or(holds); }
static __forceinline__ __device__ unsigned __match_any_sync(unsigned mask, unsigned value) { return __nvvm_match_any_sync_i32(mask, value); }
static __forceinline__ __device__ void __nanosleep(unsigned time) {}
#define TIDEGATE_REDUCE(name, of, how)                                                             \
  static __forceinline__ __device__ of name(unsigned mask, of value) {                             \
    of result;                                                                                     \
    asm("redux.sync." how " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));                  \
    return result;                                                                                 \
  }
TIDEGATE_REDUCE(__reduce_add_sync, unsigned, "add.u32")
TIDEGATE_REDUCE(__reduce_add_sync, int, "add.s32")
TIDEGATE_REDUCE(__reduce_min_sync, unsigned, "min.u32")
TIDEGATE_REDUCE(__reduce_min_sync, int, "min.s32")
TIDEGATE_REDUCE(__reduce_max_sync, unsigned, "max.u32")
TIDEGATE_REDUCE(__reduce_max_sync, int, "max.s32")
TIDEGATE_REDUCE(__reduce_and_sync, unsigned, "and.b32")
TIDEGATE_REDUCE(__reduce_or_sync, unsigned, "or.b32")
TIDEGATE_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
static __forceinline__ __device__ unsigned __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
static __forceinline__ __device__ unsigned __activemask() { return __nvvm_vote_ballot_sync(0xffffffff, 1); }
static __forceinline__ __device__ size_t __cvta_generic_to_shared(const void *at) { return (size_t)(__attribute__((address_space(3))) const void *)at; }
// The bounds of the part of the warp that a lane belongs to, as the instruction takes them.
#define TIDEGATE_SHUFFLE(name, how, by, bounds)                                                    \
  static __forceinline__ __device__ int name(unsigned mask, int value, by, int width = 32) {       \
    return __nvvm_shfl_sync_##how##_i32(mask, value, at, (32 - width) << 8 | bounds);              \
  }                                                                                                \
  static __forceinline__ __device__ unsigned name(unsigned mask, unsigned value, by, int width = 32) { \
    return name(mask, (int)value, at, width);                                                      \
  }                                                                                                \
  static __forceinline__ __device__ float name(unsigned mask, float value, by, int width = 32) {   \
    return __nvvm_shfl_sync_##how##_f32(mask, value, at, (32 - width) << 8 | bounds);              \
  }                                                                                                \
  static __forceinline__ __device__ long long name(unsigned mask, long long value, by, int width = 32) { \
    return (long long)name(mask, (int)(value >> 32), at, width) << 32 | (unsigned)name(mask, (int)value, at, width); \
  }                                                                                                \
  static __forceinline__ __device__ unsigned long long name(unsigned mask, unsigned long long value, by, int width = 32) { \
    return name(mask, (long long)value, at, width);                                                \
  }                                                                                                \
  static __forceinline__ __device__ double name(unsigned mask, double value, by, int width = 32) { \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, value), at, width)); \
  }                                                                                                \
  template <class T> static __forceinline__ __device__ T name(unsigned mask, T value, by, int width = 32) { \
    int words[(sizeof(T) + 3) / 4] = {};                                                           \
    __builtin_memcpy(words, &value, sizeof(T));                                                    \
    for (int &word : words) word = name(mask, word, at, width);                                    \
    __builtin_memcpy(&value, words, sizeof(T));                                                    \
    return value;                                                                                  \
  }
TIDEGATE_SHUFFLE(__shfl_sync, idx, int at, 31)
TIDEGATE_SHUFFLE(__shfl_up_sync, up, unsigned at, 0)
TIDEGATE_SHUFFLE(__shfl_down_sync, down, unsigned at, 31)
TIDEGATE_SHUFFLE(__shfl_xor_sync, bfly, int at, 31)
#endif
extern const __device__ tidegate_thread threadIdx;
extern const __device__ tidegate_block blockIdx;
extern const __device__ tidegate_size blockDim;
extern const __device__ tidegate_grid gridDim;

#if defined(__NVPTX__)
#include "tidegate_scopes.h"
#define TIDEGATE_IN_BLOCK(operation, at, value) cuda::of_block<sizeof(T)>::exchange_as(at, (T)value)
#else
#define TIDEGATE_IN_BLOCK(operation, at, value)                                                    \
  __scoped_atomic_##operation(at, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#endif
// The pointer decides the type, so that `atomicAdd(&counts[i], 1)` works with any integer.
template <class T> struct tidegate_same { using type = T; };
#define TIDEGATE_ATOMIC(name, operation)                                                           \
  template <class T> static __forceinline__ __device__ T name(T *at, typename tidegate_same<T>::type value) { \
    return __scoped_atomic_##operation(at, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);        \
  }                                                                                                \
  template <class T> static __forceinline__ __device__ T name##_system(T *at, typename tidegate_same<T>::type value) { \
    return __scoped_atomic_##operation(at, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);        \
  }                                                                                                \
  template <class T> static __forceinline__ __device__ T name##_block(T *at, typename tidegate_same<T>::type value) { \
    return TIDEGATE_IN_BLOCK(operation, at, value);                                                \
  }
TIDEGATE_ATOMIC(atomicAdd, fetch_add)
TIDEGATE_ATOMIC(atomicSub, fetch_sub)
TIDEGATE_ATOMIC(atomicMin, fetch_min)
TIDEGATE_ATOMIC(atomicMax, fetch_max)
TIDEGATE_ATOMIC(atomicAnd, fetch_and)
TIDEGATE_ATOMIC(atomicOr, fetch_or)
TIDEGATE_ATOMIC(atomicXor, fetch_xor)
TIDEGATE_ATOMIC(atomicExch, exchange_n)
// Each element of a vector is added atomically.
#define TIDEGATE_ATOMIC_2(of) \
  static __forceinline__ __device__ of atomicAdd(of *at, of value) { return {atomicAdd(&at->x, value.x), atomicAdd(&at->y, value.y)}; }
TIDEGATE_ATOMIC_2(float2)
static __forceinline__ __device__ float4 atomicAdd(float4 *at, float4 value) {
  return {atomicAdd(&at->x, value.x), atomicAdd(&at->y, value.y), atomicAdd(&at->z, value.z), atomicAdd(&at->w, value.w)};
}
// What they store beside the number of their calls is data.
#define TIDEGATE_COUNTED(scope)                                                                    \
  static __forceinline__ __device__ unsigned atomicInc##scope(unsigned *at, unsigned) { return atomicAdd##scope(at, 1); } \
  static __forceinline__ __device__ unsigned atomicDec##scope(unsigned *at, unsigned) { return atomicSub##scope(at, 1); }
TIDEGATE_COUNTED()
TIDEGATE_COUNTED(_system)
TIDEGATE_COUNTED(_block)
#define TIDEGATE_SWAP(name, scope)                                                                 \
  template <class T> static __forceinline__ __device__ T name(T *at, typename tidegate_same<T>::type old, typename tidegate_same<T>::type value) { \
    __scoped_atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return old;                                                                                    \
  }
TIDEGATE_SWAP(atomicCAS, __MEMORY_SCOPE_DEVICE)
TIDEGATE_SWAP(atomicCAS_system, __MEMORY_SCOPE_SYSTEM)
#if defined(__NVPTX__)
template <class T> static __forceinline__ __device__ T atomicCAS_block(T *at, typename tidegate_same<T>::type, typename tidegate_same<T>::type value) {
  return cuda::of_block<sizeof(T)>::exchange_as(at, (T)value);
}
#else
TIDEGATE_SWAP(atomicCAS_block, __MEMORY_SCOPE_WRKGRP)
#endif
TIDEGATE_DATA int __dp4a(int, int, int);
TIDEGATE_DATA unsigned __dp4a(unsigned, unsigned, unsigned);
TIDEGATE_DATA int __dp2a_lo(int, int, int);
TIDEGATE_DATA int __dp2a_hi(int, int, int);
static __forceinline__ __device__ int __popc(unsigned bits) { return __builtin_popcount(bits); }
static __forceinline__ __device__ int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static __forceinline__ __device__ int __ffs(int bits) { return __builtin_ffs(bits); }
static __forceinline__ __device__ int __ffsll(long long bits) { return __builtin_ffsll(bits); }
static __forceinline__ __device__ int __clzll(long long bits) { return bits ? __builtin_clzll(bits) : 64; }
static __forceinline__ __device__ int __clz(int bits) { return bits ? __builtin_clz(bits) : 32; }
template <class T> static __forceinline__ __host__ __device__ T min(T one, T other) { return one < other ? one : other; }
template <class T> static __forceinline__ __host__ __device__ T max(T one, T other) { return one > other ? one : other; }
#define TIDEGATE_OF_BOTH(one, other, to)                                                           \
  static __forceinline__ __host__ __device__ to min(one x, other y) { return min((to)x, (to)y); }           \
  static __forceinline__ __host__ __device__ to max(one x, other y) { return max((to)x, (to)y); }
TIDEGATE_OF_BOTH(int, unsigned, unsigned)
TIDEGATE_OF_BOTH(unsigned, int, unsigned)
TIDEGATE_OF_BOTH(long, unsigned long, unsigned long)
TIDEGATE_OF_BOTH(unsigned long, long, unsigned long)
TIDEGATE_OF_BOTH(long long, unsigned long long, unsigned long long)
TIDEGATE_OF_BOTH(unsigned long long, long long, unsigned long long)
TIDEGATE_OF_BOTH(int, long long, long long)
TIDEGATE_OF_BOTH(long long, int, long long)
TIDEGATE_OF_BOTH(float, double, double)
TIDEGATE_OF_BOTH(double, float, double)
TIDEGATE_OF_BOTH(int, float, float)
TIDEGATE_OF_BOTH(float, int, float)
TIDEGATE_OF_BOTH(int, double, double)
TIDEGATE_OF_BOTH(double, int, double)
static __forceinline__ __device__ unsigned umin(unsigned x, unsigned y) { return min(x, y); }
static __forceinline__ __device__ unsigned umax(unsigned x, unsigned y) { return max(x, y); }
static __forceinline__ __device__ unsigned long long __brevll(unsigned long long bits) { return __builtin_bitreverse64(bits); }
static __forceinline__ __device__ unsigned __brev(unsigned bits) { return __builtin_bitreverse32(bits); }
#define TIDEGATE_LOAD(name) template <class T> static __forceinline__ __device__ T name(const T *at) { return *at; }
TIDEGATE_LOAD(__ldg)
TIDEGATE_LOAD(__ldcs)
TIDEGATE_LOAD(__ldcg)
TIDEGATE_LOAD(__ldca)
TIDEGATE_LOAD(__ldlu)
TIDEGATE_LOAD(__ldcv)
#define TIDEGATE_STORE(name) template <class T> static __forceinline__ __device__ void name(T *at, typename tidegate_same<T>::type value) { *at = value; }
TIDEGATE_STORE(__stcs)
TIDEGATE_STORE(__stcg)
TIDEGATE_STORE(__stwb)
TIDEGATE_STORE(__stwt)
static __forceinline__ __device__ void *memset(void *at, int value, size_t bytes) { return __builtin_memset(at, value, bytes); }
static __forceinline__ __device__ void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
static __forceinline__ __device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return (unsigned __int128)x * y >> 64; }
static __forceinline__ __device__ long long __mul64hi(long long x, long long y) { return (__int128)x * y >> 64; }
static __forceinline__ __device__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
static __forceinline__ __device__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
static __forceinline__ __device__ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
static __forceinline__ __device__ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
static __forceinline__ __device__ long long clock64() { return __builtin_readcyclecounter(); }
static __forceinline__ __device__ long clock() { return (long)clock64(); }
static __forceinline__ __device__ void __assert_fail(const char *, const char *, unsigned, const char *) {}
template <class... T> static __forceinline__ __device__ int printf(const char *, T...) { return 0; }

#include "tidegate_math.h"
#include "tidegate_runtime.h"

struct __attribute__((aligned(4))) __half2 { __half x, y; };
typedef __half2 half2;
struct __attribute__((aligned(4))) __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
TIDEGATE_ATOMIC_2(__half2)
TIDEGATE_ATOMIC_2(__nv_bfloat162)
#if defined(__NVPTX__)
#include <cuda/copies>
static __forceinline__ __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t = 0) {
  cuda::copy_at_once(to, from, bytes);
}
static __forceinline__ __device__ void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// The number of groups is constant once the function is inlined.
#define __pipeline_wait_prior(newer) asm volatile("cp.async.wait_group %0;" ::"n"(newer) : "memory")
#endif
