// Functions of mathematics. Their results are data, and so are those of integers, which C++ converts to `double`.
#pragma once
#define TIDEGATE_WHOLE(name) template <class T> static __forceinline__ __device__ double name(T x) { return name((double)x); }
#define TIDEGATE_OF_ONE(name, what)                                                                \
  static __forceinline__ __device__ float name(float x) { return __builtin_elementwise_##what(x); } \
  static __forceinline__ __device__ double name(double x) { return __builtin_elementwise_##what(x); } \
  static __forceinline__ __device__ float name##f(float x) { return __builtin_elementwise_##what(x); } \
  TIDEGATE_WHOLE(name)
TIDEGATE_OF_ONE(exp, exp)
TIDEGATE_OF_ONE(exp2, exp2)
TIDEGATE_OF_ONE(log, log)
TIDEGATE_OF_ONE(log2, log2)
TIDEGATE_OF_ONE(log10, log10)
TIDEGATE_OF_ONE(sqrt, sqrt)
TIDEGATE_OF_ONE(fabs, abs)
TIDEGATE_OF_ONE(floor, floor)
TIDEGATE_OF_ONE(ceil, ceil)
TIDEGATE_OF_ONE(rint, rint)
TIDEGATE_OF_ONE(nearbyint, nearbyint)
TIDEGATE_OF_ONE(round, round)
TIDEGATE_OF_ONE(trunc, trunc)
TIDEGATE_OF_ONE(sin, sin)
TIDEGATE_OF_ONE(cos, cos)
TIDEGATE_OF_ONE(tan, tan)
TIDEGATE_OF_ONE(tanh, tanh)
#define TIDEGATE_DATA_OF_ONE(name)                                                                 \
  TIDEGATE_DATA float name(float);                                                                 \
  TIDEGATE_DATA double name(double);                                                               \
  TIDEGATE_DATA float name##f(float);                                                              \
  TIDEGATE_WHOLE(name)
TIDEGATE_DATA_OF_ONE(exp10)
TIDEGATE_DATA_OF_ONE(expm1)
TIDEGATE_DATA_OF_ONE(log1p)
TIDEGATE_DATA_OF_ONE(logb)
TIDEGATE_DATA_OF_ONE(asin)
TIDEGATE_DATA_OF_ONE(acos)
TIDEGATE_DATA_OF_ONE(atan)
TIDEGATE_DATA_OF_ONE(sinh)
TIDEGATE_DATA_OF_ONE(cosh)
TIDEGATE_DATA_OF_ONE(asinh)
TIDEGATE_DATA_OF_ONE(acosh)
TIDEGATE_DATA_OF_ONE(atanh)
TIDEGATE_DATA_OF_ONE(sinpi)
TIDEGATE_DATA_OF_ONE(cospi)
TIDEGATE_DATA_OF_ONE(cbrt)
TIDEGATE_DATA_OF_ONE(rcbrt)
TIDEGATE_DATA_OF_ONE(erf)
TIDEGATE_DATA_OF_ONE(erfc)
TIDEGATE_DATA_OF_ONE(erfinv)
TIDEGATE_DATA_OF_ONE(erfcinv)
TIDEGATE_DATA_OF_ONE(erfcx)
TIDEGATE_DATA_OF_ONE(normcdf)
TIDEGATE_DATA_OF_ONE(normcdfinv)
TIDEGATE_DATA_OF_ONE(tgamma)
TIDEGATE_DATA_OF_ONE(lgamma)
TIDEGATE_DATA_OF_ONE(j0)
TIDEGATE_DATA_OF_ONE(j1)
TIDEGATE_DATA_OF_ONE(y0)
TIDEGATE_DATA_OF_ONE(y1)
#define TIDEGATE_WHOLE_2(name)                                                                     \
  template <class T, class U> static __forceinline__ __device__ double name(T x, U y) { return name((double)x, (double)y); }
#define TIDEGATE_OF_TWO(name, what)                                                                \
  static __forceinline__ __device__ float name(float x, float y) { return __builtin_elementwise_##what(x, y); } \
  static __forceinline__ __device__ double name(double x, double y) { return __builtin_elementwise_##what(x, y); } \
  static __forceinline__ __device__ float name##f(float x, float y) { return __builtin_elementwise_##what(x, y); } \
  TIDEGATE_WHOLE_2(name)
TIDEGATE_OF_TWO(fmax, max)
TIDEGATE_OF_TWO(fmin, min)
TIDEGATE_OF_TWO(pow, pow)
#define TIDEGATE_DATA_OF_TWO(name)                                                                 \
  TIDEGATE_DATA float name(float, float);                                                          \
  TIDEGATE_DATA double name(double, double);                                                       \
  TIDEGATE_DATA float name##f(float, float);                                                       \
  TIDEGATE_WHOLE_2(name)
TIDEGATE_DATA_OF_TWO(atan2)
TIDEGATE_DATA_OF_TWO(fmod)
TIDEGATE_DATA_OF_TWO(remainder)
TIDEGATE_DATA_OF_TWO(fdim)
TIDEGATE_DATA_OF_TWO(hypot)
TIDEGATE_DATA_OF_TWO(rhypot)
TIDEGATE_DATA_OF_TWO(copysign)
TIDEGATE_DATA_OF_TWO(nextafter)
TIDEGATE_DATA_OF_TWO(fdivide)
#define TIDEGATE_SCALED(name)                                                                      \
  TIDEGATE_DATA float name(float, int);                                                            \
  TIDEGATE_DATA double name(double, int);                                                          \
  TIDEGATE_DATA float name##f(float, int);
TIDEGATE_SCALED(ldexp)
TIDEGATE_SCALED(scalbn)
TIDEGATE_SCALED(powi)
#define TIDEGATE_ROUNDED(of, name)                                                                 \
  TIDEGATE_DATA of name(float);                                                                    \
  TIDEGATE_DATA of name(double);                                                                   \
  TIDEGATE_DATA of name##f(float);
TIDEGATE_ROUNDED(long, lrint)
TIDEGATE_ROUNDED(long, lround)
TIDEGATE_ROUNDED(long long, llrint)
TIDEGATE_ROUNDED(long long, llround)
TIDEGATE_ROUNDED(int, ilogb)
TIDEGATE_ROUNDED(bool, isnan)
TIDEGATE_ROUNDED(bool, isinf)
TIDEGATE_ROUNDED(bool, isfinite)
TIDEGATE_ROUNDED(bool, signbit)
#define TIDEGATE_QUICK(name, what)                                                                 \
  static __forceinline__ __device__ float __##name(float x) { return __builtin_elementwise_##what(x); }
TIDEGATE_QUICK(expf, exp)
TIDEGATE_QUICK(logf, log)
TIDEGATE_QUICK(log2f, log2)
TIDEGATE_QUICK(log10f, log10)
TIDEGATE_QUICK(sinf, sin)
TIDEGATE_QUICK(cosf, cos)
TIDEGATE_QUICK(tanf, tan)
TIDEGATE_DATA float __exp10f(float);
TIDEGATE_DATA float __powf(float, float);
TIDEGATE_DATA float __saturatef(float);
TIDEGATE_DATA float saturate(float);
TIDEGATE_DATA float norm3df(float, float, float);
TIDEGATE_DATA double norm3d(double, double, double);
TIDEGATE_DATA float rnorm3df(float, float, float);
TIDEGATE_DATA int __double2hiint(double);
TIDEGATE_DATA int __double2loint(double);
TIDEGATE_DATA double __hiloint2double(int, int);
static __forceinline__ __host__ __device__ float rsqrtf(float x) { return 1 / __builtin_elementwise_sqrt(x); }
static __forceinline__ __host__ __device__ float rsqrt(float x) { return rsqrtf(x); }
static __forceinline__ __host__ __device__ double rsqrt(double x) { return 1 / __builtin_elementwise_sqrt(x); }
TIDEGATE_WHOLE(rsqrt)
static __forceinline__ __device__ float __fdividef(float x, float y) { return x / y; }
static __forceinline__ __device__ float fmaf(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
static __forceinline__ __device__ float fma(float x, float y, float z) { return fmaf(x, y, z); }
static __forceinline__ __device__ double fma(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
// With the ways of rounding.
#define TIDEGATE_WAYS(way)                                                                         \
  static __forceinline__ __device__ float __fadd_##way(float x, float y) { return x + y; }         \
  static __forceinline__ __device__ float __fsub_##way(float x, float y) { return x - y; }         \
  static __forceinline__ __device__ float __fmul_##way(float x, float y) { return x * y; }         \
  static __forceinline__ __device__ float __fdiv_##way(float x, float y) { return x / y; }         \
  static __forceinline__ __device__ float __fmaf_##way(float x, float y, float z) { return fmaf(x, y, z); } \
  static __forceinline__ __device__ float __frcp_##way(float x) { return 1 / x; }                  \
  static __forceinline__ __device__ float __fsqrt_##way(float x) { return sqrtf(x); }              \
  static __forceinline__ __device__ double __dadd_##way(double x, double y) { return x + y; }      \
  static __forceinline__ __device__ double __dsub_##way(double x, double y) { return x - y; }      \
  static __forceinline__ __device__ double __dmul_##way(double x, double y) { return x * y; }      \
  static __forceinline__ __device__ double __ddiv_##way(double x, double y) { return x / y; }      \
  static __forceinline__ __device__ double __fma_##way(double x, double y, double z) { return fma(x, y, z); } \
  static __forceinline__ __device__ double __drcp_##way(double x) { return 1 / x; }                \
  static __forceinline__ __device__ double __dsqrt_##way(double x) { return sqrt(x); }             \
  TIDEGATE_DATA int __float2int_##way(float);                                                      \
  TIDEGATE_DATA unsigned __float2uint_##way(float);                                                \
  TIDEGATE_DATA long long __float2ll_##way(float);                                                 \
  TIDEGATE_DATA unsigned long long __float2ull_##way(float);                                       \
  TIDEGATE_DATA int __double2int_##way(double);                                                    \
  TIDEGATE_DATA unsigned __double2uint_##way(double);                                              \
  TIDEGATE_DATA long long __double2ll_##way(double);                                               \
  TIDEGATE_DATA unsigned long long __double2ull_##way(double);                                     \
  static __forceinline__ __device__ float __double2float_##way(double x) { return x; }             \
  static __forceinline__ __device__ float __int2float_##way(int x) { return x; }                   \
  static __forceinline__ __device__ float __uint2float_##way(unsigned x) { return x; }             \
  static __forceinline__ __device__ float __ll2float_##way(long long x) { return x; }              \
  static __forceinline__ __device__ float __ull2float_##way(unsigned long long x) { return x; }    \
  static __forceinline__ __device__ double __int2double_##way(int x) { return x; }                 \
  static __forceinline__ __device__ double __uint2double_##way(unsigned x) { return x; }           \
  static __forceinline__ __device__ double __ll2double_##way(long long x) { return x; }
TIDEGATE_WAYS(rn)
TIDEGATE_WAYS(rz)
TIDEGATE_WAYS(ru)
TIDEGATE_WAYS(rd)
static __forceinline__ __device__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
static __forceinline__ __device__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
static __forceinline__ __device__ int abs(int x) { return x < 0 ? -x : x; }
static __forceinline__ __device__ long abs(long x) { return x < 0 ? -x : x; }
static __forceinline__ __device__ long long abs(long long x) { return x < 0 ? -x : x; }
static __forceinline__ __device__ long labs(long x) { return abs(x); }
static __forceinline__ __device__ long long llabs(long long x) { return abs(x); }
static __forceinline__ __device__ float abs(float x) { return fabs(x); }
static __forceinline__ __device__ double abs(double x) { return fabs(x); }
// Functions with a second result, which is data too.
#define TIDEGATE_PARTS(of, suffix, name)                                                           \
  TIDEGATE_DATA of tidegate_##name(of);                                                            \
  TIDEGATE_DATA int tidegate_of_##name(of);                                                        \
  static __forceinline__ __device__ of frexp##suffix(of x, int *power) { *power = tidegate_of_##name(x); return tidegate_##name(x); } \
  static __forceinline__ __device__ of modf##suffix(of x, of *whole) { *whole = trunc(x); return x - *whole; } \
  static __forceinline__ __device__ of remquo##suffix(of x, of y, int *part) { *part = tidegate_of_##name(x / y); return remainder(x, y); } \
  static __forceinline__ __device__ void sincos##suffix(of x, of *one, of *other) { *one = sin(x); *other = cos(x); } \
  static __forceinline__ __device__ void sincospi##suffix(of x, of *one, of *other) { *one = sinpi(x); *other = cospi(x); }
TIDEGATE_PARTS(double, , double)
TIDEGATE_PARTS(float, f, float)
static __forceinline__ __device__ float frexp(float x, int *power) { return frexpf(x, power); }
static __forceinline__ __device__ float modf(float x, float *whole) { return modff(x, whole); }
static __forceinline__ __device__ void sincos(float x, float *one, float *other) { sincosf(x, one, other); }
static __forceinline__ __device__ void __sincosf(float x, float *one, float *other) { sincosf(x, one, other); }
