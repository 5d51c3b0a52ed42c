title "A tile that is read before its copy"
note "The consumer waits for the phase before the first one."
argument K=512
expect violation
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def fill(source_desc, tiles, full, empty, rounds, STAGES: gl.constexpr):
    for k in range(rounds):
        at = k % STAGES
        mbarrier.wait(empty.index(at), (k // STAGES & 1) ^ 1)
        mbarrier.expect(full.index(at), source_desc.block_type.nbytes)
        tma.async_load(source_desc, [0, k * 64], full.index(at), tiles.index(at))


@gluon.jit
def drain(target, tiles, full, empty, rounds, LAYOUT: gl.constexpr, STAGES: gl.constexpr):
    total = gl.zeros((64, 64), gl.float32, LAYOUT)
    for k in range(rounds):
        at = k % STAGES
        mbarrier.wait(full.index(at), (k // STAGES & 1) ^ 1)
        total += tiles.index(at).load(LAYOUT)
        mbarrier.arrive(empty.index(at), count=1)
    gl.store(target, total)


@gluon.jit
def ring(source_desc, target, K, STAGES: gl.constexpr = 2):
    LAYOUT: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    tiles = gl.allocate_shared_memory(gl.float16, [STAGES] + source_desc.block_type.shape, source_desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    rounds = gl.cdiv(K, 64)
    gl.warp_specialize([
        (drain, (target, tiles, full, empty, rounds, LAYOUT, STAGES)),
        (fill, (source_desc, tiles, full, empty, rounds, STAGES)),
    ], [1], [24])
