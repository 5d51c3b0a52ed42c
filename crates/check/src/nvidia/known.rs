//! The memory accesses of an NVIDIA execution, and when each agent has observed them.

use super::replay::{Done, Replay, accesses_of, done_action};
use crate::graph::replayed::memory::{Touch, Touches};
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::memory::{Made, Memory, Who, copy_of};

/// By step what it touches, itself or by the copies that it starts.
pub(super) fn touches(replay: &Replay) -> Touches {
    (0..replay.done.len()).map(|step| touched(replay, step)).collect()
}

fn memory(replay: &Replay, after: usize) -> Option<&Memory> {
    replay.states[after].memory.as_deref()
}

fn touched(replay: &Replay, step: usize) -> Vec<Touch> {
    let done = &replay.done[step];
    let agent = done.step.agent as u32;
    let (Some(before), Some(after)) = (memory(replay, step), memory(replay, step + 1)) else {
        return Vec::new();
    };
    if done.note.copy.is_some() {
        return Vec::new();
    }
    let starts = matches!(
        done_action(&replay.machine, done),
        Some(Action::Copy { .. } | Action::Tensor { .. })
    );
    let own = |made: &&Made| match made.who {
        Who::Agent(other, time) => {
            !starts
                && (other, time) == (agent, before.clocks[agent as usize].time(agent))
                && accesses_of(replay, done).any(|own| own == (made.range, made.write))
        }
        Who::Copy(event) => starts && copy_of(event) == (agent as usize, done.node),
    };
    after.made.iter().filter(own).map(|made| touch(replay, step, *made)).collect()
}

fn touch(replay: &Replay, step: usize, made: Made) -> Touch {
    let program = &replay.machine.context.program;
    let buffer = program.buffers.get(usize::from(made.range.buffer));
    Touch {
        region: replay.machine.region(&made),
        space: buffer.map_or(Space::Global, |buffer| buffer.space),
        place: made.place,
        write: made.write,
        alike: made.alike,
        copies: matches!(made.who, Who::Copy(_)),
        when: None,
        learned: learned(replay, step, made.who),
    }
}

/// For each agent, the number of steps after which it knows that an access of a step is complete. For a copy, this is
/// the last one that its instruction started: once the instruction starts another, knowledge of the first is not
/// updated.
fn learned(replay: &Replay, step: usize, who: Who) -> Vec<Option<usize>> {
    let again = |done: &Done| {
        let same = (done.step.agent, done.node);
        done.note.copy.is_none() && matches!(who, Who::Copy(event) if copy_of(event) == same)
    };
    let later = replay.done[step + 1..].iter().position(again);
    let last = later.map_or(replay.done.len(), |later| step + 1 + later);
    let knows = |agent: usize, after: usize| {
        memory(replay, after).is_some_and(|memory| memory.clocks[agent].happened_before(who))
    };
    let agents = 0..replay.machine.context.program.agents.len();
    // Agents do not forget: an observation stays in later steps.
    let first = |agent: usize| {
        let (mut low, mut high) = (step + 1, last + 1);
        while low < high {
            let middle = low.midpoint(high);
            match knows(agent, middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        (low <= last).then_some(low)
    };
    agents.map(first).collect()
}
