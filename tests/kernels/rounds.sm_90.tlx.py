title "Tasks inside a loop"
note "All tasks end a round together; the second task reads the tile through another allocation."
expect ok
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def rounds(TILES: tl.constexpr = 3, STORES: tl.constexpr = True):
    tile = tlx.local_alloc((64, 64), tl.float16, 1)
    copy = tlx.local_alloc((64, 128), tl.float8e5, 1, reuse=tile)
    full = tlx.alloc_barriers(1)
    for at in range(TILES):
        with tlx.async_tasks():
            with tlx.async_task("default"):
                tlx.local_store(tile[0], tl.zeros((64, 64), tl.float16))
                tlx.barrier_arrive(full[0])
            if STORES:
                with tlx.async_task(num_warps=4):
                    tlx.barrier_wait(full[0], at & 1)
                    tlx.local_load(copy[0])
