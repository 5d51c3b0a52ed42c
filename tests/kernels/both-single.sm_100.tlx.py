title "Tensor cores of one CTA"
note "The same kernel has a verdict if its constant chooses one CTA."
argument PAIR=0
expect ok
import triton
import triton.language as tl
import triton.language.extra.tlx as tlx


@triton.jit
def both(a_desc, b_desc, PAIR: tl.constexpr = True):
    a = tlx.local_alloc((64, 64), tl.float16, 1)
    b = tlx.local_alloc((64, 64), tl.float16, 1)
    acc = tlx.local_alloc((64, 64), tl.float32, 1, tlx.storage_kind.tmem)
    full = tlx.alloc_barriers(1)
    done = tlx.alloc_barriers(1)
    tlx.barrier_expect_bytes(full[0], 4 * 64 * 64)
    tlx.async_descriptor_load(a_desc, a[0], [0, 0], full[0])
    tlx.async_descriptor_load(b_desc, b[0], [0, 0], full[0])
    tlx.barrier_wait(full[0], 0)
    tlx.async_dot(a[0], b[0], acc[0], use_acc=False, mBarriers=[done[0]], two_ctas=PAIR, out_dtype=tl.float32)
    tlx.barrier_wait(done[0], 0)
    tlx.local_load(acc[0])
