//! A race: which two accesses of agents or asynchronous copies, and what is missing between them.

mod between;
mod grouped;
mod unheard;

use super::replay::{Done, Object, Replay, accesses_of, node_action, object_name};
use crate::cause::field::Act;
use crate::cause::{At, Cause, Common, Finding, PtxRace};
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Range;
use tidegate_model::ptx::action::{Action, Queue};
use tidegate_model::ptx::machine::memory::{Made, Who, copy_of, cta_of};
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::rule::RuleId;

/// The race of the last step: of a copy, or of accesses of agents.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Option<Finding> {
    let last = replay.done.last()?;
    let agent = last.step.agent;
    let before = &replay.states[replay.done.len() - 1];
    let of_copy = |made: &Made| matches!(made.who, Who::Copy(_));
    let raced = replay.machine.raced(before, agent);
    let wanted = rule == RuleId::PtxAsyncCopyAccess;
    let [old, new] =
        raced.into_iter().find(|[old, new]| (of_copy(old) || of_copy(new)) == wanted)?;
    let (earlier, node, step) = at(replay, old, new.range)?;
    let (here, there) = ((agent, last.node), (earlier, node));
    let of_tensor = |made: &Made| match made.who {
        Who::Copy(event) => {
            let (agent, node) = copy_of(event);
            matches!(node_action(&replay.machine, agent, node), Some(Action::Tensor { .. }))
        }
        Who::Agent(..) => false,
    };
    let act = |made: &Made, at: At| match of_copy(made) && !of_tensor(made) {
        true => Act::Copy(at),
        false => Act::Operation(at),
    };
    let unordered = |later| Vec::from([Common::Unordered { earlier: there, later }.into()]);
    let between = match step {
        Some(step) if !wanted => between::look(scene, replay, step),
        _ => None,
    };
    let (facts, help): (Vec<Cause>, Option<String>) = match between {
        Some(between) => (between.facts.into_iter().map(Cause::from).collect(), Some(between.help)),
        None if of_copy(&old) => {
            let (fact, help) = completes(scene, replay, (there, old), here);
            (Vec::from([fact]), help)
        }
        None if wanted => {
            let later = of_tensor(&new).then_some(here);
            (unordered(later), Some(help::ptx::order(scene, there, here)))
        }
        None => (unordered(Some(here)), None),
    };
    let cause = PtxRace::Race {
        later: act(&new, here),
        later_writes: new.write,
        earlier: act(&old, there),
        earlier_writes: old.write,
        memory: scene.buffer_name(old.range.buffer),
    };
    Some(Finding::new(cause, facts, Some(here)).with_help(help))
}

/// Why a step is not ordered before the last one.
pub(super) fn between(scene: &Scene, replay: &Replay, step: usize) -> Option<Vec<PtxRace>> {
    between::look(scene, replay, step).map(|between| between.facts)
}

/// The missing wait for a copy, and the help if that of the rule does not apply.
fn completes(
    scene: &Scene,
    replay: &Replay,
    (earlier, made): (At, Made),
    later: At,
) -> (Cause, Option<String>) {
    let (starter, node) = earlier;
    let machine = &replay.machine;
    let (action, queue) = match node_action(machine, starter, node) {
        Some(action @ Action::Copy { bulk: true, .. }) => (action, Queue::Bulk),
        Some(action @ Action::Copy { bulk: false, .. }) => (action, Queue::Thread),
        Some(action @ Action::Tensor { .. }) => (action, Queue::Tensor),
        _ => return (Common::Unordered { earlier, later: Some(later) }.into(), None),
    };
    let commits =
        |node| matches!(action_of(node), Some(Action::CopyArrive { of_copies: false, .. }));
    if queue == Queue::Tensor && machine.context.program.body_of(starter).nodes.iter().any(commits)
    {
        let help = help::ptx::wait_for_commit(scene, earlier, later);
        return (PtxRace::NoCommitWait { earlier, later }.into(), Some(help));
    }
    let is_there = |&(index, _): &(usize, bool)| match made.who {
        Who::Copy(event) => machine.named(index).1 & 0xfff == cta_of(event),
        Who::Agent(..) => true,
    };
    match machine.objects(starter, action).find(is_there) {
        Some((index, _)) => {
            let object = object_name(scene, machine, Object::Mbarrier(index));
            let help = help::ptx::wait_for_bytes(scene, &object, later);
            (PtxRace::NoPhaseWait { object, later }.into(), Some(help))
        }
        None => {
            let copy = grouped::Copy { starter, node, queue, writes: made.write };
            let (fact, help) = grouped::tell(scene, replay, copy, later);
            (fact.into(), Some(help))
        }
    }
}

/// The operation of an earlier access, and its step if an agent performed it.
fn at(replay: &Replay, made: Made, raced: Range) -> Option<(usize, u32, Option<usize>)> {
    match made.who {
        Who::Copy(event) => {
            let (agent, node) = copy_of(event);
            Some((agent, node, None))
        }
        Who::Agent(agent, _) => {
            let made_it = |done: &&Done| {
                done.note.copy.is_none()
                    && done.step.agent == agent as usize
                    && accesses_of(replay, done).any(|(range, writes)| {
                        writes == made.write && made.range.includes(range) && range.overlaps(raced)
                    })
            };
            let before = &replay.done[..replay.done.len() - 1];
            let step = before.iter().rposition(|done| made_it(&done))?;
            Some((before[step].step.agent, before[step].node, Some(step)))
        }
    }
}
