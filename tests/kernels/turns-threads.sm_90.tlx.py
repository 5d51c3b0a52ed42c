title "A barrier that counts the producer, too"
note "Two tasks of 128 threads arrive, and the barrier expects 384."
expect deadlock
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
                    if turn > 0:
                        tlx.named_barrier_wait(9, 256)
                    tlx.local_store(tile[0], 0)
                    tlx.named_barrier_arrive(10, 384)
                else:
                    tlx.named_barrier_wait(10, 384)
                    tlx.local_store(tile[0], 1)
                    if turn < ROUNDS - 1:
                        tlx.named_barrier_arrive(9, 256)
