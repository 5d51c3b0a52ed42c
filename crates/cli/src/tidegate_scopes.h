#pragma once
namespace cuda {
// clang drops the scope of its atomic functions for NVIDIA. These have the scope of a CTA. They read data, so which
// operation an atomic read and write is does not matter.
template <size_t Bytes> struct of_block;
#define TIDEGATE_OF_BLOCK(bytes, word, kind, letter)                                               \
  template <> struct of_block<bytes> {                                                             \
    static __device__ inline word load(const void *at) {                                           \
      word old;                                                                                    \
      asm volatile("ld.relaxed.cta." kind " %0, [%1];" : "=" letter(old) : "l"(at) : "memory");    \
      return old;                                                                                  \
    }                                                                                              \
    static __device__ inline void store(void *at, word value) {                                    \
      asm volatile("st.relaxed.cta." kind " [%0], %1;" :: "l"(at), letter(value) : "memory");      \
    }                                                                                              \
    static __device__ inline word exchange(void *at, word value) {                                 \
      word old;                                                                                    \
      asm volatile("atom.relaxed.cta.exch." kind " %0, [%1], %2;" : "=" letter(old) : "l"(at), letter(value) : "memory"); \
      return old;                                                                                  \
    }                                                                                              \
    template <class T> static __device__ inline T exchange_as(T *at, T value) {                    \
      return __builtin_bit_cast(T, exchange(at, __builtin_bit_cast(word, value)));                 \
    }                                                                                              \
  };
TIDEGATE_OF_BLOCK(2, unsigned short, "b16", "h")
TIDEGATE_OF_BLOCK(4, unsigned, "b32", "r")
TIDEGATE_OF_BLOCK(8, unsigned long long, "b64", "l")
}
#define TIDEGATE_SCOPED(in_block, call)                                                            \
  if constexpr (Scope >= thread_scope_block && sizeof(T) > 1) in_block;                            \
  else call
