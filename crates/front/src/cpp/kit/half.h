#pragma once
// Both short types have functions of the same names.
#define TIDEGATE_OF_HALF(of, name, operation)                                                      \
  __device__ inline of __h##name(of x, of y) { return operation; }                                 \
  __device__ inline of##2 __h##name##2(of##2 one, of##2 other) {                                   \
    return {__h##name(one.x, other.x), __h##name(one.y, other.y)};                                 \
  }
#define TIDEGATE_COMPARED(of, name, op)                                                            \
  __device__ inline bool __h##name(of x, of y) { return x op y; }                                  \
  __device__ inline of##2 __h##name##2(of##2 one, of##2 other) {                                   \
    return {(of)(one.x op other.x), (of)(one.y op other.y)};                                       \
  }
#define TIDEGATE_DATA_OF_HALF(of, name)                                                            \
  TIDEGATE_DATA of h##name(of);                                                                    \
  __device__ inline of##2 h2##name(of##2 x) { return {h##name(x.x), h##name(x.y)}; }
#define TIDEGATE_OPERATORS_OF_HALF(of, op)                                                         \
  TIDEGATE_OPERATOR(of##2, of, op, (of##2{(of)(a.x op b.x), (of)(a.y op b.y)}), (of##2{(of)(a.x op b), (of)(a.y op b)}), (of##2{(of)(a op b.x), (of)(a op b.y)}))
#define TIDEGATE_HALF(of)                                                                          \
  TIDEGATE_OF_HALF(of, add, x + y)                                                                 \
  TIDEGATE_OF_HALF(of, sub, x - y)                                                                 \
  TIDEGATE_OF_HALF(of, mul, x * y)                                                                 \
  TIDEGATE_OF_HALF(of, div, x / y)                                                                 \
  TIDEGATE_OF_HALF(of, max, x > y ? x : y)                                                         \
  TIDEGATE_OF_HALF(of, min, x < y ? x : y)                                                         \
  TIDEGATE_COMPARED(of, eq, ==)                                                                    \
  TIDEGATE_COMPARED(of, ne, !=)                                                                    \
  TIDEGATE_COMPARED(of, lt, <)                                                                     \
  TIDEGATE_COMPARED(of, le, <=)                                                                    \
  TIDEGATE_COMPARED(of, gt, >)                                                                     \
  TIDEGATE_COMPARED(of, ge, >=)                                                                    \
  TIDEGATE_DATA_OF_HALF(of, exp)                                                                   \
  TIDEGATE_DATA_OF_HALF(of, exp2)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, exp10)                                                                 \
  TIDEGATE_DATA_OF_HALF(of, log)                                                                   \
  TIDEGATE_DATA_OF_HALF(of, log2)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, log10)                                                                 \
  TIDEGATE_DATA_OF_HALF(of, sqrt)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, rsqrt)                                                                 \
  TIDEGATE_DATA_OF_HALF(of, rcp)                                                                   \
  TIDEGATE_DATA_OF_HALF(of, sin)                                                                   \
  TIDEGATE_DATA_OF_HALF(of, cos)                                                                   \
  TIDEGATE_DATA_OF_HALF(of, tanh)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, floor)                                                                 \
  TIDEGATE_DATA_OF_HALF(of, ceil)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, rint)                                                                  \
  TIDEGATE_DATA_OF_HALF(of, trunc)                                                                 \
  __device__ inline of __hneg(of x) { return -x; }                                                 \
  __device__ inline of __habs(of x) { return x < (of)0.0f ? -x : x; }                              \
  __device__ inline of##2 __hneg2(of##2 x) { return {-x.x, -x.y}; }                                \
  __device__ inline of##2 __habs2(of##2 x) { return {__habs(x.x), __habs(x.y)}; }                  \
  __device__ inline bool __hisnan(of x) { return x != x; }                                         \
  __device__ inline of __hfma(of x, of y, of z) { return x * y + z; }                              \
  __device__ inline of##2 __hfma2(of##2 x, of##2 y, of##2 z) { return {(of)(x.x * y.x + z.x), (of)(x.y * y.y + z.y)}; }
TIDEGATE_HALF(__half)
// The built-in compiler has one type for both.
#ifndef TIDEGATE_BUILT_IN
TIDEGATE_HALF(__nv_bfloat16)
#include <tidegate/operators>
TIDEGATE_OPERATORS_OF_HALF(__half, +)
TIDEGATE_OPERATORS_OF_HALF(__half, -)
TIDEGATE_OPERATORS_OF_HALF(__half, *)
TIDEGATE_OPERATORS_OF_HALF(__half, /)
TIDEGATE_OPERATORS_OF_HALF(__nv_bfloat16, +)
TIDEGATE_OPERATORS_OF_HALF(__nv_bfloat16, -)
TIDEGATE_OPERATORS_OF_HALF(__nv_bfloat16, *)
TIDEGATE_OPERATORS_OF_HALF(__nv_bfloat16, /)
#endif
#define TIDEGATE_CONVERTED(to, from, name) __host__ __device__ inline to name(from x) { return x; }
TIDEGATE_CONVERTED(__half, float, __float2half)
TIDEGATE_CONVERTED(__half, float, __float2half_rn)
TIDEGATE_CONVERTED(__half, float, __float2half_rz)
TIDEGATE_CONVERTED(__half, float, __float2half_rd)
TIDEGATE_CONVERTED(__half, float, __float2half_ru)
TIDEGATE_CONVERTED(__half, double, __double2half)
TIDEGATE_CONVERTED(float, __half, __half2float)
TIDEGATE_CONVERTED(__half, int, __int2half_rn)
TIDEGATE_CONVERTED(__half, unsigned, __uint2half_rn)
TIDEGATE_CONVERTED(__nv_bfloat16, float, __float2bfloat16)
TIDEGATE_CONVERTED(__nv_bfloat16, float, __float2bfloat16_rn)
TIDEGATE_CONVERTED(__nv_bfloat16, double, __double2bfloat16)
TIDEGATE_CONVERTED(float, __nv_bfloat16, __bfloat162float)
TIDEGATE_CONVERTED(__nv_bfloat16, int, __int2bfloat16_rn)
TIDEGATE_DATA int __half2int_rn(__half);
TIDEGATE_DATA int __half2int_rz(__half);
TIDEGATE_DATA unsigned __half2uint_rn(__half);
TIDEGATE_DATA int __bfloat162int_rn(__nv_bfloat16);
TIDEGATE_DATA unsigned short __half_as_ushort(__half);
TIDEGATE_DATA short __half_as_short(__half);
TIDEGATE_DATA __half __ushort_as_half(unsigned short);
TIDEGATE_DATA __half __short_as_half(short);
TIDEGATE_DATA unsigned short __bfloat16_as_ushort(__nv_bfloat16);
TIDEGATE_DATA __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
__host__ __device__ inline __half2 __float2half2_rn(float x) { return {(__half)x, (__half)x}; }
__host__ __device__ inline __half2 __floats2half2_rn(float x, float y) { return {(__half)x, (__half)y}; }
__host__ __device__ inline __half2 __float22half2_rn(float2 x) { return {(__half)x.x, (__half)x.y}; }
__host__ __device__ inline float2 __half22float2(__half2 x) { return {(float)x.x, (float)x.y}; }
__host__ __device__ inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__host__ __device__ inline __half2 make_half2(__half x, __half y) { return {x, y}; }
__host__ __device__ inline __half2 __half2half2(__half x) { return {x, x}; }
__host__ __device__ inline __half __low2half(__half2 x) { return x.x; }
__host__ __device__ inline __half __high2half(__half2 x) { return x.y; }
__host__ __device__ inline __half2 __low2half2(__half2 x) { return {x.x, x.x}; }
__host__ __device__ inline __half2 __high2half2(__half2 x) { return {x.y, x.y}; }
__host__ __device__ inline float __low2float(__half2 x) { return x.x; }
__host__ __device__ inline float __high2float(__half2 x) { return x.y; }
__host__ __device__ inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {(__nv_bfloat16)x, (__nv_bfloat16)x}; }
__host__ __device__ inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {(__nv_bfloat16)x, (__nv_bfloat16)y}; }
__host__ __device__ inline __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {(__nv_bfloat16)x.x, (__nv_bfloat16)x.y}; }
__host__ __device__ inline float2 __bfloat1622float2(__nv_bfloat162 x) { return {(float)x.x, (float)x.y}; }
__host__ __device__ inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__host__ __device__ inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
__host__ __device__ inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) { return x.x; }
__host__ __device__ inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) { return x.y; }
