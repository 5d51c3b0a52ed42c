//! Judgements of NVIDIA programs by the specification and by the hardware model.

use super::replay::Replay;
use crate::judge::rules::Rules;
use crate::judge::{Effort, Judgement, KeepGoing, Searched, searched};
use crate::scene::Options;
use crate::space::Step;
use alloc::rc::Rc;
use tidegate_explore::End;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::machine::{Machine, WaitKey};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;

/// The part of the budget after which a search ends that has findings.
const EARLY: u64 = 5;

/// Judges a program. The phases of a wait by parity are only known after a complete search, so a second search reports
/// where it matches several.
pub(super) fn judge(
    machine: &mut Machine,
    whole: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    // A program with many findings has many states, and its findings occur early.
    let classes: &[Class] = match machine.law.text {
        true => &[Class::Ub, Class::Violation],
        false => &[Class::Ub, Class::Violation, Class::Race],
    };
    let few = Options { max_work: whole.max_work / EARLY, ..whole.clone() };
    let mut options = &few;
    let mut search = searched(machine, options, witnesses, keep_going);
    let wrong = search.found.somewhere.0 & Rules::of(machine).facts(classes) != 0;
    if search.found.end == End::Work && !wrong {
        options = whole;
        search = searched(machine, options, witnesses, keep_going);
    }
    let mut states = search.found.states;
    let aliases = aliases(&search);
    if witnesses && machine.law.hazards && !aliases.is_empty() {
        machine.aliases = Rc::new(aliases);
        search = searched(machine, options, witnesses, keep_going);
        states += search.found.states;
    }
    let mut judgement = search.judgement(machine, options, Effort::WHOLE, keep_going);
    judgement.states = states;
    let left = RuleId::PtxAsyncCopyOutstandingAtExit;
    for broken in judgement.broken.iter_mut().filter(|broken| broken.rule == left) {
        // It shows at the end of the path and happens where the agent ends.
        let mut replay = Replay::new(machine.clone());
        let happens = |step: &Step| {
            replay.perform(*step) && machine.broken(replay.state(), false) & left.bit() != 0
        };
        let steps = broken.path.iter().position(happens);
        broken.path.truncate(steps.map_or(usize::MAX, |at| at + 1));
    }
    judgement
}

/// The waits by parity that can be performed at several phases, with the first of them.
fn aliases(search: &Searched<Machine>) -> OrderedMap<WaitKey, u32> {
    let several = search.record.iter().filter(|(_, (first, last))| first < last);
    several.map(|(key, (first, _))| (*key, *first)).collect()
}

/// Searches for tests, which see everything or nothing.
#[cfg(test)]
pub(super) mod tests_support {
    use super::{End, Machine};
    use crate::judge::tests::{always, proved};
    use crate::space::Space;
    use tidegate_explore::{Bounds, Facts, Found, Plan, search};

    const MOST: Bounds = Bounds { states: 1500, bytes: 8 << 20, depth: u32::MAX, work: u64::MAX };

    fn found(space: &Space<'_, Machine>, reduce: bool) -> Option<Found> {
        let plan = Plan { reduce, bounds: MOST, ..Plan::default() };
        let found = search(space, plan, &mut |_| true);
        (found.end == End::Complete).then_some(found)
    }

    /// The facts of some state and of every end, without reductions.
    pub(crate) fn everything(machine: &Machine) -> Option<[Facts; 2]> {
        let found = found(&Space::plain(machine), false)?;
        Some([found.somewhere, found.always])
    }

    /// What one run proves is what the enumeration finds, somewhere and at every end, and it records the same phases of
    /// waits. Returns whether it proves anything.
    pub(crate) fn one_run_agrees(machine: &Machine, text: &str) -> bool {
        let Some(run) = proved(machine) else { return false };
        let space = Space::new(machine);
        let Some(found) = found(&space, false) else { return false };
        assert_eq!(run.somewhere, found.somewhere.0, "somewhere\n{text}");
        assert_eq!(run.end, found.always.0, "always\n{text}");
        assert_eq!(run.record, space.recorded(), "phases of waits\n{text}");
        true
    }

    /// The facts of some state, and those that a report says of every end, with reductions.
    pub(crate) fn reduced(machine: &Machine) -> Option<[Facts; 2]> {
        let found = found(&Space::new(machine), true)?;
        Some([found.somewhere, always(machine, &found)])
    }
}
