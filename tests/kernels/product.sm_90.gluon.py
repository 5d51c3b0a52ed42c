title "Products of a pipeline in Gluon"
note "A product may be in flight while the other tiles are filled."
expect ok
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def product(a_desc, b_desc, c_desc, ROUNDS: gl.constexpr = 4):
    LAYOUT: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    a = gl.allocate_shared_memory(gl.float16, [2, 64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [2, 64, 64], b_desc.layout)
    c = gl.allocate_shared_memory(gl.float16, [64, 64], c_desc.layout)
    bars = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    acc = gl.zeros((64, 64), gl.float32, LAYOUT)
    for k in range(ROUNDS):
        at = k % 2
        mbarrier.expect(bars.index(at), 2 * 64 * 64 * 2)
        tma.async_load(a_desc, [0, k * 64], bars.index(at), a.index(at))
        tma.async_load(b_desc, [k * 64, 0], bars.index(at), b.index(at))
        mbarrier.wait(bars.index(at), k // 2 & 1)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        acc = warpgroup_mma(a.index(at), b.index(at).permute((1, 0)), acc, is_async=True)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    for i in gl.static_range(2):
        mbarrier.invalidate(bars.index(i))
    c.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_desc, [0, 0], c)
    tma.store_wait(pendings=0)
