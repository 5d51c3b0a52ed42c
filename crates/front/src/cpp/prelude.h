#define TIDEGATE_BUILT_IN 1
#define __CUDACC__ 1
#define __clang__ 1
#define __cplusplus 201703
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __HIP_MEMORY_SCOPE_CLUSTER 6
#define __MEMORY_SCOPE_SYSTEM 0
#define __MEMORY_SCOPE_DEVICE 1
#define __MEMORY_SCOPE_WRKGRP 2
#define __MEMORY_SCOPE_WVFRNT 3
#define __MEMORY_SCOPE_SINGLE 4
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.4e38f
#define FLT_MIN 1.2e-38f
#define FLT_EPSILON 1.2e-7f
#define DBL_MAX 1.8e308
#define INFINITY 1e999f
#define NAN 1e999f
#define M_PI 3.14159265358979323846
#define NULL nullptr
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
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long clock_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef _Float16 half;
typedef _Float16 __half;
typedef _Float16 __nv_bfloat16;
typedef _Float16 __hip_bfloat16;
#include <tidegate/cuda>
struct __half2 { __half x, y; };
typedef __half2 half2;
typedef __half2 __nv_bfloat162;
typedef __half2 __hip_bfloat162;
typedef __half2 nv_bfloat162;
typedef __half nv_bfloat16;
#define TIDEGATE_LIMITS(of, least, most)       \
  __device__ static of min() { return least; } \
  __device__ static of lowest() { return least; } \
  __device__ static of max() { return most; }
namespace std {
// Those of a floating-point type are data.
template <class T> struct numeric_limits {
  TIDEGATE_LIMITS(T, 0, 0)
  __device__ static T infinity() { return 0; }
  __device__ static T epsilon() { return 0; }
  __device__ static T quiet_NaN() { return 0; }
};
#define TIDEGATE_LIMITED(of, least, most) template <> struct numeric_limits<of> { TIDEGATE_LIMITS(of, least, most) };
TIDEGATE_LIMITED(char, -128, 127)
TIDEGATE_LIMITED(signed char, -128, 127)
TIDEGATE_LIMITED(unsigned char, 0, 255)
TIDEGATE_LIMITED(short, -32768, 32767)
TIDEGATE_LIMITED(unsigned short, 0, 65535)
TIDEGATE_LIMITED(int, INT_MIN, INT_MAX)
TIDEGATE_LIMITED(unsigned, 0, UINT_MAX)
TIDEGATE_LIMITED(long, -9223372036854775807 - 1, 9223372036854775807)
TIDEGATE_LIMITED(unsigned long, 0, 18446744073709551615u)
TIDEGATE_LIMITED(long long, -9223372036854775807 - 1, 9223372036854775807)
TIDEGATE_LIMITED(unsigned long long, 0, 18446744073709551615u)
}
struct CUtensorMap { unsigned long long opaque[16]; };
struct dim3 {
  unsigned x, y, z;
  __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
