//! Edits for counts, bytes and parities that do not fit the rest of the program.

use crate::common::judged;
use crate::restores::{edited, offer, restores};
use tidegate_check::{Options, apply};

fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ';').collect()
}

/// The offered edit undoes the change of a correct text, and the first reason names the statement.
fn undoes(text: &str, (old, new): (&str, &str), named: &str) {
    assert_eq!(judged(text, &Options::default()).verdict, "ok", "{text}");
    assert!(text.contains(old), "{old}");
    let changed = text.replacen(old, new, 1);
    let report = judged(&changed, &Options::default());
    let finding = &report.findings[0];
    let fix = finding.fix.clone().unwrap_or_else(|| panic!("{old:?} {new:?}: {finding:?}"));
    assert_eq!(words(&apply(&changed, &fix)), words(text), "{old:?} {new:?}");
    assert!(finding.because[0].contains(named), "{:?}", finding.because);
}

const RING: &str = "target sm_90\nlaunch warps=3\nconst N = 2\n\
    full = tlx.alloc_barriers(N, arrive_count=1)\nempty = tlx.alloc_barriers(N, arrive_count=2)\n\
    shared a[N][256]\nglobal g[4096]\n\
    warp 0 {\n  for k in 0..4 {\n    let s = k % N\n    let phase = (k / N) & 1\n    \
    tlx.barrier_wait(empty[s], phase ^ 1)\n    tlx.barrier_expect_bytes(full[s], 256)\n    \
    tlx.async_descriptor_load(a[s], g, full[s])\n  }\n}\n\
    warp 1-2 {\n  for k in 0..4 {\n    let s = k % N\n    let phase = (k / N) & 1\n    \
    tlx.barrier_wait(full[s], phase)\n    load a[s]\n    tlx.barrier_arrive(empty[s], 1)\n  }\n}\n";

/// A buffer with the phases in variables.
fn slot(flip: &str) -> String {
    format!(
        "target sm_90\nlaunch warps=2\nfull = tlx.alloc_barriers(1, arrive_count=1)\n\
        empty = tlx.alloc_barriers(1, arrive_count=1)\nshared a[64]\n\
        warp 0 {{\n  let phase = 0\n  for k in 0..5 {{\n    tlx.barrier_wait(empty[0], phase ^ 1)\n    store a\n    \
        tlx.barrier_arrive(full[0])\n    {flip}\n  }}\n}}\n\
        warp 1 {{\n  let phase = 0\n  for k in 0..5 {{\n    tlx.barrier_wait(full[0], phase)\n    load a\n    \
        tlx.barrier_arrive(empty[0])\n    {flip}\n  }}\n}}\n"
    )
}

#[test]
fn expected_bytes_become_those_of_the_copies() {
    let reasons = [
        ("128", "but its copies complete 256"),
        ("512", "must be `tlx.barrier_expect_bytes(full[s], 256)`"),
    ];
    for (bytes, reason) in reasons {
        undoes(RING, ("(full[s], 256)", &format!("(full[s], {bytes})")), reason);
    }
    let file = "ptx/blackwell-gemm.tide";
    restores(file, ("[full[s]], 192", "[full[s]], 384"), "[full[s]], 384` (line 33) must be");
    let file = "tlx/hopper-gemm.tide";
    restores(
        file,
        ("(full[s], 192)", "(full[s], 384)"),
        "must be `tlx.barrier_expect_bytes(full[s], 192)`",
    );
    // Each of two agents expects the bytes of its own copy.
    let text = "target sm_90\nlaunch warps=3\nfull = tlx.alloc_barriers(1, arrive_count=2)\n\
        shared a[512]\nshared b[256]\nglobal g[4096]\n\
        warp 0 {\n  tlx.barrier_expect_bytes(full[0], 512)\n  tlx.async_descriptor_load(a, g, full[0])\n}\n\
        warp 1 {\n  tlx.barrier_expect_bytes(full[0], 256)\n  tlx.async_descriptor_load(b, g, full[0])\n}\n\
        warp 2 {\n  tlx.barrier_wait(full[0], 0)\n  load a\n  load b\n}\n";
    undoes(text, ("(full[0], 512)", "(full[0], 256)"), "but its copies complete 512");
    undoes(text, ("(full[0], 256)", "(full[0], 128)"), "but its copies complete 256");
}

/// A kernel that waits for one copy.
const KERNEL: &str = ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(\n.param .u64 m\n)\n.reqntid 64\n{\n\
    .shared .align 8 .b64 full;\n.shared .align 128 .b8 tile[2048];\n.reg .pred %p<8>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<5>;\n\
    ld.param.u64 %rd2, [m];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmov.u32 %r3, full;\nsetp.eq.u32 %p1, %r1, 0;\n\
    @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\nbar.sync 0;\nmov.u32 %r6, 2048;\n@!%p1 bra $WAIT;\n\
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], BYTES;\n\
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2], 2048, [%r3];\n\
    $WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;\n@!%p3 bra $WAIT;\n\
    shl.b32 %r7, %r1, 2;\nadd.s32 %r8, %r2, %r7;\nld.shared.u32 %r9, [%r8];\nret;\n}\n";

#[test]
fn the_number_of_a_name_is_corrected() {
    let text = RING.replace("const N = 2\n", "const N = 2\nconst BYTES = 256\n");
    let text = text.replace("(full[s], 256)", "(full[s], BYTES)");
    undoes(&text, ("BYTES = 256", "BYTES = 512"), "(line 4) must be `const BYTES = 256`");
    let text = RING.replace("(full[s], 256)", "(full[s], N * 128)");
    let expects = ("(full[s], N * 128)", "(full[s], N * 64)");
    let after = edited(&text.replacen(expects.0, expects.1, 1));
    assert!(after.contains("tlx.barrier_expect_bytes(full[s], 256)"), "{after}");
    let immediate = KERNEL.replace("BYTES", "2048");
    undoes(&immediate, ("[%r3], 2048", "[%r3], 1024"), "but its copies complete 2048");
    let named = "must be `mbarrier.arrive.expect_tx";
    undoes(&immediate, ("[%r3], 2048", "[%r3], 4096"), named);
    let register = KERNEL.replace("BYTES", "%r6");
    undoes(&register, ("%r6, 2048", "%r6, 512"), "must be `mov.u32 %r6, 2048`");
    let text = RING.replace("const N = 2\n", "const N = 2\nconst USERS = 2\n");
    let text = text.replace("arrive_count=2", "arrive_count=USERS");
    undoes(&text, ("USERS = 2", "USERS = 3"), "must be `const USERS = 2`");
}

#[test]
fn a_count_becomes_the_arrivals_of_a_phase() {
    let named = "must be `empty = tlx.alloc_barriers(N, arrive_count=2)`";
    for count in ["1", "3", "4", "8"] {
        undoes(RING, ("arrive_count=2", &format!("arrive_count={count}")), named);
    }
    let named = "must be `full = tlx.alloc_barriers(N, arrive_count=1)`";
    undoes(RING, ("arrive_count=1", "arrive_count=2"), named);
    let positional = RING.replace("arrive_count=", "");
    undoes(&positional, ("(N, 2)", "(N, 3)"), "(N, 3)` (line 5) must be");
    // Warp 2 uses neither barrier.
    let file = "tlx/hopper-gemm.tide";
    let empty = "empty = tlx.alloc_barriers(STAGES, arrive_count=1)";
    restores(file, (empty, &empty.replace("=1", "=2")), "must be `empty = tlx.alloc_barriers");
}

#[test]
fn a_count_is_not_lowered_to_the_agents_that_still_arrive() {
    // Warp 2 waits like warp 1, so its arrive is missing.
    let arrive = "warp 2 {\n  for k in 0..4 {\n    let s = k % N\n    let phase = (k / N) & 1\n    \
        tlx.barrier_wait(full[s], phase)\n    load a[s]\n  }\n}\n";
    let text = [&RING.replace("warp 1-2", "warp 1"), arrive].concat();
    assert!(!offer(&text).contains("alloc_barriers"), "{}", offer(&text));
    // An agent that does nothing else may have to arrive.
    let text = "target sm_90\nlaunch warps=3\nfull = tlx.alloc_barriers(1, arrive_count=2)\n\
        empty = tlx.alloc_barriers(1, arrive_count=1)\nshared a[64]\n\
        warp 0 {\n  for k in 0..3 {\n    tlx.barrier_wait(empty[0], (k & 1) ^ 1)\n    store a\n    tlx.barrier_arrive(full[0], 1)\n  }\n}\n\
        warp 1 {\n  for k in 0..3 {\n    tlx.barrier_wait(full[0], k & 1)\n    load a\n    tlx.barrier_arrive(empty[0], 1)\n  }\n}\n\
        warp 2 {\n}\n";
    assert!(!offer(text).contains("arrive_count=1"), "{}", offer(text));
}

#[test]
fn a_missing_wait_is_added_at_the_start_of_its_loop() {
    for wait in ["tlx.barrier_wait(full[s], phase)", "tlx.barrier_wait(empty[s], phase ^ 1)"] {
        undoes(RING, (wait, ""), &format!("`{wait}` is missing after `let phase"));
    }
    let file = "tlx/hopper-gemm.tide";
    let wait = "tlx.barrier_wait(taken[t % 2], ((t / 2) & 1) ^ 1)";
    restores(file, (wait, ""), &format!("`{wait}` is missing before `for i"));
    let wait = "tlx.barrier_wait(empty[s], ((k / STAGES) & 1) ^ 1)";
    restores(file, (wait, ""), &format!("`{wait}` is missing after `let s"));
}

#[test]
fn the_first_turn_at_a_numbered_barrier_is_given() {
    let text = "target sm_90\nlaunch warps=2\nshared a[64]\n\
        warp 0 {\n  for k in 0..4 {\n    bar.sync 1, 64\n    store a\n    bar.arrive 2, 64\n  }\n}\n\
        warp 1 {\n  bar.arrive 1, 64\n  for k in 0..4 {\n    bar.sync 2, 64\n    load a\n    \
        if k < 3 { bar.arrive 1, 64 }\n  }\n}\n";
    undoes(
        text,
        ("  bar.arrive 1, 64\n", ""),
        "`bar.arrive 1, 64` is missing before `for k in 0..4`",
    );
    // Two slots, with numbers in expressions, and two agents that must arrive.
    let text = "target sm_90\nlaunch warps=3\nshared a[2][64]\n\
        warp 0 {\n  for k in 0..4 {\n    barrier.sync 1 + (k & 1), 96\n    store a[k & 1]\n    \
        barrier.arrive 3 + (k & 1), 96\n  }\n  barrier.sync 1, 96\n  barrier.sync 2, 96\n}\n\
        warp 1-2 {\n  barrier.arrive 1, 96\n  barrier.arrive 2, 96\n  for k in 0..4 {\n    \
        barrier.sync 3 + (k & 1), 96\n    load a[k & 1]\n    barrier.arrive 1 + (k & 1), 96\n  }\n}\n";
    let (first, second) = ("  barrier.arrive 1, 96\n", "  barrier.arrive 2, 96\n");
    let after = edited(&text.replacen(first, "", 1));
    assert!(words(&after).contains("barrier.arrive2,96barrier.arrive1,96fork"), "{after}");
    undoes(text, (second, ""), "`barrier.arrive 2, 96` is missing before `for k in 0..4`");
    undoes(
        text,
        (&[first, second].concat(), ""),
        "`barrier.arrive 1, 96; barrier.arrive 2, 96` is missing",
    );
    let file = "tlx/pingpong-primed.tide";
    let arrive = "warp 1 {\n  tlx.named_barrier_arrive(9, 64)\n";
    restores(file, (arrive, "warp 1 {\n"), "`tlx.named_barrier_arrive(9, 64)` is missing before");
    // In a kernel, before the label of the loop.
    let text = ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k()\n.reqntid 64\n{\n\
        .shared .align 128 .b8 tile[128];\n.reg .pred %p<8>;\n.reg .b32 %r<20>;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n\
        and.b32 %r3, %r1, 31;\nshl.b32 %r3, %r3, 2;\nadd.s32 %r4, %r2, %r3;\nmov.u32 %r5, 0;\nsetp.lt.u32 %p2, %r1, 32;\n\
        @%p2 bra $CONSUMER;\n$PLOOP:\nbar.sync 1, 64;\nst.shared.u32 [%r4], %r5;\nbar.arrive 2, 64;\nadd.s32 %r5, %r5, 1;\n\
        setp.lt.s32 %p5, %r5, 4;\n@%p5 bra $PLOOP;\nbar.sync 1, 64;\nbra $END;\n$CONSUMER:\nbar.arrive 1, 64;\n$CLOOP:\n\
        bar.sync 2, 64;\nld.shared.u32 %r10, [%r4];\nbar.arrive 1, 64;\nadd.s32 %r5, %r5, 1;\nsetp.lt.s32 %p5, %r5, 4;\n\
        @%p5 bra $CLOOP;\n$END:\nret;\n}\n";
    undoes(
        text,
        ("$CONSUMER:\nbar.arrive 1, 64;\n", "$CONSUMER:\n"),
        "`bar.arrive 1, 64` is missing",
    );
}

#[test]
fn an_agent_that_arrives_for_others_gets_an_arrive_and_no_barrier() {
    let consumer = |agent: u8| {
        format!(
            "warp {agent} {{\n  barrier.arrive 1, 96\n  for k in 0..3 {{\n    barrier.sync 2, 96\n    load a\n    barrier.arrive 1, 96\n  }}\n}}\n"
        )
    };
    let text = format!(
        "target sm_90\nlaunch warps=3\nshared a[64]\nwarp 0 {{\n  for k in 0..3 {{\n    barrier.sync 1, 96\n    store a\n    \
        barrier.arrive 2, 96\n  }}\n  barrier.sync 1, 96\n}}\n{}{}",
        consumer(1),
        consumer(2)
    );
    for arrive in [
        "    barrier.arrive 1, 96\n",
        "    barrier.arrive 2, 96\n",
        "  barrier.arrive 1, 96\n  for",
    ] {
        let new = arrive.strip_prefix("  barrier.arrive 1, 96\n").unwrap_or_default();
        undoes(&text, (arrive, new), "`barrier.arrive");
    }
}

#[test]
fn a_parity_that_stays_the_same_is_updated_like_its_mirror() {
    for flip in ["phase ^= 1", "phase = phase ^ 1", "phase = 1 - phase"] {
        let text = slot(flip);
        let named = format!("`{flip}` is missing after `tlx.barrier_arrive");
        undoes(&text, (&format!("(full[0])\n    {flip}"), "(full[0])"), &named);
        undoes(&text, (&format!("(empty[0])\n    {flip}"), "(empty[0])"), &named);
    }
    // Without a mirror.
    let text = slot("phase ^= 1").replacen("let phase = 0\n  for", "for", 1);
    let text = text.replacen("(empty[0], phase ^ 1)", "(empty[0], (k & 1) ^ 1)", 1);
    let text = text.replacen("    phase ^= 1\n", "", 1);
    undoes(&text, ("    phase ^= 1\n", ""), "`phase ^= 1` is missing after `tlx.barrier_arrive");
    // At the end of the slots, and by the value of the other block.
    let next = "s += 1\n    if s == 1 {\n      s = 0\n      phase ^= 1\n    }";
    let text = slot(next).replace("let phase = 0", "let phase = 0\n  let s = 0");
    undoes(&text, ("      phase ^= 1\n", ""), "`phase ^= 1` is missing after `s = 0`");
    let value = (
        "let phase = (k / N) & 1\n    tlx.barrier_wait(full",
        "let phase = 0\n    tlx.barrier_wait(full",
    );
    undoes(RING, value, "must be `let phase = (k / N) & 1`");
    let text = slot("phase ^= 1");
    undoes(
        &text,
        ("(full[0], phase)", "(full[0], 0)"),
        "must be `tlx.barrier_wait(full[0], phase)`",
    );
}

#[test]
fn a_wait_for_a_free_slot_returns_at_launch() {
    let wait = "tlx.barrier_wait(empty[0], phase ^ 1)";
    undoes(
        &slot("phase ^= 1"),
        (wait, "tlx.barrier_wait(empty[0], phase)"),
        &format!("must be `{wait}`"),
    );
    let wait = "tlx.barrier_wait(empty[s], phase ^ 1)";
    undoes(RING, (wait, "tlx.barrier_wait(empty[s], phase)"), &format!("must be `{wait}`"));
    // The reader must wait for its data, whatever waits for it.
    let text = slot("phase ^= 1").replace("phase ^ 1)", "phase)");
    assert!(offer(&text).contains("empty[0], phase ^ 1"), "{}", offer(&text));
    // An arrive before the loop is missing: the arrivals do not suffice.
    let text = text.replace(
        "    tlx.barrier_arrive(empty[0])\n",
        "    if k < 4 { tlx.barrier_arrive(empty[0]) }\n",
    );
    assert!(!offer(&text).contains("phase ^ 1"), "{}", offer(&text));
}
