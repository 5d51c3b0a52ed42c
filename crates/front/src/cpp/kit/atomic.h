#pragma once
#include <cuda/copies>
#if defined(__NVPTX__)
namespace cuda {
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
// The built-in functions take an order that is constant.
#define TIDEGATE_ORDERED(call)                                                                     \
  switch (order) {                                                                                 \
  case memory_order_relaxed: call(__ATOMIC_RELAXED); break;                                        \
  case memory_order_consume:                                                                       \
  case memory_order_acquire: call(__ATOMIC_ACQUIRE); break;                                        \
  case memory_order_release: call(__ATOMIC_RELEASE); break;                                        \
  case memory_order_acq_rel: call(__ATOMIC_ACQ_REL); break;                                        \
  default: call(__ATOMIC_SEQ_CST); break;                                                          \
  }
// clang drops the scope for NVIDIA, and its prelude has functions for the scope of a block.
#ifndef TIDEGATE_SCOPED
#define TIDEGATE_SCOPED(in_block, call) call
#endif
#define TIDEGATE_BITS(value) __builtin_bit_cast(decltype(of_block<sizeof(T)>::load(at)), value)
#define TIDEGATE_LOAD(order)                                                                       \
  TIDEGATE_SCOPED(old = __builtin_bit_cast(T, of_block<sizeof(T)>::load(at)), old = __scoped_atomic_load_n(at, order, Scope))
#define TIDEGATE_STORE(order)                                                                      \
  TIDEGATE_SCOPED(of_block<sizeof(T)>::store(at, TIDEGATE_BITS(value)), __scoped_atomic_store_n(at, value, order, Scope))
#define TIDEGATE_CHANGE(function, order)                                                           \
  TIDEGATE_SCOPED(old = of_block<sizeof(T)>::exchange_as(at, value), old = function(at, value, order, Scope))
#define TIDEGATE_EXCHANGE(order) TIDEGATE_CHANGE(__scoped_atomic_exchange_n, order)
#define TIDEGATE_ADD(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_add, order)
#define TIDEGATE_SUB(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_sub, order)
#define TIDEGATE_AND(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_and, order)
#define TIDEGATE_OR(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_or, order)
#define TIDEGATE_XOR(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_xor, order)
#define TIDEGATE_MIN(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_min, order)
#define TIDEGATE_MAX(order) TIDEGATE_CHANGE(__scoped_atomic_fetch_max, order)
#define TIDEGATE_SWAP(order)                                                                       \
  TIDEGATE_SCOPED(equal = expected == of_block<sizeof(T)>::exchange_as(at, value),                 \
                  equal = __scoped_atomic_compare_exchange_n(at, &expected, value, false, order, __ATOMIC_RELAXED, Scope))
#define TIDEGATE_MODIFY(name, call)                                                                \
  __device__ T name(T value, memory_order order = memory_order_seq_cst) const {                    \
    T old;                                                                                         \
    TIDEGATE_ORDERED(call)                                                                         \
    return old;                                                                                    \
  }
template <class T, int Scope = thread_scope_system> struct atomic_ref {
  T *at;
  __device__ explicit atomic_ref(T &of) : at(&of) {}
  __device__ T load(memory_order order = memory_order_seq_cst) const {
    T old;
    TIDEGATE_ORDERED(TIDEGATE_LOAD)
    return old;
  }
  __device__ void store(T value, memory_order order = memory_order_seq_cst) const { TIDEGATE_ORDERED(TIDEGATE_STORE) }
  TIDEGATE_MODIFY(exchange, TIDEGATE_EXCHANGE)
  TIDEGATE_MODIFY(fetch_add, TIDEGATE_ADD)
  TIDEGATE_MODIFY(fetch_sub, TIDEGATE_SUB)
  TIDEGATE_MODIFY(fetch_and, TIDEGATE_AND)
  TIDEGATE_MODIFY(fetch_or, TIDEGATE_OR)
  TIDEGATE_MODIFY(fetch_xor, TIDEGATE_XOR)
  TIDEGATE_MODIFY(fetch_min, TIDEGATE_MIN)
  TIDEGATE_MODIFY(fetch_max, TIDEGATE_MAX)
  __device__ bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst) const {
    bool equal;
    TIDEGATE_ORDERED(TIDEGATE_SWAP)
    return equal;
  }
  __device__ bool compare_exchange_strong(T &expected, T value, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, value, order);
  }
  __device__ bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, order);
  }
  __device__ bool compare_exchange_weak(T &expected, T value, memory_order order, memory_order) const {
    return compare_exchange_strong(expected, value, order);
  }
  __device__ void wait(T old, memory_order order = memory_order_seq_cst) const { while (load(order) == old) {} }
  __device__ void notify_one() const {}
  __device__ void notify_all() const {}
#ifndef TIDEGATE_BUILT_IN
  __device__ operator T() const { return load(); }
  __device__ T operator=(T value) const { store(value); return value; }
  __device__ T operator++() const { return fetch_add(1) + 1; }
  __device__ T operator++(int) const { return fetch_add(1); }
  __device__ T operator--() const { return fetch_sub(1) - 1; }
  __device__ T operator--(int) const { return fetch_sub(1); }
  __device__ T operator+=(T value) const { return fetch_add(value) + value; }
  __device__ T operator-=(T value) const { return fetch_sub(value) - value; }
#endif
};
template <class T, int Scope = thread_scope_system> struct atomic {
  T own;
  __device__ atomic_ref<T, Scope> reference() { return atomic_ref<T, Scope>(own); }
  __device__ T load(memory_order order = memory_order_seq_cst) { return reference().load(order); }
  __device__ void store(T value, memory_order order = memory_order_seq_cst) { reference().store(value, order); }
  __device__ T exchange(T value, memory_order order = memory_order_seq_cst) { return reference().exchange(value, order); }
  __device__ T fetch_add(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_add(value, order); }
  __device__ T fetch_sub(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_sub(value, order); }
  __device__ T fetch_and(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_and(value, order); }
  __device__ T fetch_or(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_or(value, order); }
  __device__ T fetch_min(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_min(value, order); }
  __device__ T fetch_max(T value, memory_order order = memory_order_seq_cst) { return reference().fetch_max(value, order); }
  __device__ bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst) {
    return reference().compare_exchange_strong(expected, value, order);
  }
  __device__ void wait(T old, memory_order order = memory_order_seq_cst) { reference().wait(old, order); }
  __device__ void notify_one() {}
  __device__ void notify_all() {}
#ifndef TIDEGATE_BUILT_IN
  __device__ operator T() { return load(); }
  __device__ T operator=(T value) { store(value); return value; }
  __device__ T operator++() { return fetch_add(1) + 1; }
  __device__ T operator++(int) { return fetch_add(1); }
  __device__ T operator+=(T value) { return fetch_add(value) + value; }
#endif
};
__device__ inline void atomic_thread_fence(memory_order order, int scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  if (order == memory_order_seq_cst) {
    if (scope == thread_scope_system) asm volatile("fence.sc.sys;" ::: "memory");
    else if (scope == thread_scope_device) asm volatile("fence.sc.gpu;" ::: "memory");
    else asm volatile("fence.sc.cta;" ::: "memory");
  } else {
    if (scope == thread_scope_system) asm volatile("fence.acq_rel.sys;" ::: "memory");
    else if (scope == thread_scope_device) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    else asm volatile("fence.acq_rel.cta;" ::: "memory");
  }
}
}
#endif
