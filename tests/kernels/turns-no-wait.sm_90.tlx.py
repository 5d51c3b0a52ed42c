title "A turn that does not wait"
note "The first consumer writes the tile while the second one does."
expect violation
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def turns(K, ROUNDS: tl.constexpr = 3):
    tile = tlx.local_alloc((64, 64), tl.float16, 1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            pass
        with tlx.async_task(num_warps=4, replicate=2):
            cid = tlx.async_task_replica_id()
            for turn in range(0, ROUNDS):
                if cid == 0:
                    tlx.local_store(tile[0], 0)
                    tlx.named_barrier_arrive(10, 256)
                else:
                    tlx.named_barrier_wait(10, 256)
                    tlx.local_store(tile[0], 1)
