title "A wait in each round of a loop of any length"
note "The host passes the number of rounds."
expect ok
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def rounds(n):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    for i in range(n):
        mbarrier.arrive(bar, count=1)
        mbarrier.wait(bar, i & 1)
