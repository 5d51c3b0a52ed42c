title "A ring of three tiles"
note "The producer waits for an empty tile with the parity of the phase before the first."
argument K=512
expect ok
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def ring(source_desc, K, BLOCK: tl.constexpr = 64, STAGES: tl.constexpr = 3):
    tiles = tlx.local_alloc((BLOCK, BLOCK), tl.float16, STAGES)
    full = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty = tlx.alloc_barriers(STAGES, arrive_count=1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            phase = 1
            buf = 0
            for k in range(0, tl.cdiv(K, BLOCK)):
                tlx.barrier_wait(tlx.local_view(empty, buf), phase)
                tlx.barrier_expect_bytes(full[buf], 2 * BLOCK * BLOCK)
                tlx.async_descriptor_load(source_desc, tiles[buf], [0, k * BLOCK], full[buf])
                phase = phase ^ 1 if buf == STAGES - 1 else phase
                buf = 0 if buf == STAGES - 1 else buf + 1
        with tlx.async_task(num_warps=4):
            phase = 0
            buf = 0
            total = tl.zeros((BLOCK, BLOCK), tl.float32)
            for k in range(0, tl.cdiv(K, BLOCK)):
                tlx.barrier_wait(full[buf], phase)
                total += tlx.local_load(tiles[buf])
                tlx.barrier_arrive(empty[buf])
                phase = phase ^ 1 if buf == STAGES - 1 else phase
                buf = 0 if buf == STAGES - 1 else buf + 1
