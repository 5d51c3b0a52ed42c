title "A warp barrier with too many warps"
note "The barrier expects the threads of eight warps, and a task has four."
expect deadlock
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def handed(ROUNDS: tl.constexpr = 3):
    tile = tlx.local_alloc((64, 64), tl.float16, 1)
    full = tlx.alloc_warp_barrier(num_barriers=1, num_warps=8)
    empty = tlx.alloc_warp_barrier(num_barriers=1, num_warps=4, num_arrivals=2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            for k in range(ROUNDS):
                tlx.barrier_wait(empty[0], (k & 1) ^ 1)
                tlx.local_store(tile[0], tl.zeros((64, 64), tl.float16))
                tlx.barrier_arrive(full[0])
        with tlx.async_task(num_warps=4, replicate=2):
            for k in range(ROUNDS):
                tlx.barrier_wait(full[0], k & 1)
                tlx.local_load(tile[0])
                tlx.barrier_arrive(empty[0])
