#pragma once
#define TIDEGATE_OF_HALF(name, operation)                                                          \
  __device__ inline __half __h##name(__half x, __half y) { return operation; }     \
  __device__ inline __half2 __h##name##2(__half2 one, __half2 other) {             \
    return {__h##name(one.x, other.x), __h##name(one.y, other.y)};                                 \
  }
TIDEGATE_OF_HALF(add, x + y)
TIDEGATE_OF_HALF(sub, x - y)
TIDEGATE_OF_HALF(mul, x * y)
TIDEGATE_OF_HALF(max, x > y ? x : y)
TIDEGATE_OF_HALF(min, x < y ? x : y)
__device__ inline __half __hfma(__half x, __half y, __half z) { return x * y + z; }
__device__ inline __half2 __hfma2(__half2 x, __half2 y, __half2 z) { return {x.x * y.x + z.x, x.y * y.y + z.y}; }
__device__ inline __half __float2half(float x) { return x; }
__device__ inline __half __float2half_rn(float x) { return x; }
__device__ inline float __half2float(__half x) { return x; }
__device__ inline __half2 __float2half2_rn(float x) { return {(__half)x, (__half)x}; }
__device__ inline __half2 __floats2half2_rn(float x, float y) { return {(__half)x, (__half)y}; }
__device__ inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__device__ inline __half2 __half2half2(__half x) { return {x, x}; }
__device__ inline __half __low2half(__half2 x) { return x.x; }
__device__ inline __half __high2half(__half2 x) { return x.y; }
__device__ inline float __low2float(__half2 x) { return x.x; }
__device__ inline float __high2float(__half2 x) { return x.y; }
__device__ inline float __bfloat162float(__nv_bfloat16 x) { return x; }
__device__ inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
