title "An arrive at the other CTA"
note "CTA 0 arrives at the barrier of CTA 1."
expect ok
launch ctas=2 cluster=2
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def pair(ROUNDS: tl.constexpr = 2):
    ready = tlx.alloc_barriers(1, arrive_count=1)
    rank = tlx.cluster_cta_rank()
    tlx.cluster_barrier()
    if rank == 0:
        tlx.barrier_arrive(ready[0], 1, remote_cta_rank=1)
    else:
        tlx.barrier_wait(ready[0], 0)
    tlx.cluster_barrier()
