title "Columns of tensor memory in the wrong order"
note "The first product reads the columns that are stored last."
expect race
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def halves(v_desc, out, WIDTH: tl.constexpr = 64):
    p = tlx.local_alloc((64, WIDTH), tl.float16, 1, tlx.storage_kind.tmem)
    v = tlx.local_alloc((WIDTH // 2, 64), tl.float16, 2)
    acc = tlx.local_alloc((64, 64), tl.float32, 1, tlx.storage_kind.tmem)
    loaded = tlx.alloc_barriers(1)
    full = tlx.alloc_barriers(2)
    done = tlx.alloc_barriers(1)
    with tlx.async_tasks():
        with tlx.async_task("default"):
            tlx.barrier_expect_bytes(loaded[0], 2 * WIDTH * 64)
            for half in tl.static_range(2):
                tlx.async_descriptor_load(v_desc, v[half], [half * WIDTH // 2, 0], loaded[0])
            for half in tl.static_range(2):
                tlx.local_store(tlx.subslice(p[0], half * WIDTH // 2, WIDTH // 2), tl.zeros((64, 32), tl.float16))
                tlx.barrier_arrive(full[half])
            tlx.barrier_wait(done[0], 0)
            for half in range(2):
                tlx.local_load(tlx.local_slice(acc[0], [0, half * 32], [64, 32]))
        with tlx.async_task(num_warps=1):
            tlx.barrier_wait(loaded[0], 0)
            for half in tl.static_range(2):
                tlx.barrier_wait(full[half], 0)
                tlx.async_dot(tlx.subslice(p[0], (1 - half) * WIDTH // 2, WIDTH // 2), v[half], acc[0], use_acc=half > 0)
            tlx.tcgen05_commit(done[0])
