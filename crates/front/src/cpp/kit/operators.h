#pragma once
#include <tidegate/cuda>
#define TIDEGATE_MADE __host__ __device__ inline
// The built-in compiler has operators of vectors, element by element.
#ifndef TIDEGATE_BUILT_IN
#define TIDEGATE_OPERATOR(of, base, op, both, left, right)             \
  TIDEGATE_MADE of operator op(of a, of b) { return both; }            \
  TIDEGATE_MADE of operator op(of a, base b) { return left; }          \
  TIDEGATE_MADE of operator op(base a, of b) { return right; }         \
  TIDEGATE_MADE void operator op##=(of &a, of b) { a = a op b; }       \
  TIDEGATE_MADE void operator op##=(of &a, base b) { a = a op b; }
#define TIDEGATE_OPERATOR_2(name, base, op) \
  TIDEGATE_OPERATOR(name##2, base, op, (name##2{a.x op b.x, a.y op b.y}), (name##2{a.x op b, a.y op b}), (name##2{a op b.x, a op b.y}))
#define TIDEGATE_OPERATOR_3(name, base, op)                                                   \
  TIDEGATE_OPERATOR(name##3, base, op, (name##3{a.x op b.x, a.y op b.y, a.z op b.z}),         \
                    (name##3{a.x op b, a.y op b, a.z op b}), (name##3{a op b.x, a op b.y, a op b.z}))
#define TIDEGATE_OPERATOR_4(name, base, op)                                                            \
  TIDEGATE_OPERATOR(name##4, base, op, (name##4{a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w}),      \
                    (name##4{a.x op b, a.y op b, a.z op b, a.w op b}), (name##4{a op b.x, a op b.y, a op b.z, a op b.w}))
#define TIDEGATE_OPERATORS(name, base, op) \
  TIDEGATE_OPERATOR_2(name, base, op) TIDEGATE_OPERATOR_3(name, base, op) TIDEGATE_OPERATOR_4(name, base, op)
#define TIDEGATE_ARITHMETIC(name, base) \
  TIDEGATE_OPERATORS(name, base, +) TIDEGATE_OPERATORS(name, base, -) TIDEGATE_OPERATORS(name, base, *) TIDEGATE_OPERATORS(name, base, /)
TIDEGATE_ARITHMETIC(float, float)
TIDEGATE_ARITHMETIC(double, double)
TIDEGATE_ARITHMETIC(int, int)
TIDEGATE_ARITHMETIC(uint, unsigned)
#define TIDEGATE_NEGATION(name)                                                                  \
  TIDEGATE_MADE name##2 operator-(name##2 a) { return {-a.x, -a.y}; }                            \
  TIDEGATE_MADE name##3 operator-(name##3 a) { return {-a.x, -a.y, -a.z}; }                      \
  TIDEGATE_MADE name##4 operator-(name##4 a) { return {-a.x, -a.y, -a.z, -a.w}; }
TIDEGATE_NEGATION(float)
TIDEGATE_NEGATION(double)
TIDEGATE_NEGATION(int)
#endif
#define TIDEGATE_CONVERSIONS(name, base)                                                          \
  TIDEGATE_MADE name##2 make_##name##2(base s) { return {s, s}; }                                 \
  TIDEGATE_MADE name##2 make_##name##2(name##3 a) { return {a.x, a.y}; }                          \
  TIDEGATE_MADE name##2 make_##name##2(name##4 a) { return {a.x, a.y}; }                          \
  TIDEGATE_MADE name##3 make_##name##3(base s) { return {s, s, s}; }                              \
  TIDEGATE_MADE name##3 make_##name##3(name##2 a) { return {a.x, a.y, 0}; }                       \
  TIDEGATE_MADE name##3 make_##name##3(name##2 a, base s) { return {a.x, a.y, s}; }               \
  TIDEGATE_MADE name##3 make_##name##3(name##4 a) { return {a.x, a.y, a.z}; }                     \
  TIDEGATE_MADE name##4 make_##name##4(base s) { return {s, s, s, s}; }                           \
  TIDEGATE_MADE name##4 make_##name##4(name##3 a) { return {a.x, a.y, a.z, 0}; }                  \
  TIDEGATE_MADE name##4 make_##name##4(name##3 a, base s) { return {a.x, a.y, a.z, s}; }
TIDEGATE_CONVERSIONS(float, float)
TIDEGATE_CONVERSIONS(int, int)
TIDEGATE_CONVERSIONS(uint, unsigned)
#define TIDEGATE_FROM(to, base, from)                                                                       \
  TIDEGATE_MADE to##2 make_##to##2(from##2 a) { return {(base)a.x, (base)a.y}; }                            \
  TIDEGATE_MADE to##3 make_##to##3(from##3 a) { return {(base)a.x, (base)a.y, (base)a.z}; }                 \
  TIDEGATE_MADE to##4 make_##to##4(from##4 a) { return {(base)a.x, (base)a.y, (base)a.z, (base)a.w}; }
TIDEGATE_FROM(float, float, int)
TIDEGATE_FROM(float, float, uint)
TIDEGATE_FROM(int, int, float)
TIDEGATE_FROM(int, int, uint)
TIDEGATE_FROM(uint, unsigned, int)
