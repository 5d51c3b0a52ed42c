//! Judgements of programs of OpenCL.

use crate::judge::{Effort, Judgement, KeepGoing, searched};
use crate::replay::state_after;
use crate::scene::Options;
use crate::space::Step;
use alloc::vec::Vec;
use tidegate_model::opencl::machine::Machine;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;

/// Largest number of work-items for which shorter witnesses are searched for without reductions.
const FEW_ITEMS: usize = 8;

/// Judges a program.
pub(super) fn judge(
    machine: &Machine,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let few = is_small(machine);
    let effort = Effort { always: few, shorter: few, reach: true };
    let search = searched(machine, options, witnesses, keep_going);
    let mut judgement = search.judgement(machine, options, effort, keep_going);
    for broken in judgement.broken.iter_mut().filter(|broken| !broken.shortest) {
        let path = core::mem::take(&mut broken.path);
        broken.path = needed(machine, broken.rule, path);
    }
    judgement
}

/// Whether it has so few work-items that it can be searched without reductions.
fn is_small(machine: &Machine) -> bool {
    machine.context.program.agents.len() <= FEW_ITEMS
}

/// The same path without the steps of work-items that nothing in it needs. Two work-items are tried first. Otherwise steps
/// are left out, those of half of the work-items together and then ever fewer, for as long as the rest can be performed and
/// breaks the rule.
fn needed(machine: &Machine, rule: RuleId, mut path: Vec<Step>) -> Vec<Step> {
    let breaks = |path: &[Step]| {
        state_after(machine, path)
            .is_some_and(|state| machine.broken(&state, false) & rule.bit() != 0)
    };
    let Some(last) = path.last().copied() else { return path };
    let before = path.clone();
    // All work-items depend on the values that the host passes.
    let first = usize::from(machine.context.program.host_chooses);
    let mut agents: Vec<usize> = path.iter().map(|step| step.agent).collect();
    agents.sort_unstable();
    agents.dedup();
    agents.retain(|&agent| agent != last.agent);
    let some = agents.iter().copied().step_by(agents.len().div_ceil(MOST_PAIRS).max(1));
    let of_two = |other: usize| {
        let both = |(at, step): &(usize, &Step)| {
            *at < first || step.agent == last.agent || step.agent == other
        };
        let two: Vec<Step> = path.iter().enumerate().filter(both).map(|(_, step)| *step).collect();
        breaks(&two).then_some(two)
    };
    if let Some(two) = other_of_race(machine, &path).into_iter().chain(some).find_map(of_two) {
        return two;
    }
    let mut tries = MOST_TRIES.max(8 * path.len());
    let mut together = agents.len().div_ceil(2);
    while together > 0 {
        let groups: Vec<Vec<usize>> = agents.chunks(together).map(<[usize]>::to_vec).collect();
        for group in groups {
            tries = tries.saturating_sub(path.len());
            let kept = |(at, step): (usize, &Step)| {
                (at < first || !group.contains(&step.agent)).then_some(*step)
            };
            let without: Vec<Step> = path.iter().enumerate().filter_map(kept).collect();
            if tries > 0 && breaks(&without) {
                path = without;
                agents.retain(|agent| !group.contains(agent));
            }
        }
        together = if together == 1 { 0 } else { together.div_ceil(2) };
    }
    if breaks(&path) { path } else { before }
}

/// The work-item whose earlier access the last step of a path races with.
fn other_of_race(machine: &Machine, path: &[Step]) -> Option<usize> {
    let (last, before) = path.split_last()?;
    let state = state_after(machine, before)?;
    let Node::Operation { operation, .. } = machine.node(&state, last.agent)? else { return None };
    let Action::Memory(access) = operation.action else { return None };
    machine.races(&state, last.agent, access).first().map(|(other, _)| *other)
}

/// Largest number of work-items that are tried together with the last one.
const MOST_PAIRS: usize = 64;
/// Largest number of steps that are replayed to shorten a short witness; for long ones, eight times their own length.
const MOST_TRIES: usize = 4000;

#[cfg(test)]
mod tests {
    use crate::{Options, Scene, check};

    /// One work-item that arrives and one that ends suffice, for any number of work-items.
    #[test]
    fn a_witness_has_no_steps_of_irrelevant_work_items() {
        let text = "launch subgroups=4 items=16\n__kernel void f(__global int *a, __local int *t) {\n  int i = get_local_id(0);\n  t[i] = a[i];\n  if (i < 32) { barrier(CLK_LOCAL_MEM_FENCE); }\n}\n";
        let report = check(&Scene::new("f.cl", text), &Options::default(), &mut |_| true);
        let found = &report.findings[0];
        assert_eq!(found.rule, "opencl.barrier.all-encounter");
        assert_eq!(found.witness.len(), 6, "{:?}", found.witness);
        let agents: tidegate_model::ordered::OrderedSet<&str> =
            found.witness.iter().map(|step| step.agent.as_str()).collect();
        assert_eq!(agents.len(), 2, "{agents:?}");
    }

    /// However many work-items a launch has: two of them make a race.
    #[test]
    fn a_witness_of_a_race_has_the_steps_of_two_work_items() {
        let text = "launch workgroups=4 subgroups=32 items=32
__kernel void f(__global int *a, __global int *b) {
  int g = get_global_id(0);
  b[g] = a[g];
  if (get_local_id(0) == 1023) { a[g + 1] = 0; }
}
";
        let report = check(&Scene::new("f.cl", text), &Options::default(), &mut |_| true);
        let found = &report.findings[0];
        assert_eq!((&*found.rule, found.witness.len()), ("mem.race", 5), "{:?}", found.witness);
    }
}
