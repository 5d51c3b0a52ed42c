//! The reasons of broken rules in messages: values, agents, operations.

use crate::report::{Finding, Value};
use crate::testing::{edits, kinds, lines, lines_of};
use crate::{Options, Scene, check};
use alloc::format;
use alloc::vec::Vec;

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

fn remedy(finding: &Finding) -> &str {
    finding.remedy.as_deref().unwrap_or_default()
}

/// The warps that do not execute a barrier of a kernel skip it by a branch.
#[test]
fn help_for_a_skipped_barrier_names_the_branch() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry half()\n.reqntid 128\n{\n\
        .reg .pred %p;\n.reg .b32 %r<2>;\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, 96;\n\
        setp.gt.u32 %p, %r0, 63;\n@%p bra $L__BB0_2;\nbarrier.sync 1, %r1;\n$L__BB0_2:\nret;\n}\n";
    let stuck = found(text, "ptx.bar.never-completes");
    let said = remedy(&stuck);
    assert!(said.ends_with("execute it, which the branch in line 12 skips"), "{said}");
}

const INIT: &str = "mbarrier.init.shared::cta.b64 [b], 1\nbar.sync 0";
const WAIT: &str = "L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n@!p bra L";
const ARRIVE: &str = "mbarrier.arrive.shared::cta.b64 _, [b]";

#[test]
fn a_use_without_an_init_says_which_is_missing() {
    let rule = "ptx.mbarrier.valid-object";
    let none = of(ARRIVE, "", rule);
    assert_eq!(kinds(&none), ["no-init"]);
    assert_eq!(edits(&none), [(7, "mbarrier.init.shared::cta.b64 [b], 1\n")]);
    let late = of(INIT.split('\n').next().unwrap_or_default(), ARRIVE, rule);
    assert_eq!(kinds(&late), ["init-later"]);
    let ended =
        of(&format!("{INIT}\nmbarrier.inval.shared::cta.b64 [b]\n{ARRIVE}"), "bar.sync 0", rule);
    assert_eq!(kinds(&ended), ["invalidated-by"]);
    assert_eq!(lines(&ended), [10, 9]);
}

/// The notes describe the intended use of a producer's first wait, and the wait for the first phase.
#[test]
fn a_first_wait_on_parity_1_says_when_it_is_meant() {
    let first = format!("{INIT}\n{}", WAIT.replace("p, [b], 0", "p, [b], 1"));
    let told = of(&first, "bar.sync 0", "ptx.mbarrier.first-parity");
    let facts = ["no-phase-before-first", "may-be-intended", "first-phase-has-parity-0"];
    assert_eq!(kinds(&told), facts);
}

/// The init is first in every order, but a relaxed arrive releases it to no agent.
#[test]
fn a_performed_init_is_not_reported_as_missing() {
    let text = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\nmbarrier b\n
        cta 0 warp 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbarrier.cluster.arrive.relaxed\nbarrier.cluster.wait\n}
        cta 1 warp 0 {\nbarrier.cluster.arrive\nbarrier.cluster.wait\nmapa.shared::cluster.u32 r, b, 0\n
        mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r]\n}\n";
    let told = found(text, "ptx.mbarrier.valid-object");
    assert_eq!(told.cause.kind, "not-ordered-after-init");
    let facts =
        ["init-first-by-chance", "observed-without-synchronization", "relaxed-without-fence"];
    assert_eq!(kinds(&told), facts);
    assert_eq!(told.cause.facts[2].fields["releases"], Value::Flag(true));
}

#[test]
fn bytes_that_come_late_or_are_too_many() {
    let rule = "ptx.mbarrier.never-completes";
    let expect = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 64";
    let complete = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64";
    let second = format!("bar.sync 0\n{WAIT}");
    let late = of(&format!("{INIT}\n{complete}\n{ARRIVE}\n{expect}"), &second, rule);
    assert_eq!(kinds(&late), ["blocked", "late-expect", "no-agent-continues"]);
    assert_eq!(edits(&late), [(10, expect), (11, ARRIVE)]);
    let arrive = |bytes: u32| format!("mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], {bytes}");
    let many = of(&format!("{INIT}\n{}\n{complete}", arrive(63)), &second, rule);
    assert_eq!(kinds(&many), ["blocked", "no-expect-remains", "no-agent-continues"]);
    assert_eq!(many.cause.facts[0].fields["bytes"], Value::Number(-1));
    assert_eq!(edits(&many), [(9, &*arrive(64))]);
}

#[test]
fn an_arrive_that_raises_the_pending_count_is_described() {
    let copy = "cp.async.cg.shared.global [t[0..16]], [g[0..16]], 16";
    let body = format!("{INIT}\n{copy}\ncp.async.mbarrier.arrive.shared::cta.b64 [b]");
    let told = of(&body, &format!("bar.sync 0\n{WAIT}"), "ptx.mbarrier.never-completes");
    assert!(kinds(&told).contains(&"arrive-raises-pending"), "{told:?}");
}

#[test]
fn a_hang_by_parity_says_which_phase_was_meant() {
    let text =
        include_str!("../../../../../tests/conformance/ptx/breaks-mbarrier-parity-alias.tide");
    let told = found(text, "ptx.mbarrier.parity-alias");
    assert_eq!(told.cause.kind, "misses-phase");
    let phases = ["missed", "matched"].map(|phase| &told.cause.fields[phase]);
    assert_eq!(phases, [&Value::Number(0), &Value::Number(2)]);
    let hang = found(text, "ptx.mbarrier.never-completes");
    assert_eq!(hang.cause.kind, "waits-never-return");
}

#[test]
fn missing_agents_at_a_barrier_are_named() {
    let text = "target sm_90\nlaunch warps=1 lanes=3\nmbarrier b\n
        warp 0 lane 0 {\nmbarrier.init.shared::cta.b64 [b], 1\nbar.warp.sync 7\nbar.warp.sync 7\n}
        warp 0 lane 1 {\nbar.warp.sync 7\nL: mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0\n@!p bra L\nbar.warp.sync 7\n}
        warp 0 lane 2 {\nbar.warp.sync 7\nbar.warp.sync 7\nmbarrier.arrive.shared::cta.b64 _, [b]\n}\n";
    let lanes = found(text, "ptx.bar.never-completes");
    let blocked = &lanes.cause.facts[0];
    assert_eq!(blocked.names("object"), ["bar.warp.sync"]);
    assert_eq!(blocked.names("missing"), ["warp 0 thread 1"]);
    assert_eq!(lines_of(&blocked.fields["held"]), [12]);
    let hang = found(text, "ptx.mbarrier.never-completes");
    let before = hang.cause.facts_of("blocked-before-arrive").next().expect("a later arrive");
    assert_eq!(lines_of(&before.fields["at"]), [18]);
    let cluster = "target sm_90\nlaunch ctas=2 warps=1 clusters=1\n
        cta 0 warp 0 { barrier.cluster.wait }
        cta 1 warp 0 { barrier.cluster.arrive\n barrier.cluster.wait }\n";
    let hang = found(cluster, "ptx.bar.never-completes");
    assert_eq!(hang.cause.facts[0].names("missing"), ["cta 0 warp 0"]);
    let first = found(cluster, "ptx.cluster.arrive-once");
    assert_eq!(first.cause.kind, "cluster-wait-without-arrive");
    assert_eq!(kinds(&first), ["cluster-never-arrived"]);
    assert_eq!(edits(&first), [(4, "barrier.cluster.arrive; ")]);
}

#[test]
fn a_rule_is_followed_by_values_and_positions() {
    let both = |first: &str, second: &str| {
        format!("{LAUNCH}warp 0 {{\n{first}\n}}\nwarp 1 {{\n{second}\n}}\n")
    };
    let with = |text: &str| both(&format!("{INIT}\n{text}"), "bar.sync 0");
    let told = |rule: &str, kind: &str, numbers: &[(&str, i64)], places: &[u32], text: &str| {
        let finding = found(text, rule);
        assert_eq!(kinds(&finding), [kind], "{finding:?}");
        let fact = &finding.cause.facts[0];
        for (field, number) in numbers {
            assert_eq!(fact.fields[*field], Value::Number(*number), "{rule}: {field}");
        }
        let lines: Vec<u32> = fact.places().iter().map(|place| place.line).collect();
        assert_eq!(lines, places, "{rule}");
    };
    told(
        "ptx.mbarrier.tx-range",
        "tx-count-out-of-range",
        &[("count", 1_048_575), ("bytes", 1), ("result", 1_048_576)],
        &[],
        &with(
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1048575\nmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1",
        ),
    );
    told(
        "ptx.bar.leftover",
        "arrivals-left-over",
        &[("arrived", 32), ("expected", 64)],
        &[7],
        &both("bar.arrive 1, 64", ""),
    );
    for threads in [48, 0] {
        let sync = format!("bar.sync 1, {threads}");
        let numbers = [("threads", threads)];
        told("ptx.bar.count-multiple", "not-a-warp-multiple", &numbers, &[], &both(&sync, &sync));
    }
    told(
        "ptx.bar.red-mix",
        "generation-arrivals",
        &[],
        &[7],
        &both("bar.red.popc.u32 n, 1, 64, p", "bar.sync 1, 64"),
    );
    told(
        "ptx.mbarrier.drop-to-zero",
        "drop-leaves",
        &[("expected", 1), ("dropped", 1), ("left", 0)],
        &[],
        &with("mbarrier.arrive_drop.shared::cta.b64 _, [b]"),
    );
    told(
        "ptx.mbarrier.count-range",
        "count-out-of-range",
        &[("count", 0)],
        &[],
        &both("mbarrier.init.shared::cta.b64 [b], 0", ""),
    );
    told(
        "ptx.mbarrier.pending-count-token",
        "token-from",
        &[],
        &[9],
        &with("mbarrier.arrive.shared::cta.b64 s, [b]\nmbarrier.pending_count.b64 n, s"),
    );
    told(
        "ptx.mbarrier.init-on-valid",
        "initialised-by",
        &[],
        &[7],
        &with("mbarrier.init.shared::cta.b64 [b], 1"),
    );
}

#[test]
fn positions_at_an_aligned_barrier_are_named() {
    let text = "target sm_90\nlaunch warps=1 lanes=2\n
        warp 0 lane 0 { bar.sync 0 }\nwarp 0 lane 1 {\nbar.sync 1\n}\n";
    let told = found(text, "ptx.bar.aligned");
    assert_eq!(kinds(&told), ["lanes-elsewhere"]);
    assert_eq!(lines_of(&told.cause.facts[0].fields["waiting"]), [4]);
}

#[test]
fn copies_in_groups_are_waited_for_by_their_group() {
    let rule = "ptx.async-copy.access";
    let copy = "cp.async.bulk.global.shared::cta.bulk_group [g], [t], 64";
    let (commit, wait) = ("cp.async.bulk.commit_group", "cp.async.bulk.wait_group 0");
    let one = |following: &str| of(&format!("{copy}\n{following}\nload g"), "", rule);
    let read = one(&format!("{commit}\ncp.async.bulk.wait_group.read 0"));
    assert_eq!(kinds(&read), ["wait-covers-source-only"]);
    assert_eq!(edits(&read), [(9, wait)]);
    let open = one(commit);
    assert_eq!(kinds(&open), ["group-not-waited"]);
    assert_eq!(lines(&open), [7, 9, 8]);
    // Without a commit, one edit is not enough.
    let none = one("");
    assert_eq!((kinds(&none), lines(&none)), (["group-not-waited"].into(), [7, 9].into()));
    assert!(none.fix.is_none(), "{none:?}");
    let early = one(&format!("{wait}\n{commit}"));
    assert_eq!(kinds(&early), ["wait-covers-no-group"]);
    let some = one(&format!("{commit}\ncp.async.bulk.wait_group 1"));
    assert_eq!(kinds(&some), ["wait-leaves-groups"]);
    assert_eq!(some.cause.facts[0].fields["groups"], Value::Number(1));
    assert_eq!(edits(&some), [(9, wait)]);
    let other = of(&format!("{copy}\n{commit}\n{wait}"), "load g", rule);
    assert_eq!((kinds(&other), lines(&other)), (["reached-later"].into(), [7, 12, 9].into()));
}

#[test]
fn an_arrive_after_copies_is_not_a_copy() {
    let arrives = format!("{INIT}\ncp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]\n{ARRIVE}");
    let text = format!("{LAUNCH}warp 0 {{\n{arrives}\n}}\nwarp 1 {{\nbar.sync 0\n}}\n");
    let told = found(&text, "ptx.mbarrier.missing-wait");
    assert_eq!((told.cause.kind.as_str(), lines(&told)), ("arrives-before-wait", [9, 10].into()));
    // The agent is that of a copy, but the words are not.
    assert!(told.message.starts_with("the asynchronous arrive of `cp.async"), "{}", told.message);
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
    let places: Vec<u32> = race.fix.iter().flat_map(|fix| &fix.edits).map(|it| it.line).collect();
    assert_eq!(places.len(), 2, "{}", remedy(&race));
}

/// Where three barriers are missing, no two edits are enough, and the help names the barrier of the language.
#[test]
fn the_help_names_the_barrier_of_the_language() {
    let body = "store t[warp_id*8..warp_id*8+8]\nload t[8-warp_id*8..16-warp_id*8]\nstore t[warp_id*8..warp_id*8+8]\nload t[8-warp_id*8..16-warp_id*8]";
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
