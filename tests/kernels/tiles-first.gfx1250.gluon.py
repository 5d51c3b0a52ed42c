title "A first wait for the wrong phase of a barrier in LDS"
note "The first wait of `fill` is for a phase that only `drain` completes."
argument FIRST=0
expect deadlock ptx.mbarrier.never-completes
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.gfx1250 import mbarrier, tdm


@gluon.jit
def fill(source, tiles, full, empty, rounds, FIRST: gl.constexpr):
    for k in range(rounds):
        mbarrier.wait(empty.index(k & 1), (k >> 1 & 1) ^ FIRST)
        tdm.async_load(source, [0, k * 32], tiles.index(k & 1), mbarrier=full.index(k & 1))


@gluon.jit
def drain(tiles, full, empty, rounds, LAYOUT: gl.constexpr):
    for k in range(rounds):
        mbarrier.wait(full.index(k & 1), k >> 1 & 1)
        tiles.index(k & 1).load(LAYOUT)
        mbarrier.arrive(empty.index(k & 1))


@gluon.jit
def ring(pointer, rows, columns, rounds, FIRST: gl.constexpr):
    LAYOUT: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    SHARED: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    source = tdm.make_tensor_descriptor(pointer, [rows, columns], [columns, 1], [32, 32], SHARED)
    tiles = gl.allocate_shared_memory(gl.float16, [2, 32, 32], SHARED)
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), 4)
        mbarrier.init(empty.index(i), 128)
    gl.warp_specialize([(drain, (tiles, full, empty, rounds, LAYOUT)), (fill, (source, tiles, full, empty, rounds, FIRST))], [4])
