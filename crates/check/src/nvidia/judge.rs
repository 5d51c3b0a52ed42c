//! Judgements of programs of NVIDIA: the text, strictly, and what hardware makes of it.

use super::system::{NvidiaSystem, concrete};
use crate::judge::{
    Broken, Judgement, KeepGoing, Progress, WITNESS_BYTES, WITNESS_STATES, run, verdict,
};
use crate::scene::Options;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_explore::{Bounds, End, Facts, Found, Plan, search};
use tidegate_model::ptx::machine::{Machine, bit, number, reported};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Judges a program. A wait by parity that can meet several phases is only known when all was seen: then it is looked at
/// once more, so that it is told where it happens.
pub(super) fn judge(
    machine: &mut Machine,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let until_any =
        if witnesses { Facts::default() } else { Facts(u128::from(of_class(Class::Ub))) };
    let system = NvidiaSystem::new(machine);
    let mut found = run(&system, options, until_any, keep_going);
    let mut states = found.states;
    let aliases = system.aliases();
    if witnesses && machine.law.text && !aliases.is_empty() {
        machine.aliases = Rc::new(aliases);
        found = run(&NvidiaSystem::new(machine), options, until_any, keep_going);
        states += found.states;
    }
    let always = if witnesses { always(machine, &found, keep_going) } else { found.always };
    let mut judgement = judged(&found, always);
    judgement.states = states;
    if witnesses {
        find_witnesses(machine, &found, &mut judgement.broken, keep_going);
    }
    judgement
}

/// The rules that only show at the end of a path.
fn at_end() -> u64 {
    bit(RuleId::PtxMbarrierNeverCompletes) | bit(RuleId::PtxBarNeverCompletes)
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
        let path = nearest.clone().or_else(|| found.path(number)).unwrap_or_default();
        let (steps, last) = concrete(machine, &path);
        // Reductions keep every terminal state at its distance.
        let over = (0..machine.actors(&last)).all(|actor| machine.ways(&last, actor) == 0);
        broken.shortest = nearest.is_some() || over && at_end() & bit(broken.rule) != 0;
        broken.path = steps;
    }
}

/// Looks for shorter paths to what a path can break before its end, without reductions and within a bound.
fn shorter(machine: &Machine, found: &Found, keep_going: KeepGoing<'_>) -> Option<Found> {
    let until = found.somewhere.0 & !u128::from(at_end());
    let bits = (0..64).filter(|bit| until & 1 << bit != 0);
    let longest = bits.filter_map(|bit| found.path(bit)).map(|path| path.len()).max()?;
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, depth: longest as u32 };
    let plan = Plan { reduce: false, bounds, until: Facts(until), ..Plan::default() };
    Some(plain(machine, plan, keep_going))
}

/// The facts of every end. Where a path ends early, reductions may have put other steps before its end, and with them
/// rules that a path breaks and survives: those count as met in every schedule only if a search without reductions says
/// so within its bound.
fn always(machine: &Machine, found: &Found, keep_going: KeepGoing<'_>) -> Facts {
    let survived = u128::from(
        of_class(Class::Violation)
            | of_class(Class::Race)
            | of_class(Class::Hazard)
            | of_class(Class::Lint),
    );
    if found.always.0 & survived == 0 || found.somewhere.0 & u128::from(of_class(Class::Ub)) == 0 {
        return found.always;
    }
    let bounds = Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, ..Bounds::default() };
    let all = plain(machine, Plan { reduce: false, bounds, ..Plan::default() }, keep_going);
    if all.end == End::Complete { all.always } else { Facts(found.always.0 & !survived) }
}

fn plain(machine: &Machine, plan: Plan, keep_going: KeepGoing<'_>) -> Found {
    search(&NvidiaSystem::new(machine), plan, &mut |progress| {
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

/// Searches for tests: the facts found somewhere, if everything was seen.
#[cfg(test)]
pub(super) mod tests_support {
    use super::{Bounds, End, Machine, NvidiaSystem, Plan, search};

    const MOST: Bounds = Bounds { states: 1500, bytes: 8 << 20, depth: u32::MAX };

    fn facts(machine: &Machine, reduce: bool) -> Option<u64> {
        let plan = Plan { reduce, bounds: MOST, ..Plan::default() };
        let found = search(&NvidiaSystem::new(machine), plan, &mut |_| true);
        (found.end == End::Complete).then_some(found.somewhere.0 as u64)
    }

    /// Without reductions.
    pub(crate) fn everything(machine: &Machine) -> Option<u64> {
        facts(machine, false)
    }

    /// With reductions.
    pub(crate) fn reduced(machine: &Machine) -> Option<u64> {
        facts(machine, true)
    }
}
