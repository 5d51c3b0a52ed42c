#pragma once
#include <cuda/barrier>
#if defined(__NVPTX__)
namespace cuda {
enum class pipeline_role { producer, consumer };
template <int Scope, int Stages> struct pipeline_shared_state {
  barrier<thread_scope_block> full[Stages], empty[Stages];
  __device__ int stages() const { return Stages; }
};
// The stages of a pipeline of one thread are groups of copies. In a pipeline of a block, each stage has a barrier of the
// producers and one of the consumers.
template <int Scope> struct pipeline {
  barrier<thread_scope_block> *full, *empty;
  unsigned stages, head, tail;
  bool filled, emptied;
  unsigned committed, awaited;
  __device__ void producer_acquire() {
    if (Scope != thread_scope_thread) empty[head].wait_parity(!filled);
  }
  __device__ void producer_commit() {
    if (Scope == thread_scope_thread) {
      asm volatile("cp.async.commit_group;" ::: "memory");
      ++committed;
    } else {
      full[head].started();
      full[head].arrive();
      if (++head == stages) { head = 0; filled = !filled; }
    }
  }
  __device__ void consumer_wait() {
    if (Scope == thread_scope_thread) wait_prior(committed - ++awaited);
    else full[tail].wait_parity(emptied);
  }
  __device__ void consumer_release() {
    if (Scope == thread_scope_thread) return;
    empty[tail].arrive();
    if (++tail == stages) { tail = 0; emptied = !emptied; }
  }
  __device__ void quit() {}
  // The number of groups is part of the instruction.
  __device__ static void wait_prior(unsigned newer) {
    if (newer == 0) asm volatile("cp.async.wait_group 0;" ::: "memory");
    else if (newer == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
    else if (newer == 2) asm volatile("cp.async.wait_group 2;" ::: "memory");
    else if (newer == 3) asm volatile("cp.async.wait_group 3;" ::: "memory");
    else if (newer == 4) asm volatile("cp.async.wait_group 4;" ::: "memory");
    else if (newer == 5) asm volatile("cp.async.wait_group 5;" ::: "memory");
    else if (newer == 6) asm volatile("cp.async.wait_group 6;" ::: "memory");
    else asm volatile("cp.async.wait_group 7;" ::: "memory");
  }
  __device__ void started() {}
  __device__ void copy(void *to, const void *from, unsigned bytes) { copy_in_parts(0, 1, to, from, bytes); }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() {
  pipeline<thread_scope_thread> made;
  made.committed = 0;
  made.awaited = 0;
  return made;
}
template <class Group, class State>
__device__ pipeline<thread_scope_block> pipeline_of(const Group &group, State *state, unsigned producers, unsigned consumers) {
  if (group.thread_rank() == 0)
    for (int stage = 0; stage < state->stages(); ++stage) {
      state->full[stage].expect(producers);
      state->empty[stage].expect(consumers);
    }
  group.sync();
  pipeline<thread_scope_block> made;
  made.full = state->full;
  made.empty = state->empty;
  made.stages = state->stages();
  made.head = 0;
  made.tail = 0;
  made.filled = false;
  made.emptied = false;
  return made;
}
template <class Group, class State>
__device__ pipeline<thread_scope_block> make_pipeline(const Group &group, State *state) {
  return pipeline_of(group, state, group.size(), group.size());
}
template <class Group, class State>
__device__ pipeline<thread_scope_block> make_pipeline(const Group &group, State *state, pipeline_role role) {
  unsigned producers = __syncthreads_count(role == pipeline_role::producer);
  return pipeline_of(group, state, producers, group.size() - producers);
}
template <class Group, class State>
__device__ pipeline<thread_scope_block> make_pipeline(const Group &group, State *state, size_t producers) {
  return pipeline_of(group, state, producers, group.size() - producers);
}
template <int Newer, class Pipeline> __device__ void pipeline_consumer_wait_prior(Pipeline &of) {
  asm volatile("cp.async.wait_group %0;" :: "n"(Newer) : "memory");
  of.awaited = of.committed - Newer;
}
}
#endif
