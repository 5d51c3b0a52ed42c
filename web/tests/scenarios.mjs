// Scenarios that the tests write into the editor.
export const SYNC = `title "Two waves synchronise"
target gfx1250
launch waves=2

wave * {
  arrive wg
  wait wg
}

expect ok
`;

/** Wave 0 waits twice for one phase. */
export const STUCK = SYNC.replace("wave * {", "wave 0 {\n  arrive wg\n  wait wg\n  wait wg\n}\nwave 1 {").replace("expect ok", "expect deadlock");

/** Needs a named barrier, which gfx1200 does not have. */
export const NAMED = `title "Join first, hand off later"
target gfx1250
launch waves=2
barrier ready = named(1)

wave 0 {
  init ready, 1
  arrive wg; wait wg
  arrive ready
}
wave 1 {
  join ready
  arrive wg; wait wg
  wait ready
}
`;

/** The join is not ordered before the arrive. */
export const TOO_LATE = NAMED.replace("  join ready\n", "").replace("  wait ready", "  join ready\n  wait ready");

export const INVALID = SYNC.replace("  wait wg", "  wiat wg");

/** Agents times operations on the workgroup barrier. */
export const large = (agents, operations) =>
  `title "Large"\ntarget gfx1250\nlaunch waves=${agents}\n\nwave * {\n${"  arrive wg\n  wait wg\n".repeat(operations / 2)}}\n`;

/** There are four alternatives at launch. */
export const CHOOSE = "target gfx1250\nlaunch waves=1\nwave 0 {\n  choose { arrive wg; wait wg } or { fence acquire workgroup } or { arrive wg } or { fence release workgroup }\n}\n";

/** No step of another text is possible here: wave 0 is blocked at once, and there is no other wave. */
export const NOTHING_CAN_BE_DONE = "target gfx1250\nlaunch waves=1\nwave 0 {\n  wait wg\n}\n";

/** Takes long to check. */
export const LONG = "target gfx1250\nlaunch waves=4096\nwave * {\n  arrive wg\n  wait wg\n}\n";

/** The verdict depends on what a wait is while nothing is joined. */
export const DOUBTFUL = `title "Joining nothing"
target gfx1250
launch waves=2
barrier n = named(1)

wave 0 {
  init n, 2
  arrive wg; wait wg
  join n
  arrive n
  wait n
}
wave 1 {
  arrive wg; wait wg
  join n
  arrive n
  s_barrier_join 0
  s_barrier_wait 1
}

expect ok
expect ambiguous amd.A6
expect machine ok
`;

/** Two blocks of copies, with one wait for each. */
export const BLOCKS = `target gfx942
launch waves=1
global g[64]
lds l[64]

wave 0 {
  async_load_to_lds(l[0..4], g[0..4])
  async_load_to_lds(l[4..8], g[4..8])
  asyncmark()
  async_load_to_lds(l[8..12], g[8..12])
  asyncmark()
  wait.asyncmark(1)
  wait.asyncmark(0)
}
`;

/** A producer and a consumer without fences. */
export const UNFENCED = `target gfx1250
launch waves=2
lds l[4]

wave 0 {
  store l[0..4]
  arrive wg; wait wg
}
wave 1 {
  arrive wg; wait wg
  load l[0..4]
}
`;

/** The same with fences. */
export const FENCED = UNFENCED.replace("  arrive wg; wait wg\n}\nwave 1", "  fence release\n  arrive wg; wait wg\n}\nwave 1").replace("  load", "  fence acquire\n  load");

/** A wait permits two outstanding marks, and the mark of the copy that is read is one of them. */
export const TOO_MANY = `target gfx942
launch waves=1
global g[128]
lds l[128]

wave 0 {
  async_load_to_lds(l[0..64], g[0..64])
  asyncmark()
  async_load_to_lds(l[64..128], g[64..128])
  asyncmark()
  wait.asyncmark(2)
  load l[0..64]
  wait.asyncmark(0)
}
`;

/** A function waits, but the mark belongs to its caller. */
export const CALLEE = `target gfx942
launch waves=1
global g[64]
lds l[64]

func flush() {
  wait.asyncmark(0)
}
wave 0 {
  async_load_to_lds(l[0..64], g[0..64])
  asyncmark()
  call flush()
  load l[0..64]
}
`;

/** An mbarrier object expects two arrivals and gets one. */
export const MISSING = `target sm_90
launch ctas=1 warps=2
mbarrier full

warp 0 {
  mbarrier.init.shared::cta.b64 [full], 2
  bar.sync 0
  mbarrier.arrive.shared::cta.b64 _, [full]
}
warp 1 {
  bar.sync 0
  L: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0
  @!p bra L
}
`;

/** Work-items in four sub-groups. */
export const GROUPS = `target opencl
launch subgroups=4 items=16

kernel {
  work_group_barrier(mem_fence::local)
}
`;

/** Breaks a rule after a short search; the whole search takes long. */
export const SOON_AND_LONG = `target sm_90
const STAGES = 8
const TILES = 16
launch warps=3
fullA = tlx.alloc_barriers(2 * STAGES, arrive_count=1)
emptyA = tlx.alloc_barriers(2 * STAGES, arrive_count=1)
fullB = tlx.alloc_barriers(STAGES, arrive_count=1)
emptyB = tlx.alloc_barriers(STAGES, arrive_count=1)
shared a[1024]
shared b[512]
global tiles[64]

warp 0 {
  for k in 0..TILES {
    let slot = k % STAGES
    let turn = k / STAGES
    for half in 0..2 {
      let of = half * STAGES + slot
      tlx.barrier_wait(emptyA[of], (turn & 1) ^ 1)
      tlx.barrier_expect_bytes(fullA[of], 64)
      tlx.async_descriptor_load(a[of * 64..of * 64 + 64], tiles, fullA[of])
      if half == 0 {
        tlx.barrier_wait(emptyB[slot], (turn & 1) ^ 1)
        tlx.barrier_expect_bytes(fullB[slot], 64)
        tlx.async_descriptor_load(b[slot * 64..slot * 64 + 64], tiles, fullB[slot])
      }
    }
  }
}
warp 1-2 {
  for k in 0..TILES {
    let slot = k % STAGES
    let turn = k / STAGES
    let of = (wave_id - 1) * STAGES + slot
    tlx.barrier_wait(fullA[of], turn & 1)
    tlx.barrier_wait(fullB[slot], turn & 1)
    load a[of * 64..of * 64 + 64]
    load b[slot * 64..slot * 64 + 64]
    tlx.barrier_arrive(emptyA[of])
    tlx.barrier_arrive(emptyB[slot])
  }
}
`;

/** A producer fills a slot and a consumer frees it. */
export const PIPELINE = `target sm_90
launch warps=2
mbarrier full
mbarrier empty

warp 0 {
  mbarrier.init.shared::cta.b64 [full], 1
  mbarrier.init.shared::cta.b64 [empty], 1
  bar.sync 0
  mbarrier.arrive.shared::cta.b64 _, [full]
  E: mbarrier.try_wait.parity.shared::cta.b64 p, [empty], 0
  @!p bra E
}
warp 1 {
  bar.sync 0
  F: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0
  @!p bra F
  mbarrier.arrive.shared::cta.b64 _, [empty]
}
`;

/** Every work-item reaches one barrier. */
export const KERNEL = `target opencl
launch subgroups=2

kernel {
  work_group_barrier(mem_fence::local)
}
`;

/** One warp copies, the other reads the copy; `lines` precede the read. */
export const handedOver = (lines) => `target sm_90
launch warps=2
mbarrier full
shared tile[64]
global src[64]

warp 0 {
  mbarrier.init.shared::cta.b64 [full], 1
  bar.sync 0
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile[0..64]], [src], 64, [full]
}
warp 1 {
  bar.sync 0
${lines}  load tile
}
`;
