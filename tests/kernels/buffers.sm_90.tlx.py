title "Two buffers without tasks"
note "A buffer is filled again after its load; predicates end the copies."
expect ok
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def buffers(source_desc, ROUNDS: tl.constexpr = 6):
    tiles = tlx.local_alloc((64, 64), tl.float16, 2)
    full = tlx.alloc_barriers(2, arrive_count=1)
    for at in tl.static_range(2):
        tlx.barrier_expect_bytes(full[at], 8192)
        tlx.async_descriptor_load(source_desc, tiles[at], [0, at * 64], full[at])
    for at in range(0, ROUNDS):
        buf = at % 2
        tlx.barrier_wait(full[buf], (at // 2) & 1)
        value = tlx.local_load(tiles[buf])
        more = at + 2 < ROUNDS
        tlx.barrier_expect_bytes(full[buf], 8192, pred=more)
        tlx.async_descriptor_load(source_desc, tiles[buf], [0, (at + 2) * 64], full[buf], pred=more)
