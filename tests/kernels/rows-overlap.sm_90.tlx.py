title "Rows that overlap"
note "The second task stores rows of the first one."
expect race
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def rows(out_desc, HEIGHT: tl.constexpr = 32):
    tile = tlx.local_alloc((2 * HEIGHT, 64), tl.float16, 1)
    full = tlx.alloc_barriers(1, arrive_count=2)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(full[0], 0)
            tlx.fence_async_shared()
            tlx.async_descriptor_store(out_desc, tile[0], [0, 0])
            tlx.async_descriptor_store_wait(0)
        with tlx.async_task(num_warps=4, replicate=2):
            first = tlx.async_task_replica_id() * (HEIGHT // 2)
            tlx.local_store(tlx.local_slice(tile[0], [first, 0], [HEIGHT, 64]), tl.zeros((HEIGHT, 64), tl.float16))
            tlx.barrier_arrive(full[0])
