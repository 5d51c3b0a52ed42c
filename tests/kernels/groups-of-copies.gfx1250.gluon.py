title "Copies to LDS in two buffers"
note "The wait leaves only the copy of the next round in flight."
argument LEFT=1
argument n=5
expect ok
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.gfx1250 import async_copy


@gluon.jit
def copies(source, n, LEFT: gl.constexpr):
    LAYOUT: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    SHARED: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    buffers = gl.allocate_shared_memory(gl.float32, [2, 512], SHARED)
    pointers = source + gl.arange(0, 512, LAYOUT)
    async_copy.global_to_shared(buffers.index(0), pointers)
    async_copy.commit_group()
    for i in range(1, n):
        async_copy.global_to_shared(buffers.index(i & 1), pointers + i * 512)
        async_copy.commit_group()
        async_copy.wait_group(LEFT)
        buffers.index((i - 1) & 1).load(LAYOUT)
    async_copy.wait_group(0)
    buffers.index((n - 1) & 1).load(LAYOUT)
