//! Judgements of programs of NVIDIA: the text, strictly, and what hardware makes of it.

use super::replay::Replay;
use super::system::{NvidiaSystem, concrete};
use crate::judge::rules::Rules;
use crate::judge::{Broken, Judgement, KeepGoing, Step, run};
use crate::scene::Options;
use alloc::rc::Rc;
use tidegate_explore::{End, Found};
use tidegate_model::ptx::machine::{Machine, number, reported};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;

/// The part of the work behind which a search ends that has found what is wrong.
const EARLY: u64 = 5;

/// Judges a program. A wait by parity that can meet several phases is only known when all was seen: then it is looked at
/// once more, so that it is told where it happens.
pub(super) fn judge(
    machine: &mut Machine,
    whole: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let rules = rules();
    let until_any = rules.worst(witnesses);
    let system = NvidiaSystem::new(machine);
    // Where much is wrong there are many states in which it goes on, and what is wrong is seen early.
    let classes: &[Class] = match machine.law.text {
        true => &[Class::Ub, Class::Violation],
        false => &[Class::Ub, Class::Violation, Class::Race],
    };
    let few = Options { max_work: whole.max_work / EARLY, ..whole.clone() };
    let mut options = &few;
    let mut found = run(&system, options, until_any, keep_going);
    if found.end == End::Work && found.somewhere.0 & rules.of(classes) == 0 {
        options = whole;
        found = run(&system, options, until_any, keep_going);
    }
    let mut states = found.states;
    let aliases = system.aliases();
    if witnesses && machine.law.hazards && !aliases.is_empty() {
        machine.aliases = Rc::new(aliases);
        found = run(&NvidiaSystem::new(machine), options, until_any, keep_going);
        states += found.states;
    }
    let system = NvidiaSystem::new(machine);
    let always =
        if witnesses { rules.always(&system, &found, true, keep_going) } else { found.always };
    let mut judgement = rules.judgement(&found, always, found.end == End::Complete);
    judgement.states = states;
    if witnesses {
        find_witnesses(machine, &found, &mut judgement.broken, options.shortest, keep_going);
    }
    judgement
}

fn rules() -> Rules {
    Rules {
        all: reported().collect(),
        number,
        at_end: alloc::vec![RuleId::PtxMbarrierNeverCompletes, RuleId::PtxBarNeverCompletes],
    }
}

fn find_witnesses(
    machine: &Machine,
    found: &Found,
    broken: &mut [Broken],
    shortest: bool,
    keep_going: KeepGoing<'_>,
) {
    let rules = rules();
    let mut look = || rules.shorter(&NvidiaSystem::new(machine), found, keep_going);
    let shorter = if shortest { look() } else { None };
    for broken in broken {
        let number = number(broken.rule);
        let nearest = shorter.as_ref().and_then(|other| other.path(number));
        let path = nearest.clone().or_else(|| found.path(number)).unwrap_or_default();
        let (steps, last) = concrete(machine, &path);
        // Reductions keep every terminal state at its distance.
        let over = (0..machine.actors(&last)).all(|actor| machine.ways(&last, actor) == 0);
        broken.shortest = nearest.is_some() || over && rules.is_at_end(broken.rule);
        broken.path = steps;
        // It shows at the end of the path and happens where the agent ends.
        if broken.rule == RuleId::PtxAsyncCopyOutstandingAtExit {
            let mut replay = Replay::new(machine.clone());
            let happens = |step: &Step| {
                replay.perform(*step) && machine.broken(replay.state(), false) & 1 << number != 0
            };
            let steps = broken.path.iter().position(happens);
            broken.path.truncate(steps.map_or(usize::MAX, |at| at + 1));
        }
    }
}

/// Searches for tests: the facts found somewhere, if everything was seen.
#[cfg(test)]
pub(super) mod tests_support {
    use super::{End, Machine, NvidiaSystem};
    use tidegate_explore::{Bounds, Plan, search};

    const MOST: Bounds = Bounds { states: 1500, bytes: 8 << 20, depth: u32::MAX, work: u64::MAX };

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
