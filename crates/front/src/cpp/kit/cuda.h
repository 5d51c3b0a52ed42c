#pragma once
// What is data by itself: a function that accesses no memory, with one result for the same arguments.
#define TIDEGATE_DATA __device__ __attribute__((const))
#define TIDEGATE_VECTORS(name, base, half, whole)                                                           \
  struct name##1 { base x; };                                                                               \
  struct __align__(half) name##2 { base x, y; };                                                            \
  struct name##3 { base x, y, z; };                                                                         \
  struct __align__(whole) name##4 { base x, y, z, w; };                                                     \
  __host__ __device__ inline name##1 make_##name##1(base x) { return {x}; }                                 \
  __host__ __device__ inline name##2 make_##name##2(base x, base y) { return {x, y}; }                      \
  __host__ __device__ inline name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; }           \
  __host__ __device__ inline name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }
TIDEGATE_VECTORS(char, signed char, 2, 4)
TIDEGATE_VECTORS(uchar, unsigned char, 2, 4)
TIDEGATE_VECTORS(short, short, 4, 8)
TIDEGATE_VECTORS(ushort, unsigned short, 4, 8)
TIDEGATE_VECTORS(int, int, 8, 16)
TIDEGATE_VECTORS(uint, unsigned, 8, 16)
TIDEGATE_VECTORS(long, long, 16, 16)
TIDEGATE_VECTORS(ulong, unsigned long, 16, 16)
TIDEGATE_VECTORS(longlong, long long, 16, 16)
TIDEGATE_VECTORS(ulonglong, unsigned long long, 16, 16)
TIDEGATE_VECTORS(float, float, 8, 16)
TIDEGATE_VECTORS(double, double, 16, 16)
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
// The scope is that of the system unless it is given.
#define TIDEGATE_ORDER(order, ...) order
#define TIDEGATE_SCOPE(order, scope, ...) scope
#define TIDEGATE_HOW(...) TIDEGATE_ORDER(__VA_ARGS__, ), TIDEGATE_SCOPE(__VA_ARGS__, __MEMORY_SCOPE_SYSTEM, )
#define __nv_atomic_load_n(at, ...) __scoped_atomic_load_n(at, TIDEGATE_HOW(__VA_ARGS__))
#define __nv_atomic_store_n(at, value, ...) __scoped_atomic_store_n(at, value, TIDEGATE_HOW(__VA_ARGS__))
#define __nv_atomic_exchange_n(at, value, ...) __scoped_atomic_exchange_n(at, value, TIDEGATE_HOW(__VA_ARGS__))
#define __nv_atomic_fetch_add(at, value, ...) __scoped_atomic_fetch_add(at, value, TIDEGATE_HOW(__VA_ARGS__))
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };

__device__ inline int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
__device__ inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
__device__ inline int __mulhi(int x, int y) { return (long long)x * y >> 32; }
__device__ inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned long long)x * y >> 32; }
__device__ inline unsigned __sad(int x, int y, unsigned z) { return z + (x < y ? (unsigned)y - x : (unsigned)x - y); }
__device__ inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
__device__ inline int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__device__ inline int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__device__ inline unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
__device__ inline unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }
__device__ inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return (((unsigned long long)high << 32 | low) << (by & 31)) >> 32;
}
__device__ inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return ((unsigned long long)high << 32 | low) >> (by & 31);
}
__device__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned which) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int at = 0; at < 4; at++) result |= (unsigned)(both >> (which >> 4 * at & 7) * 8 & 255) << 8 * at;
  return result;
}
#define CUDART_INF_F INFINITY
#define CUDART_INF INFINITY
#define CUDART_NAN_F NAN
#define CUDART_NAN NAN
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PIO2 1.5707963267948966
#define CUDART_PIO4_F 0.785398163f
#define CUDART_PIO4 0.78539816339744828
#define CUDART_2PI_F 6.283185307f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f
#define CUDART_LN2 0.69314718055994529
#define CUDART_TWO_TO_23_F 8388608.0f
#define CUDART_MAX_NORMAL_F 3.402823466e38f
