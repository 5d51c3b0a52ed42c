#pragma once
#include <tidegate/operators>
#define TIDEGATE_OF_VECTORS(name, base)                                                                         \
  TIDEGATE_MADE base dot(name##2 a, name##2 b) { return a.x * b.x + a.y * b.y; }                                \
  TIDEGATE_MADE base dot(name##3 a, name##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                    \
  TIDEGATE_MADE base dot(name##4 a, name##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }        \
  TIDEGATE_MADE base clamp(base f, base a, base b) { return f < a ? a : f > b ? b : f; }                        \
  TIDEGATE_MADE name##2 clamp(name##2 v, base a, base b) { return {clamp(v.x, a, b), clamp(v.y, a, b)}; }       \
  TIDEGATE_MADE name##3 clamp(name##3 v, base a, base b) { return {clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b)}; } \
  TIDEGATE_MADE name##4 clamp(name##4 v, base a, base b) { return {clamp(v.x, a, b), clamp(v.y, a, b), clamp(v.z, a, b), clamp(v.w, a, b)}; } \
  TIDEGATE_MADE name##3 clamp(name##3 v, name##3 a, name##3 b) { return {clamp(v.x, a.x, b.x), clamp(v.y, a.y, b.y), clamp(v.z, a.z, b.z)}; }
TIDEGATE_OF_VECTORS(float, float)
TIDEGATE_OF_VECTORS(int, int)
TIDEGATE_OF_VECTORS(uint, unsigned)
TIDEGATE_MADE float lerp(float a, float b, float t) { return a + t * (b - a); }
#define TIDEGATE_OF_FLOATS(of, each, with)                                                        \
  TIDEGATE_MADE of lerp(of a, of b, float t) { return a + t * (b - a); }                          \
  __device__ inline float length(of v) { return sqrtf(dot(v, v)); }                               \
  __device__ inline of normalize(of v) { return v * rsqrtf(dot(v, v)); }                          \
  __device__ inline of reflect(of i, of n) { return i - 2.0f * n * dot(n, i); }                   \
  __device__ inline of floorf(of v) { return each(floorf); }                                      \
  __device__ inline of fabs(of v) { return each(fabsf); }                                         \
  __device__ inline of fminf(of a, of b) { return with(fminf); }                                  \
  __device__ inline of fmaxf(of a, of b) { return with(fmaxf); }
#define TIDEGATE_EACH_2(name) {name(v.x), name(v.y)}
#define TIDEGATE_EACH_3(name) {name(v.x), name(v.y), name(v.z)}
#define TIDEGATE_EACH_4(name) {name(v.x), name(v.y), name(v.z), name(v.w)}
#define TIDEGATE_WITH_2(name) {name(a.x, b.x), name(a.y, b.y)}
#define TIDEGATE_WITH_3(name) {name(a.x, b.x), name(a.y, b.y), name(a.z, b.z)}
#define TIDEGATE_WITH_4(name) {name(a.x, b.x), name(a.y, b.y), name(a.z, b.z), name(a.w, b.w)}
TIDEGATE_OF_FLOATS(float2, TIDEGATE_EACH_2, TIDEGATE_WITH_2)
TIDEGATE_OF_FLOATS(float3, TIDEGATE_EACH_3, TIDEGATE_WITH_3)
TIDEGATE_OF_FLOATS(float4, TIDEGATE_EACH_4, TIDEGATE_WITH_4)
TIDEGATE_MADE float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
