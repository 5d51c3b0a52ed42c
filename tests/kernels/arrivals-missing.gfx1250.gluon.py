title "A barrier in LDS that expects one arrival too many"
note "No wave arrives for the last of 129 arrivals."
argument COUNT=129
expect deadlock ptx.mbarrier.never-completes
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
