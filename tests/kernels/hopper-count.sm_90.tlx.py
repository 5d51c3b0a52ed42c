title "One arrival is too few"
note "The producer overwrites a tile of B after the first of its two consumers has arrived."
expect violation
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def product(a_desc, b_desc, c_desc, K, BLOCK: tl.constexpr = 64, STAGES: tl.constexpr = 2):
    a = tlx.local_alloc((BLOCK, BLOCK), tl.float16, 2 * STAGES)
    b = tlx.local_alloc((BLOCK, BLOCK), tl.float16, STAGES)
    full_a = tlx.alloc_barriers(2 * STAGES, arrive_count=1)
    full_b = tlx.alloc_barriers(STAGES, arrive_count=1)
    empty_a = tlx.alloc_barriers(2 * STAGES, arrive_count=1)
    empty_b = tlx.alloc_barriers(STAGES, arrive_count=1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            phase = 0
            buf = 0
            for k in range(0, tl.cdiv(K, BLOCK)):
                for half in tl.static_range(2):
                    tlx.barrier_wait(empty_a[buf + half * STAGES], phase ^ 1)
                    tlx.barrier_expect_bytes(full_a[buf + half * STAGES], 2 * BLOCK * BLOCK)
                    tlx.async_descriptor_load(a_desc, a[buf + half * STAGES], [half * BLOCK, k * BLOCK], full_a[buf + half * STAGES])
                tlx.barrier_wait(empty_b[buf], phase ^ 1)
                tlx.barrier_expect_bytes(full_b[buf], 2 * BLOCK * BLOCK)
                tlx.async_descriptor_load(b_desc, b[buf], [k * BLOCK, 0], full_b[buf])
                phase = phase ^ (buf == STAGES - 1)
                buf = (buf + 1) % STAGES
        with tlx.async_task(num_warps=4, replicate=2):
            half = tlx.async_task_replica_id()
            phase = 0
            buf = 0
            acc = tl.zeros((BLOCK, BLOCK), tl.float32)
            for k in range(0, tl.cdiv(K, BLOCK)):
                own = buf + half * STAGES
                tlx.barrier_wait(full_a[own], phase)
                tlx.barrier_wait(full_b[buf], phase)
                acc = tlx.async_dot(a[own], b[buf], acc)
                acc = tlx.async_dot_wait(0, acc)
                tlx.barrier_arrive(empty_a[own])
                tlx.barrier_arrive(empty_b[buf])
                phase = phase ^ (buf == STAGES - 1)
                buf = (buf + 1) % STAGES
