//! Judgements of programs of OpenCL.

use super::replay::Replay;
use super::system::{OpenclSystem, concrete};
use crate::judge::{
    Broken, Judgement, KeepGoing, Progress, Step, WITNESS_BYTES, WITNESS_STATES, run, verdict,
};
use crate::scene::Options;
use alloc::vec::Vec;
use tidegate_explore::{Bounds, End, Facts, Found, Plan, search};
use tidegate_model::opencl::machine::{Machine, bit, number, reported};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Most work-items with which shorter witnesses are searched for without reductions.
const FEW_ITEMS: usize = 8;

/// Judges a program.
pub(super) fn judge(
    machine: &Machine,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let until_any =
        if witnesses { Facts::default() } else { Facts(u128::from(of_class(Class::Ub))) };
    let found = run(&OpenclSystem(machine), options, until_any, keep_going);
    let always = if witnesses { always(machine, &found, keep_going) } else { found.always };
    let mut judgement = judged(&found, always);
    if witnesses {
        find_witnesses(machine, &found, &mut judgement.broken, keep_going);
    }
    judgement
}

/// The rules that can show at the end of a path alone.
fn at_end() -> u64 {
    bit(RuleId::OpenclNamedNeverCompletes)
}

fn of_class(class: Class) -> u64 {
    reported().filter(|rule| rule.get().class == Some(class)).fold(0, |set, rule| set | bit(rule))
}

fn find_witnesses(
    machine: &Machine,
    found: &Found,
    broken: &mut [Broken],
    keep_going: KeepGoing<'_>,
) {
    let shorter = shorter(machine, found, keep_going);
    for broken in broken {
        let number = number(broken.rule);
        let nearest = shorter.as_ref().and_then(|other| other.path(number));
        let at_end = at_end() & bit(broken.rule) != 0;
        broken.shortest = at_end || nearest.is_some();
        let path = nearest.or_else(|| found.path(number)).unwrap_or_default();
        let path = concrete(machine, &path);
        broken.path = if broken.shortest { path } else { needed(machine, broken.rule, path) };
    }
}

/// Looks for shorter paths to what a path can break before its end, without reductions and within a bound.
fn shorter(machine: &Machine, found: &Found, keep_going: KeepGoing<'_>) -> Option<Found> {
    let until = found.somewhere.0 & !u128::from(at_end());
    if machine.context.program.agents.len() > FEW_ITEMS {
        return None;
    }
    let bits = (0..64).filter(|bit| until & 1 << bit != 0);
    let longest = bits.filter_map(|bit| found.path(bit)).map(|path| path.len()).max()?;
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, depth: longest as u32 };
    let plan = Plan { reduce: false, bounds, until: Facts(until), ..Plan::default() };
    Some(plain(machine, plan, keep_going))
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
    for agent in agents.into_iter().filter(|&agent| agent != last.agent) {
        tries = tries.saturating_sub(path.len());
        let without: Vec<Step> = path.iter().filter(|step| step.agent != agent).copied().collect();
        if tries > 0 && breaks(&without) {
            path = without;
        }
    }
    if breaks(&path) { path } else { before }
}

/// Most steps that are replayed to make a witness shorter.
const MOST_TRIES: usize = 4000;

/// The facts of every end. Where a path ends early, reductions may have put other steps before its end, and with them
/// rules that a path breaks and survives: those count as met in every schedule only if a search without reductions says
/// so within its bound.
fn always(machine: &Machine, found: &Found, keep_going: KeepGoing<'_>) -> Facts {
    let survived = [Class::Violation, Class::Race, Class::Hazard, Class::Lint];
    let survived = survived.into_iter().fold(0, |set, class| set | u128::from(of_class(class)));
    if found.always.0 & survived == 0 || found.somewhere.0 & u128::from(of_class(Class::Ub)) == 0 {
        return found.always;
    }
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, ..Bounds::default() };
    let few = machine.context.program.agents.len() <= FEW_ITEMS;
    let plan = Plan { reduce: false, bounds, ..Plan::default() };
    let all = few.then(|| plain(machine, plan, keep_going));
    match all {
        Some(all) if all.end == End::Complete => all.always,
        _ => Facts(found.always.0 & !survived),
    }
}

fn plain(machine: &Machine, plan: Plan, keep_going: KeepGoing<'_>) -> Found {
    search(&OpenclSystem(machine), plan, &mut |progress| {
        keep_going(Progress { states: progress.states, frontier: progress.frontier })
    })
}

fn judged(found: &Found, always: Facts) -> Judgement {
    let complete = found.end == End::Complete;
    let met = |rule: &RuleId| found.somewhere.0 & u128::from(bit(*rule)) != 0;
    let broken = |rule: RuleId| {
        let always = complete && always.0 & u128::from(bit(rule)) != 0;
        let schedules = if always { Schedules::All } else { Schedules::Some };
        Broken { rule, schedules, path: Vec::new(), shortest: false }
    };
    let mut rules: Vec<Broken> = reported().filter(met).map(broken).collect();
    rules.sort_by_key(|broken| broken.rule.get().class);
    let verdict = verdict(reported().filter(met), complete);
    Judgement {
        verdict,
        verdict_somewhere: verdict,
        exhaustive: complete,
        bound: (!complete).then(|| crate::judge::reason(found.end)),
        broken: rules,
        states: found.states,
        executions: found.terminals,
        relevant: 0,
    }
}
