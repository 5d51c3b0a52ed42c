title "A wait for too few groups"
note "Two groups may stay in flight, so the tile is read before its copy."
argument N=6
expect race
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def pipeline(source, target, N, STAGES: gl.constexpr = 2):
    LAYOUT: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    tiles = gl.allocate_shared_memory(gl.float32, [STAGES, 512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    pointers = source + gl.arange(0, 512, LAYOUT)
    async_copy.async_copy_global_to_shared(tiles.index(0), pointers)
    async_copy.commit_group()
    for k in range(1, N):
        async_copy.async_copy_global_to_shared(tiles.index(k % STAGES), pointers + k * 512)
        async_copy.commit_group()
        async_copy.wait_group(2)
        value = tiles.index((k - 1) % STAGES).load(LAYOUT)
    async_copy.wait_group(0)
