//! Judgements of programs of OpenCL.

use super::replay::Replay;
use super::system::OpenclSystem;
use crate::judge::rules::Rules;
use crate::judge::{Broken, Judgement, KeepGoing, Step, concrete, run};
use crate::scene::Options;
use alloc::vec::Vec;
use tidegate_explore::{End, Found};
use tidegate_model::opencl::machine::{Machine, bit, number, reported};
use tidegate_model::rule::RuleId;

/// Most work-items with which shorter witnesses are searched for without reductions.
const FEW_ITEMS: usize = 8;

/// Judges a program.
pub(super) fn judge(
    machine: &Machine,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let (system, rules) = (OpenclSystem(machine), rules());
    let found = run(&system, options, rules.worst(witnesses), keep_going);
    let few = is_small(machine);
    let always =
        if witnesses { rules.always(&system, &found, few, keep_going) } else { found.always };
    let mut judgement = rules.judgement(&found, always, found.end == End::Complete);
    if witnesses {
        find_witnesses(machine, &found, &mut judgement.broken, options.shortest, keep_going);
    }
    judgement
}

fn rules() -> Rules {
    let at_end = alloc::vec![RuleId::OpenclNamedNeverCompletes];
    Rules { all: reported().collect(), number, at_end }
}

/// Whether it has so few work-items that it can be searched without reductions.
fn is_small(machine: &Machine) -> bool {
    machine.context.program.agents.len() <= FEW_ITEMS
}

fn find_witnesses(
    machine: &Machine,
    found: &Found,
    broken: &mut [Broken],
    shortest: bool,
    keep_going: KeepGoing<'_>,
) {
    let rules = rules();
    let mut look = || rules.shorter(&OpenclSystem(machine), found, keep_going);
    let shorter = if shortest && is_small(machine) { look() } else { None };
    for broken in broken {
        let number = number(broken.rule);
        let nearest = shorter.as_ref().and_then(|other| other.path(number));
        broken.shortest = rules.is_at_end(broken.rule) || nearest.is_some();
        let path = nearest.or_else(|| found.path(number)).unwrap_or_default();
        let (path, _) = concrete(machine, &path, |state| machine.canonicalise(state));
        broken.path = if broken.shortest { path } else { needed(machine, broken.rule, path) };
    }
}

/// The same path without the steps of work-items that nothing in it needs: the last step of each of the others is left
/// out for as long as what is left can be performed and breaks the rule.
fn needed(machine: &Machine, rule: RuleId, mut path: Vec<Step>) -> Vec<Step> {
    let breaks = |path: &[Step]| {
        let mut replay = Replay::new(machine.clone());
        path.iter().all(|step| replay.perform(*step))
            && machine.broken(replay.state(), false) & bit(rule) != 0
    };
    let Some(last) = path.last().copied() else { return path };
    let before = path.clone();
    let mut agents: Vec<usize> = path.iter().map(|step| step.agent).collect();
    agents.sort_unstable();
    agents.dedup();
    let mut tries = MOST_TRIES;
    // What the host passes is needed by all.
    let first = usize::from(machine.context.program.host_chooses);
    for agent in agents.into_iter().filter(|&agent| agent != last.agent) {
        tries = tries.saturating_sub(path.len());
        let kept =
            |(at, step): (usize, &Step)| (step.agent != agent || at < first).then_some(*step);
        let without: Vec<Step> = path.iter().enumerate().filter_map(kept).collect();
        if tries > 0 && breaks(&without) {
            path = without;
        }
    }
    if breaks(&path) { path } else { before }
}

/// Most steps that are replayed to make a witness shorter.
const MOST_TRIES: usize = 4000;
