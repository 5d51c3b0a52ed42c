namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <int Scope> struct barrier {
  typedef unsigned long long arrival_token;
  unsigned long long state;
  __device__ unsigned address() const { return (unsigned)__cvta_generic_to_shared(&state); }
  __device__ void expect(unsigned count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(address()), "r"(count) : "memory"); }
  __device__ arrival_token arrive(unsigned count = 1) {
    arrival_token token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(address()), "r"(count) : "memory");
    return token;
  }
  __device__ void wait(arrival_token token) const {
    asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.shared.b64 p, [%0], %1; @!p bra AGAIN; }"
                 :: "r"(address()), "l"(token) : "memory");
  }
  __device__ void wait_parity(bool parity) const {
    asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }"
                 :: "r"(address()), "r"((unsigned)parity) : "memory");
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" :: "r"(address()) : "memory");
  }
};
template <class Barrier> __device__ void init(Barrier *at, int count) { at->expect(count); }
}
