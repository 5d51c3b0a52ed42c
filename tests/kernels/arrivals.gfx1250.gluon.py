title "Every lane arrives at a barrier in LDS"
note "Each of the four waves arrives with its 32 lanes in each round."
argument COUNT=128
expect ok
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.gfx1250 import mbarrier


@gluon.jit
def rounds(n, COUNT: gl.constexpr):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, COUNT)
    for i in range(n):
        mbarrier.arrive(bar)
        mbarrier.wait(bar, i & 1)
