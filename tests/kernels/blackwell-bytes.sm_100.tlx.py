title "More bytes are expected than copied"
note "The phase never gets the rest of its bytes."
expect deadlock
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def product(a_desc, b_desc, c_desc, K, BLOCK: tl.constexpr = 64, STAGES: tl.constexpr = 2):
    tl.assume(tl.cdiv(K, BLOCK) > 0)
    a = tlx.local_alloc((BLOCK, BLOCK), tl.float16, STAGES)
    b = tlx.local_alloc((BLOCK, BLOCK), tl.float16, STAGES)
    acc = tlx.local_alloc((BLOCK, BLOCK), tl.float32, 1, tlx.storage_kind.tmem)
    out = tlx.local_alloc((BLOCK, BLOCK), tl.float16, 1)
    full = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty = tlx.alloc_barriers(STAGES, arrive_count=1)
    done = tlx.alloc_barriers(1, arrive_count=1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_wait(done[0], 0)
            result = tlx.local_load(acc[0])
            tlx.local_store(out[0], result.to(tl.float16))
        with tlx.async_task(num_warps=1):
            phase = 0
            buf = 0
            for k in range(0, tl.cdiv(K, BLOCK)):
                tlx.barrier_wait(empty[buf], phase ^ 1)
                tlx.barrier_expect_bytes(full[buf], 6 * BLOCK * BLOCK)
                tlx.async_descriptor_load(a_desc, a[buf], [0, k * BLOCK], full[buf])
                tlx.async_descriptor_load(b_desc, b[buf], [k * BLOCK, 0], full[buf])
                phase = phase ^ (buf == STAGES - 1)
                buf = (buf + 1) % STAGES
        with tlx.async_task(num_warps=1):
            phase = 0
            buf = 0
            for k in range(0, tl.cdiv(K, BLOCK)):
                tlx.barrier_wait(full[buf], phase)
                tlx.async_dot(a[buf], b[buf], acc[0], use_acc=k > 0, mBarriers=[empty[buf]], out_dtype=None)
                phase = phase ^ (buf == STAGES - 1)
                buf = (buf + 1) % STAGES
            tlx.tcgen05_commit(done[0])
