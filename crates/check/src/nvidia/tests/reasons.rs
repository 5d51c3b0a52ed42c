//! What is said of the reason of a broken rule: which values, which agents, which operation.

use crate::report::Finding;
use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::String;

const LAUNCH: &str = "target sm_90\nlaunch warps=2\nmbarrier b\nshared t[64]\nglobal g[64]\n";

/// The finding of a rule in a scenario.
fn found(text: &str, rule: &str) -> Finding {
    let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
    let mut findings = report.findings.into_iter();
    findings
        .find(|finding| finding.rule == rule)
        .unwrap_or_else(|| panic!("no {rule} in {text}: {:?}", report.diagnostics))
}

/// The same of a body of each of two warps.
fn of(first: &str, second: &str, rule: &str) -> Finding {
    found(&format!("{LAUNCH}warp 0 {{\n{first}\n}}\nwarp 1 {{\n{second}\n}}\n"), rule)
}

fn because(finding: &Finding) -> String {
    finding.because.join(" ")
}

fn remedy(finding: &Finding) -> &str {
    finding.remedy.as_deref().unwrap_or_default()
}

const INIT: &str = "mbarrier.init.shared::cta.b64 [b], 1\nbar.sync 0";
const WAIT: &str = "L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n@!p bra L";
const ARRIVE: &str = "mbarrier.arrive.shared::cta.b64 _, [b]";

#[test]
fn a_use_without_an_init_says_which_is_missing() {
    let rule = "ptx.mbarrier.valid-object";
    let none = of(ARRIVE, "", rule);
    assert!(because(&none).ends_with("No agent initialises it."), "{none:?}");
    assert!(remedy(&none).starts_with("Add `mbarrier.init"), "{none:?}");
    let late = of(INIT.split('\n').next().unwrap_or_default(), ARRIVE, rule);
    assert!(because(&late).starts_with("In this order it comes before `mbarrier.init"));
    let ended =
        of(&format!("{INIT}\nmbarrier.inval.shared::cta.b64 [b]\n{ARRIVE}"), "bar.sync 0", rule);
    let says =
        "`mbarrier.inval.shared::cta.b64 [b]` of warp 0 (line 9) ended it, and no init came since.";
    assert!(because(&ended).ends_with(says), "{ended:?}");
}

/// What a producer's first wait relies on is told as that, with the wait that would have been for the first phase.
#[test]
fn a_first_wait_on_parity_1_says_when_it_is_meant() {
    let first = format!("{INIT}\n{}", WAIT.replace("p, [b], 0", "p, [b], 1"));
    let told = found(
        &format!("{LAUNCH}warp 0 {{\n{first}\n}}\nwarp 1 {{\nbar.sync 0\n}}\n"),
        "ptx.mbarrier.first-parity",
    );
    assert!(because(&told).starts_with("That is intended where there is nothing to wait for yet"));
    assert!(because(&told).ends_with("asks for parity 0."), "{told:?}");
}

/// The init comes first in every order, and a relaxed arrive hands it to nobody.
#[test]
fn an_init_that_ran_is_not_said_to_be_missing() {
    let text = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\nmbarrier b\n
        cta 0 warp 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbarrier.cluster.arrive.relaxed\nbarrier.cluster.wait\n}
        cta 1 warp 0 {\nbarrier.cluster.arrive\nbarrier.cluster.wait\nmapa.shared::cluster.u32 r, b, 0\n
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]\n}\n";
    let told = found(text, "ptx.mbarrier.valid-object");
    assert!(told.message.ends_with("without being ordered behind its init."), "{}", told.message);
    let because = because(&told);
    assert!(because.contains("came first here, but nothing orders the two."), "{because}");
    assert!(because.contains("relaxed, and no fence before it releases in its place"), "{because}");
}

#[test]
fn bytes_that_come_late_or_are_too_many() {
    let rule = "ptx.mbarrier.never-completes";
    let late = of(
        &format!(
            "{INIT}\nmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64\n{ARRIVE}\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 64"
        ),
        &format!("bar.sync 0\n{WAIT}"),
        rule,
    );
    assert!(because(&late).contains("Nothing is missing: `mbarrier.expect_tx"), "{late:?}");
    assert!(!because(&late).contains("No agent has an arrive left"), "{late:?}");
    assert!(remedy(&late).contains("(line 10) after `mbarrier.expect_tx"), "{late:?}");
    let many = of(
        &format!(
            "{INIT}\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 63\nmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64"
        ),
        &format!("bar.sync 0\n{WAIT}"),
        rule,
    );
    assert!(because(&many).contains("; 1 byte more was completed than expected."), "{many:?}");
    assert!(
        remedy(&many).starts_with("Write `mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 64`"),
        "{many:?}"
    );
}

#[test]
fn an_arrive_that_counts_itself_in_is_called_that() {
    let copy = "cp.async.cg.shared.global [t[0..16]], [g[0..16]], 16";
    let body = |arrive: &str| format!("{INIT}\n{copy}\n{arrive}");
    let second = format!("bar.sync 0\n{WAIT}");
    let rule = "ptx.mbarrier.never-completes";
    let told = of(&body("cp.async.mbarrier.arrive.shared::cta.b64 [b]"), &second, rule);
    assert!(because(&told).contains("counts itself in before it arrives"), "{told:?}");
    assert!(because(&told).contains("with `.noinc` it would be one"), "{told:?}");
}

#[test]
fn a_hang_by_parity_says_which_phase_was_meant() {
    let text =
        include_str!("../../../../../tests/conformance/ptx/breaks-mbarrier-parity-alias.tide");
    let told = found(text, "ptx.mbarrier.parity-alias");
    assert!(
        told.message.ends_with(
            "comes too late for phase 0 of b: it waits for the end of phase 2, which has the same parity, and hangs."
        ),
        "{}",
        told.message
    );
    let hang = found(text, "ptx.mbarrier.never-completes");
    assert_ne!(told.message, hang.message);
}

#[test]
fn who_is_missing_where_agents_meet() {
    let text = "target sm_90\nlaunch warps=1 lanes=3\nmbarrier b\n
        warp 0 lane 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbar.warp.sync 7\nbar.warp.sync 7\n}
        warp 0 lane 1 {\nbar.warp.sync 7\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n@!p bra L\nbar.warp.sync 7\n}
        warp 0 lane 2 {\nbar.warp.sync 7\nbar.warp.sync 7\nmbarrier.arrive.shared::cta.b64 _, [b]\n}\n";
    let lanes = found(text, "ptx.bar.never-completes");
    assert!(because(&lanes).contains("wait at bar.warp.sync: warp 0 thread 1 has not arrived. warp 0 thread 1 is blocked at `mbarrier.try_wait"), "{lanes:?}");
    let hang = found(text, "ptx.mbarrier.never-completes");
    assert!(
        because(&hang)
            .ends_with("would arrive later, but is blocked too, at `bar.warp.sync 7` (line 18)."),
        "{hang:?}"
    );
    let cluster = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\n
        cta 0 warp 0 { barrier.cluster.wait }
        cta 1 warp 0 { barrier.cluster.arrive\n barrier.cluster.wait }\n";
    let hang = found(cluster, "ptx.bar.never-completes");
    assert!(because(&hang).contains("cta 0 warp 0 has not arrived."), "{hang:?}");
    let first = found(cluster, "ptx.cluster.arrive-once");
    assert!(first.message.ends_with("without an arrive of its own before it."), "{first:?}");
    assert_eq!(
        remedy(&first),
        "Add `barrier.cluster.arrive` before `barrier.cluster.wait` (line 4)."
    );
}

#[test]
fn values_and_places_stand_behind_a_rule() {
    let told = |name: &str, rule: &str, says: &str, text: &str| {
        let finding = found(text, rule);
        assert!(because(&finding).contains(says), "{name}: {finding:?}");
    };
    let both = |first: &str, second: &str| {
        format!("{LAUNCH}warp 0 {{\n{first}\n}}\nwarp 1 {{\n{second}\n}}\n")
    };
    let with = |text: &str| both(&format!("{INIT}\n{text}"), "bar.sync 0");
    told(
        "tx-range",
        "ptx.mbarrier.tx-range",
        "The tx-count of b is 1048575, and this expects 1 byte: it would be 1048576",
        &with(
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1048575\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1",
        ),
    );
    told(
        "leftover",
        "ptx.bar.leftover",
        "barrier 1 is left with 32 of 64 threads, by `bar.arrive 1, 64` of warp 0",
        &both("bar.arrive 1, 64", ""),
    );
    told(
        "count-multiple",
        "ptx.bar.count-multiple",
        "48 threads are no number of whole warps; 32 or 64 would be.",
        &both("bar.sync 1, 48", "bar.sync 1, 48"),
    );
    told(
        "red-mix",
        "ptx.bar.red-mix",
        "Arrived before it in this generation: `bar.",
        &both("bar.red.popc.u32 n, 1, 64, p", "bar.sync 1, 64"),
    );
    told(
        "drop-to-zero",
        "ptx.mbarrier.drop-to-zero",
        "b expects 1 arrival in each phase, and this drops 1: 0 would be left.",
        &with("mbarrier.arrive_drop.shared::cta.b64 _, [b]"),
    );
    told(
        "count-range",
        "ptx.mbarrier.count-range",
        "The count is 0; it lies between 1 and 1048575.",
        &both("mbarrier.init.shared::cta.b64 [b], 0", ""),
    );
    told(
        "pending-count-token",
        "ptx.mbarrier.pending-count-token",
        "The token is of `mbarrier.arrive.shared::cta.b64 s, [b]` of warp 0 (line 9), which is not marked .noComplete.",
        &with("mbarrier.arrive.shared::cta.b64 s, [b]\nmbarrier.pending_count.b64 n, s"),
    );
    told(
        "init-on-valid",
        "ptx.mbarrier.init-on-valid",
        "initialised it, and no inval came since.",
        &with("mbarrier.init.shared::cta.b64 [b], 1"),
    );
}

#[test]
fn who_stands_where_at_an_aligned_barrier() {
    let text = "target sm_90\nlaunch warps=1 lanes=2\n
        warp 0 lane 0 { bar.sync 0 }\nwarp 0 lane 1 {\nbar.sync 1\n}\n";
    let told = found(text, "ptx.bar.aligned");
    assert!(because(&told).contains(" waits for the whole warp"), "{told:?}");
}

#[test]
fn copies_in_groups_are_waited_for_by_their_group() {
    let rule = "ptx.async-copy.access";
    let copy = "cp.async.bulk.global.shared::cta.bulk_group [g], [t], 64";
    let one = |behind: &str| of(&format!("{copy}\n{behind}\nload g"), "", rule);
    let read = one("cp.async.bulk.commit_group\ncp.async.bulk.wait_group.read 0");
    assert!(
        because(&read).contains("is `.read`: it covers the source of the copy only"),
        "{read:?}"
    );
    assert!(remedy(&read).starts_with("Wait without `.read`"), "{read:?}");
    let open = one("cp.async.bulk.commit_group");
    assert!(
        because(&open).contains("puts it into a group of warp 0, and warp 0 has not waited"),
        "{open:?}"
    );
    let none = one("");
    assert!(remedy(&none).starts_with("Commit the copy to a group"), "{none:?}");
    let early = one("cp.async.bulk.wait_group 0\ncp.async.bulk.commit_group");
    assert!(because(&early).contains("the copy is in none"), "{early:?}");
    let some = one("cp.async.bulk.commit_group\ncp.async.bulk.wait_group 1");
    assert!(because(&some).contains("leaves up to 1 group incomplete"), "{some:?}");
    let other = of(
        &format!("{copy}\ncp.async.bulk.commit_group\ncp.async.bulk.wait_group 0"),
        "load g",
        rule,
    );
    assert!(
        remedy(&other).starts_with("Let a barrier, or an arrive and a wait, order"),
        "{other:?}"
    );
}

#[test]
fn an_arrive_behind_copies_is_no_copy() {
    let text = format!(
        "{LAUNCH}warp 0 {{\nmbarrier.init.shared::cta.b64 [b], 1\nbar.sync 0\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]\n{ARRIVE}\n}}\nwarp 1 {{\nbar.sync 0\n}}\n"
    );
    let report = check(&Scene::new("x.tide", &text), &Options::default(), &mut |_| true);
    let told = report.findings.iter().map(|finding| finding.message.as_str());
    let told: String = told.collect::<alloc::vec::Vec<&str>>().join("\n");
    assert!(!told.is_empty() && !told.contains("the copy started by `cp.async.mbarrier"), "{told}");
}

/// What one warp writes and the other reads behind its own write is meant to be written first.
#[test]
fn two_that_exchange_are_told_of_a_barrier_between_the_two_accesses() {
    let body = "store t[warp_id*8..warp_id*8+8]\nload t[8-warp_id*8..16-warp_id*8]";
    let text = format!("{LAUNCH}warp * {{\n{body}\n}}\n");
    let race = found(&text, "mem.race");
    let said = remedy(&race);
    assert!(said.starts_with("Add `bar.sync 0` after `store t"), "{said}");
    // In code of their own the one that came first is the one that hands over.
    let race = of("store t[0..8]", "load t[0..8]", "mem.race");
    assert!(remedy(&race).starts_with("Let warp 0 arrive behind `store"), "{}", remedy(&race));
}

/// That a use happens to come behind the init does not order the two.
#[test]
fn an_init_that_nothing_orders_is_missed_in_every_schedule() {
    let init = "mbarrier.init.shared::cta.b64 [b], 1\nmbarrier.arrive.shared::cta.b64 _, [b]";
    for rule in ["ptx.mbarrier.valid-object", "ptx.mbarrier.init-visibility"] {
        assert_eq!(of(init, WAIT, rule).schedules, "all", "{rule}");
    }
    // Where one of two ways orders them it is missed in the other alone.
    let first =
        "mbarrier.init.shared::cta.b64 [b], 1\nchoose { bar.sync 0 } or { bar.arrive 1, 64 }";
    let second =
        "choose { bar.sync 0 } or { bar.arrive 1, 64 }\nmbarrier.arrive.shared::cta.b64 _, [b]";
    assert_eq!(of(first, second, "ptx.mbarrier.valid-object").schedules, "some");
}
