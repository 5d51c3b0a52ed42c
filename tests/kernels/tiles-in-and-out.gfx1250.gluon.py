title "A pipeline that loads tiles, and stores the results"
note "A wait for all but one operation covers a load and a store. The number of rounds is a quotient of an argument."
launch ctas=1
expect ok
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.gfx1250 import tdm


@gluon.jit
def scale(source, target, rows, columns):
    LAYOUT: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    SHARED: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    read = tdm.make_tensor_descriptor(source, [rows, columns], [columns, 1], [32, 32], SHARED)
    write = tdm.make_tensor_descriptor(target, [rows, columns], [columns, 1], [32, 32], SHARED)
    tiles = gl.allocate_shared_memory(gl.float16, [2, 32, 32], SHARED)
    result = gl.allocate_shared_memory(gl.float16, [32, 32], SHARED)
    tdm.async_load(read, [0, 0], tiles.index(0))
    for k in range(columns // 32):
        tdm.async_load(read, [0, k * 32 + 32], tiles.index(k + 1 & 1))
        tdm.async_wait(1)
        result.store(tiles.index(k & 1).load(LAYOUT) * 2)
        tdm.async_store(write, [0, k * 32], result)
    tdm.async_wait(0)
