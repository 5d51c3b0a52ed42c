//! Changes of the text that mend a finding, tried before they are offered.
//!
//! What usually mends a broken rule is known from the rule ([`table`]); whether it does so here is judged: the changed
//! scenario must break that rule less often and no rule that was kept, and be `ok` where the rule decides the verdict. States
//! that are looked at for this are no part of the verdict and are not counted in its statistics.

mod parity;
mod round;
mod statement;
mod table;

use crate::check::check;
use crate::judge::KeepGoing;
use crate::memory::fix;
use crate::report::{Finding, Fix, Report};
use crate::scene::{Options, Scene};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// Most changes that are tried for one report.
const MOST_TRIES: usize = 16;
/// Most states of a scenario for which changes are tried.
const MOST_STATES: u64 = 4_000;
/// Most states that all tries of a small scenario may take; of others thrice their own.
const FEW_STATES: u64 = 1_200;

/// Offers a change for every finding that has none, where one that is known for its rule mends it.
pub(crate) fn offer(
    scene: &Scene,
    options: &Options,
    report: &mut Report,
    keep_going: KeepGoing<'_>,
) {
    if report.stats.states > MOST_STATES {
        return;
    }
    let before = (counts(report), everywhere(report));
    let (mut tries, mut states) = (MOST_TRIES, FEW_STATES.max(3 * report.stats.states));
    // An edit that was read off the execution is tried like those of the table. Fixes of races were tried already.
    for index in 0..report.findings.len() {
        let finding = &report.findings[index];
        if finding.class == "race" || tries == 0 || states == 0 {
            continue;
        }
        let Some(change) = finding.fix.clone() else { continue };
        tries -= 1;
        let options = Options { max_states: Some(states), ..options.clone() };
        let after = changed(scene, &options, &change, keep_going);
        states = states.saturating_sub(after.stats.states);
        let decides = !matches!(&*finding.class, "lint" | "hazard");
        if !mends((&before, finding), &after) || decides && after.verdict != "ok" {
            let finding = &mut report.findings[index];
            finding.fix = None;
            let kept =
                |said: String| said.strip_suffix(&*change.message).map(|it| it.trim().into());
            finding.remedy = finding.remedy.take().map(|said| kept(said.clone()).unwrap_or(said));
        }
    }
    let mut mended: Vec<(usize, Fix)> = Vec::new();
    for (index, finding) in report.findings.iter().enumerate() {
        if finding.fix.is_some() {
            continue;
        }
        // What decides the verdict is mended only where nothing else is left to decide it.
        let decides = !matches!(&*finding.class, "lint" | "hazard");
        let turns = table::turns(scene, &report.target, finding);
        let turns = turns.into_iter().map(|change| (change, true));
        let changes = table::changes(scene, &report.target, finding);
        for (change, everything) in turns.chain(changes.into_iter().map(|change| (change, false))) {
            if tries == 0 || states == 0 {
                break;
            }
            tries -= 1;
            let options = Options { max_states: Some(states), ..options.clone() };
            let after = changed(scene, &options, &change, keep_going);
            states = states.saturating_sub(after.stats.states);
            let needs_ok = everything || decides;
            if mends((&before, finding), &after) && (after.verdict == "ok" || !needs_ok) {
                mended.push((index, change));
                break;
            }
        }
    }
    for (index, change) in mended {
        let finding = &mut report.findings[index];
        finding.remedy = Some(match finding.remedy.take() {
            // What is said of this very execution stays: the button says what it does.
            Some(said) if !table::is_of_the_rule(&finding.rule, &said) => said,
            _ => change.message.clone(),
        });
        finding.fix = Some(change);
    }
}

/// How often each rule is broken.
fn counts(report: &Report) -> BTreeMap<String, usize> {
    report.findings.iter().fold(BTreeMap::new(), |mut counts, finding| {
        *counts.entry(finding.rule.clone()).or_default() += 1;
        counts
    })
}

/// The rules that are broken in every schedule.
fn everywhere(report: &Report) -> BTreeSet<String> {
    let all = report.findings.iter().filter(|finding| finding.schedules == "all");
    all.map(|finding| finding.rule.clone()).collect()
}

/// What a scenario broke: how often each rule, and which rules in every schedule.
type Before = (BTreeMap<String, usize>, BTreeSet<String>);

/// The report of a scenario after a change.
fn changed(scene: &Scene, options: &Options, change: &Fix, keep_going: KeepGoing<'_>) -> Report {
    let text = fix::apply(scene.text(), change);
    let options = Options {
        ambiguities: false,
        machine: false,
        shortest: false,
        participates_in: false,
        ..options.clone()
    };
    check(&Scene::new(scene.file(), &text), &options, keep_going)
}

/// Whether a change leaves fewer findings of a rule, adds none of another, and makes none of a schedule one of all.
fn mends(((before, all), finding): (&Before, &Finding), after: &Report) -> bool {
    let counted = counts(after);
    let at_most = |rule: &String, count: usize| before.get(rule).is_some_and(|most| count <= *most);
    after.exhaustive
        && counted.get(&finding.rule).copied().unwrap_or(0) < before[&finding.rule]
        && counted.iter().all(|(rule, count)| at_most(rule, *count))
        && everywhere(after).is_subset(all)
        && after.diagnostics.iter().all(|it| it.severity != "error")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the fix of the finding of a rule; it breaks the rule no more.
    fn mended(text: &str, rule: &str) -> String {
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let report = judged(text);
        let finding = report.findings.iter().find(|finding| finding.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("{rule} is kept: {:?}", report.diagnostics));
        let change = finding.fix.clone();
        let change = change.unwrap_or_else(|| panic!("no change: {:?}", finding.remedy));
        let after = fix::apply(text, &change);
        let report = judged(&after);
        assert!(report.findings.iter().filter(|it| it.rule == rule).count() == 0, "{after}");
        after
    }

    #[test]
    fn a_wait_that_hangs_where_phases_are_missed_is_not_made_one_that_keeps_nobody() {
        let text = "target gfx942\nlaunch waves=3\nlds t[64]\na = tlx.alloc_barriers(1, arrive_count=1)\nwave 0-1 {\n  tlx.barrier_arrive(a[0], 1)\n}\nwave 2 {\n  tlx.barrier_wait(a[0], 0)\n}\n";
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let report = judged(text);
        let turned =
            report.findings.iter().flat_map(|it| &it.fix).find(|it| it.message.contains("parity"));
        assert_eq!((&*report.verdict, turned), ("deadlock", None));
        let after = mended(text, "tlx.arrive-count");
        assert!(after.contains("arrive_count=2"), "{after}");
        assert_eq!(judged(&after).verdict, "ok");
    }

    #[test]
    fn a_wave_that_has_not_joined_joins_before_it_arrives() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\nwave 0 {\n  init b, 2\n  arrive wg; wait wg\n  arrive b\n  wait b\n}\nwave 1 {\n  arrive wg; wait wg\n  join b\n  arrive b\n  wait b\n}\n";
        assert!(mended(text, "amd.join.before-wait").contains("wait wg\n  join b; arrive b"));
        let text = text.replacen("arrive b\n  wait b", "s_barrier_signal b\n  s_barrier_wait b", 1);
        let mended = mended(&text, "amd.join.before-wait");
        assert!(mended.contains("s_barrier_join b; s_barrier_signal b"), "{mended}");
    }

    #[test]
    fn waves_that_leave_too_early_wait() {
        let text =
            "target model\nlaunch waves=2\nwave 0 { arrive wg }\nwave 1 { arrive wg; wait wg }\n";
        assert!(mended(text, "amd.drop.race").contains("wave 0 { arrive wg; wait wg }"));
        let text = "target gfx1200\nlaunch waves=2\nwave 0 {\n  s_barrier_signal -1\n}\nwave 1 { s_barrier_signal -1; s_barrier_wait -1 }\n";
        assert!(
            mended(text, "amd.drop.race").contains("s_barrier_signal -1; s_barrier_wait -1\n}")
        );
    }

    #[test]
    fn a_late_join_comes_first() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
            wave 0 { init b, 1; arrive wg; wait wg; arrive b }\n\
            wave 1 { arrive wg; wait wg; join b; wait b }\n";
        let after = mended(text, "amd.join.before-wait");
        assert!(after.contains("wave 1 { join b; arrive wg; wait wg; wait b }"), "{after}");
    }

    #[test]
    fn counts_are_put_right() {
        let text = "target sm_90\nlaunch warps=2\nwarp 0-1 { bar.sync 0, 48 }\n";
        assert!(mended(text, "ptx.bar.count-multiple").contains("bar.sync 0, 64"));
        let text =
            "target model\nlaunch waves=1\nbarrier b\nwave 0 { init b, 0; arrive b; wait b }\n";
        assert!(mended(text, "amd.init.positive").contains("init b, 1;"));
    }

    #[test]
    fn a_wait_by_the_wrong_parity_is_turned() {
        let text = "target sm_90\nlaunch warps=2\nmbarrier full\nmbarrier empty\nshared tile[64]\n\
            warp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared::cta.b64 [empty], 1; bar.sync 0\n\
            for i in 0..4 {\n  P: mbarrier.try_wait.parity.shared::cta.b64 p, [empty], (i & 1) ^ 1\n  @!p bra P\n\
            store tile\n  mbarrier.arrive.shared::cta.b64 _, [full]\n  }\n}\n\
            warp 1 {\n  bar.sync 0\n  for i in 0..4 {\n  C: mbarrier.try_wait.parity.shared::cta.b64 p, [full], (i & 1) ^ 1\n  @!p bra C\n\
            load tile\n  mbarrier.arrive.shared::cta.b64 _, [empty]\n  }\n}\n";
        let after = mended(text, "ptx.mbarrier.missing-wait");
        assert!(
            after.contains("[full], (i & 1)\n") && after.contains("[empty], (i & 1) ^ 1\n"),
            "{after}"
        );
    }

    #[test]
    fn what_is_not_ordered_gets_a_barrier() {
        let text = "target sm_90\nlaunch warps=2\nmbarrier b\n\
            warp 0 {\n  mbarrier.init.shared::cta.b64 [b], 1\n}\n\
            warp 1 { mbarrier.arrive.shared::cta.b64 _, [b] }\n";
        let after = mended(text, "ptx.mbarrier.init-visibility");
        assert!(after.contains("[b], 1; bar.sync 0\n"), "{after}");
        assert!(after.contains("warp 1 { bar.sync 0; mbarrier"), "{after}");
        let text = "target opencl\nlaunch subgroups=1 items=2\n\
            kernel void f(local int *t, global int *out) {\n  int l = get_local_id(0);\n  t[l] = l;\n\
            if (l == 0) {\n    out[0] = t[1];\n  }\n}\n";
        let after = mended(text, "mem.race");
        assert!(after.contains("barrier(CLK_LOCAL_MEM_FENCE); if (l == 0)"), "{after}");
    }

    #[test]
    fn a_change_that_breaks_something_else_mends_nothing() {
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let early = judged(
            "target sm_90\nlaunch warps=2\nmbarrier b\nwarp 0 { mbarrier.init.shared::cta.b64 [b], 1; bar.sync 0 }\nwarp 1 { bar.sync 1, 48 }\n",
        );
        let before = (counts(&early), everywhere(&early));
        let finding = &early.findings[0];
        let ok = judged("target sm_90\nlaunch warps=1\nwarp 0 { bar.sync 0 }\n");
        assert!(mends((&before, finding), &ok));
        let other = judged(
            "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 { mbarrier.inval.shared::cta.b64 [b] }\n",
        );
        assert!(!other.findings.is_empty() && !mends((&before, finding), &other));
        assert!(!mends((&before, finding), &early));
    }
}
