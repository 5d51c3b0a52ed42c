//! The reasons of broken rules in messages: values, agents, operations.

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
    assert!(because(&none).ends_with("no agent initialises it"), "{none:?}");
    assert!(remedy(&none).starts_with("add `mbarrier.init"), "{none:?}");
    let late = of(INIT.split('\n').next().unwrap_or_default(), ARRIVE, rule);
    assert!(because(&late).contains("comes later in this order"));
    let ended =
        of(&format!("{INIT}\nmbarrier.inval.shared::cta.b64 [b]\n{ARRIVE}"), "bar.sync 0", rule);
    let says =
        "`mbarrier.inval.shared::cta.b64 [b]` (warp 0, line 9) invalidated it, and no init follows";
    assert!(because(&ended).ends_with(says), "{ended:?}");
}

/// The note describes the intended use of a producer's first wait, and the wait for the first phase.
#[test]
fn a_first_wait_on_parity_1_says_when_it_is_meant() {
    let first = format!("{INIT}\n{}", WAIT.replace("p, [b], 0", "p, [b], 1"));
    let told = found(
        &format!("{LAUNCH}warp 0 {{\n{first}\n}}\nwarp 1 {{\nbar.sync 0\n}}\n"),
        "ptx.mbarrier.first-parity",
    );
    assert!(because(&told).contains("this is intended if there is nothing to wait for"));
    assert!(because(&told).ends_with("uses parity 0"), "{told:?}");
}

/// The init is first in every order, but a relaxed arrive releases it to no agent.
#[test]
fn a_performed_init_is_not_reported_as_missing() {
    let text = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\nmbarrier b\n
        cta 0 warp 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbarrier.cluster.arrive.relaxed\nbarrier.cluster.wait\n}
        cta 1 warp 0 {\nbarrier.cluster.arrive\nbarrier.cluster.wait\nmapa.shared::cluster.u32 r, b, 0\n
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]\n}\n";
    let told = found(text, "ptx.mbarrier.valid-object");
    assert!(told.message.contains("is not ordered after the init"), "{}", told.message);
    let because = because(&told);
    assert!(because.contains("is not ordered before the use"), "{because}");
    assert!(because.contains("relaxed, and no fence before it releases"), "{because}");
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
    assert!(because(&late).contains("set the tx-count to zero after the last arrival"), "{late:?}");
    assert!(!because(&late).contains("no remaining operation arrives"), "{late:?}");
    assert!(remedy(&late).contains("(line 10) after `mbarrier.expect_tx"), "{late:?}");
    let many = of(
        &format!(
            "{INIT}\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 63\nmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64"
        ),
        &format!("bar.sync 0\n{WAIT}"),
        rule,
    );
    assert!(because(&many).contains("; 1 byte too many was completed"), "{many:?}");
    assert!(
        remedy(&many).starts_with("write `mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 64`"),
        "{many:?}"
    );
}

#[test]
fn an_arrive_that_raises_the_pending_count_is_described() {
    let copy = "cp.async.cg.shared.global [t[0..16]], [g[0..16]], 16";
    let body = |arrive: &str| format!("{INIT}\n{copy}\n{arrive}");
    let second = format!("bar.sync 0\n{WAIT}");
    let rule = "ptx.mbarrier.never-completes";
    let told = of(&body("cp.async.mbarrier.arrive.shared::cta.b64 [b]"), &second, rule);
    assert!(because(&told).contains("raises the pending count before it arrives"), "{told:?}");
    assert!(because(&told).contains("use `.noinc`"), "{told:?}");
}

#[test]
fn a_hang_by_parity_says_which_phase_was_meant() {
    let text =
        include_str!("../../../../../tests/conformance/ptx/breaks-mbarrier-parity-alias.tide");
    let told = found(text, "ptx.mbarrier.parity-alias");
    assert!(
        told.message.contains("misses phase 0 of `b` and waits for phase 2"),
        "{}",
        told.message
    );
    let hang = found(text, "ptx.mbarrier.never-completes");
    assert_ne!(told.message, hang.message);
}

#[test]
fn missing_agents_at_a_barrier_are_named() {
    let text = "target sm_90\nlaunch warps=1 lanes=3\nmbarrier b\n
        warp 0 lane 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbar.warp.sync 7\nbar.warp.sync 7\n}
        warp 0 lane 1 {\nbar.warp.sync 7\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n@!p bra L\nbar.warp.sync 7\n}
        warp 0 lane 2 {\nbar.warp.sync 7\nbar.warp.sync 7\nmbarrier.arrive.shared::cta.b64 _, [b]\n}\n";
    let lanes = found(text, "ptx.bar.never-completes");
    assert!(because(&lanes).contains("wait at `bar.warp.sync`: warp 0 thread 1 has not arrived; warp 0 thread 1 is blocked at `mbarrier.try_wait"), "{lanes:?}");
    let hang = found(text, "ptx.mbarrier.never-completes");
    assert!(
        because(&hang)
            .contains("would arrive later, but is also blocked, at `bar.warp.sync 7` (line 18)"),
        "{hang:?}"
    );
    let cluster = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\n
        cta 0 warp 0 { barrier.cluster.wait }
        cta 1 warp 0 { barrier.cluster.arrive\n barrier.cluster.wait }\n";
    let hang = found(cluster, "ptx.bar.never-completes");
    assert!(because(&hang).contains("cta 0 warp 0 has not arrived"), "{hang:?}");
    let first = found(cluster, "ptx.cluster.arrive-once");
    assert!(first.message.ends_with("without a preceding arrive"), "{first:?}");
    assert_eq!(
        remedy(&first),
        "add `barrier.cluster.arrive` before `barrier.cluster.wait` (line 4)"
    );
}

#[test]
fn a_rule_is_followed_by_values_and_positions() {
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
        "the tx-count of `b` is 1048575; expecting 1 byte changes it to 1048576",
        &with(
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1048575\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1",
        ),
    );
    told(
        "leftover",
        "ptx.bar.leftover",
        "barrier 1 ends with 32 of 64 threads, from `bar.arrive 1, 64` (warp 0",
        &both("bar.arrive 1, 64", ""),
    );
    told(
        "count-multiple",
        "ptx.bar.count-multiple",
        "48 threads are not a multiple of the warp size; 32 or 64 would be",
        &both("bar.sync 1, 48", "bar.sync 1, 48"),
    );
    told(
        "count-of-zero",
        "ptx.bar.count-multiple",
        "a thread count of 0 is not valid; the smallest is 32",
        &both("bar.sync 1, 0", "bar.sync 1, 0"),
    );
    told(
        "red-mix",
        "ptx.bar.red-mix",
        "earlier arrivals in this generation: `bar.",
        &both("bar.red.popc.u32 n, 1, 64, p", "bar.sync 1, 64"),
    );
    told(
        "drop-to-zero",
        "ptx.mbarrier.drop-to-zero",
        "`b` expects 1 arrival in each phase; dropping 1 leaves 0",
        &with("mbarrier.arrive_drop.shared::cta.b64 _, [b]"),
    );
    told(
        "count-range",
        "ptx.mbarrier.count-range",
        "the count is 0; valid counts are 1 to 1048575",
        &both("mbarrier.init.shared::cta.b64 [b], 0", ""),
    );
    told(
        "pending-count-token",
        "ptx.mbarrier.pending-count-token",
        "the token is from `mbarrier.arrive.shared::cta.b64 s, [b]` (warp 0, line 9), which is not marked .noComplete",
        &with("mbarrier.arrive.shared::cta.b64 s, [b]\nmbarrier.pending_count.b64 n, s"),
    );
    told(
        "init-on-valid",
        "ptx.mbarrier.init-on-valid",
        "initialised it, and no inval follows",
        &with("mbarrier.init.shared::cta.b64 [b], 1"),
    );
}

#[test]
fn positions_at_an_aligned_barrier_are_named() {
    let text = "target sm_90\nlaunch warps=1 lanes=2\n
        warp 0 lane 0 { bar.sync 0 }\nwarp 0 lane 1 {\nbar.sync 1\n}\n";
    let told = found(text, "ptx.bar.aligned");
    assert!(because(&told).contains(" waits for the whole warp"), "{told:?}");
}

#[test]
fn copies_in_groups_are_waited_for_by_their_group() {
    let rule = "ptx.async-copy.access";
    let copy = "cp.async.bulk.global.shared::cta.bulk_group [g], [t], 64";
    let one = |following: &str| of(&format!("{copy}\n{following}\nload g"), "", rule);
    let read = one("cp.async.bulk.commit_group\ncp.async.bulk.wait_group.read 0");
    assert!(
        because(&read).contains("is `.read`: it covers only the source of the copy"),
        "{read:?}"
    );
    let instead = "write `cp.async.bulk.wait_group 0` instead of `cp.async.bulk.wait_group.read 0`";
    assert!(remedy(&read).starts_with(instead), "{read:?}");
    let open = one("cp.async.bulk.commit_group");
    assert!(
        because(&open).contains("commits the copy to a group, and warp 0 has not waited"),
        "{open:?}"
    );
    let none = one("");
    assert!(remedy(&none).starts_with("commit the copy to a group"), "{none:?}");
    let early = one("cp.async.bulk.wait_group 0\ncp.async.bulk.commit_group");
    assert!(because(&early).contains("covers no group with the copy"), "{early:?}");
    let some = one("cp.async.bulk.commit_group\ncp.async.bulk.wait_group 1");
    assert!(because(&some).contains("leaves up to 1 group incomplete"), "{some:?}");
    let other = of(
        &format!("{copy}\ncp.async.bulk.commit_group\ncp.async.bulk.wait_group 0"),
        "load g",
        rule,
    );
    assert!(remedy(&other).starts_with("order `cp.async"), "{other:?}");
}

#[test]
fn an_arrive_after_copies_is_not_a_copy() {
    let text = format!(
        "{LAUNCH}warp 0 {{\nmbarrier.init.shared::cta.b64 [b], 1\nbar.sync 0\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]\n{ARRIVE}\n}}\nwarp 1 {{\nbar.sync 0\n}}\n"
    );
    let report = check(&Scene::new("x.tide", &text), &Options::default(), &mut |_| true);
    let told = report.findings.iter().map(|finding| finding.message.as_str());
    let told: String = told.collect::<alloc::vec::Vec<&str>>().join("\n");
    assert!(!told.is_empty() && !told.contains("the copy started by `cp.async.mbarrier"), "{told}");
}

/// A warp that reads after its own write is meant to read the value of the other warp.
#[test]
fn an_exchange_suggests_a_barrier_between_the_two_accesses() {
    let body = "store t[warp_id*8..warp_id*8+8]\nload t[8-warp_id*8..16-warp_id*8]";
    let text = format!("{LAUNCH}warp * {{\n{body}\n}}\n");
    let race = found(&text, "mem.race");
    let said = remedy(&race);
    assert!(said.starts_with("add `bar.sync 0` after `store t"), "{said}");
    // In separate code, the first access is meant to be first.
    let race = of("store t[0..8]", "load t[0..8]", "mem.race");
    assert!(remedy(&race).starts_with("make warp 0 arrive after `store"), "{}", remedy(&race));
    assert!(remedy(&race).ends_with(", for example with `bar.sync 0` at both places"));
}

/// Where two barriers are missing, no single edit is enough, and the help names the barrier of the language.
#[test]
fn the_help_names_the_barrier_of_the_language() {
    let body = "store t[warp_id*8..warp_id*8+8]\nload t[8-warp_id*8..16-warp_id*8]\nstore t[warp_id*8..warp_id*8+8]";
    let race = found(&format!("{LAUNCH}warp * {{\n{body}\n}}\n"), "mem.race");
    assert!(race.fix.is_none());
    let said = remedy(&race);
    assert!(said.starts_with("add `bar.sync 0` between `"), "{said}");
    assert!(said.ends_with("where both warp 0 and warp 1 execute it"), "{said}");
}

/// A use that happens to follow the init is not ordered after it.
#[test]
fn an_init_that_nothing_orders_is_missed_in_every_schedule() {
    let init = "mbarrier.init.shared::cta.b64 [b], 1\nmbarrier.arrive.shared::cta.b64 _, [b]";
    for rule in ["ptx.mbarrier.valid-object", "ptx.mbarrier.init-visibility"] {
        assert_eq!(of(init, WAIT, rule).schedules, "all", "{rule}");
    }
    // If one of two alternatives orders them, only the other one breaks the rule.
    let first =
        "mbarrier.init.shared::cta.b64 [b], 1\nchoose { bar.sync 0 } or { bar.arrive 1, 64 }";
    let second =
        "choose { bar.sync 0 } or { bar.arrive 1, 64 }\nmbarrier.arrive.shared::cta.b64 _, [b]";
    assert_eq!(of(first, second, "ptx.mbarrier.valid-object").schedules, "some");
}
