title "Constants of a configuration"
note "The first configuration of autotune gives the constants; loops end by break and continue."
argument K=512
expect ok
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


def configurations():
    return [
        triton.Config({"BLOCK": size, "STAGES": stages}, num_warps=4)
        for size in [64, 128]
        for stages in [2, 3]
    ]


@triton.autotune(configs=configurations(), key=["K"])
@triton.jit
def tuned(source_desc, K, BLOCK: tl.constexpr, STAGES: tl.constexpr, PAIRS: tl.constexpr = False):
    tiles = tlx.local_alloc((BLOCK, BLOCK), tlx.dtype_of(source_desc), STAGES)
    full = tlx.alloc_barriers(STAGES)
    size: tl.constexpr = tlx.size_of(tlx.dtype_of(source_desc)) * BLOCK * BLOCK
    for at in tl.static_range(STAGES + 4):
        if at == STAGES:
            break
        if at * BLOCK >= K:
            continue
        tlx.barrier_expect_bytes(full[at], size)
        tlx.async_descriptor_load(source_desc, tiles[at], [0, at * BLOCK], full[at])
    k = 0
    while True:
        if k >= tl.cdiv(K, BLOCK):
            break
        buf = k % STAGES
        tile, bar = tiles[buf], full[buf]
        tlx.barrier_wait(bar, (k // STAGES) & 1)
        k += 1
        value = tlx.local_load(tlx.local_trans(tile))
        if (k + STAGES - 1) * BLOCK >= K:
            continue
        tlx.barrier_expect_bytes(bar, size)
        tlx.async_descriptor_load(source_desc, tile, [0, (k + STAGES - 1) * BLOCK], bar)
