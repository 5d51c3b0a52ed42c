#pragma once
#include <tidegate/cuda>
// Each number reads and changes the state of its generator. What a state holds is data.
TIDEGATE_DATA unsigned tidegate_next(unsigned word);
TIDEGATE_DATA unsigned long long tidegate_next(unsigned long long word);
TIDEGATE_DATA unsigned tidegate_seed(unsigned long long seed, unsigned long long sequence, unsigned long long offset);
#define TIDEGATE_GENERATOR(type, words)                                                            \
  struct type { unsigned word[words]; };                                                           \
  typedef type type##_t;                                                                           \
  __device__ inline unsigned curand(type *state) {                                                 \
    state->word[0] = tidegate_next(state->word[0]);                                                \
    return tidegate_next(state->word[0]);                                                          \
  }                                                                                                \
  __device__ inline void skipahead(unsigned long long count, type *state) { curand(state); }       \
  __device__ inline void skipahead_sequence(unsigned long long count, type *state) { curand(state); } \
  __device__ inline void skipahead_subsequence(unsigned long long count, type *state) { curand(state); }
#define TIDEGATE_SEEDED(type, words)                                                               \
  TIDEGATE_GENERATOR(type, words)                                                                  \
  __device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,         \
                                     unsigned long long offset, type *state) {                     \
    for (int at = 0; at < words; at++) state->word[at] = tidegate_seed(seed + at, sequence, offset); \
  }
TIDEGATE_SEEDED(curandStateXORWOW, 12)
TIDEGATE_SEEDED(curandStateMRG32k3a, 12)
TIDEGATE_SEEDED(curandStatePhilox4_32_10, 16)
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef unsigned curandDirectionVectors32_t[32];
#define TIDEGATE_DIRECTED(type, ...)                                                               \
  TIDEGATE_GENERATOR(type, 35)                                                                     \
  __device__ inline void curand_init(__VA_ARGS__, unsigned offset, type *state) {                  \
    for (int at = 0; at < 32; at++) state->word[at] = tidegate_next(vectors[at]);                  \
  }
TIDEGATE_DIRECTED(curandStateSobol32, unsigned *vectors)
TIDEGATE_DIRECTED(curandStateScrambledSobol32, unsigned *vectors, unsigned scramble)

// All threads of a block share a state, and each has a word of it. There are 256 such words.
struct curandStateMtgp32 { unsigned word[256], offset; void *parameters; };
typedef curandStateMtgp32 curandStateMtgp32_t;
__device__ inline unsigned curand(curandStateMtgp32 *state) {
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned next = tidegate_next(state->word[thread % 256]);
  state->word[thread % 256] = next;
  __syncthreads();
  if (thread == 0) state->offset = tidegate_next(state->offset);
  __syncthreads();
  return tidegate_next(next);
}

template <class State> __device__ uint4 curand4(State *state) { return {curand(state), curand(state), curand(state), curand(state)}; }
template <class State> __device__ float curand_uniform(State *state) { return curand(state); }
template <class State> __device__ double curand_uniform_double(State *state) { return curand(state); }
template <class State> __device__ double2 curand_uniform2_double(State *state) { return {(double)curand(state), (double)curand(state)}; }
template <class State> __device__ float4 curand_uniform4(State *state) { return {(float)curand(state), (float)curand(state), (float)curand(state), (float)curand(state)}; }
template <class State> __device__ float curand_normal(State *state) { return curand(state); }
template <class State> __device__ double curand_normal_double(State *state) { return curand(state); }
template <class State> __device__ float2 curand_normal2(State *state) { return {(float)curand(state), (float)curand(state)}; }
template <class State> __device__ double2 curand_normal2_double(State *state) { return curand_uniform2_double(state); }
template <class State> __device__ float4 curand_normal4(State *state) { return curand_uniform4(state); }
template <class State> __device__ float curand_log_normal(State *state, float mean, float deviation) { return curand(state); }
template <class State> __device__ double curand_log_normal_double(State *state, double mean, double deviation) { return curand(state); }
template <class State> __device__ float2 curand_log_normal2(State *state, float mean, float deviation) { return curand_normal2(state); }
template <class State> __device__ float4 curand_log_normal4(State *state, float mean, float deviation) { return curand_uniform4(state); }
template <class State> __device__ unsigned curand_poisson(State *state, double mean) { return curand(state); }
