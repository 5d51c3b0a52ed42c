//! The memory accesses of an OpenCL execution, and when each agent has observed them.

use super::replay::{Done, Replay};
use crate::graph::replayed::memory::{Touch, Touches};
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Space;
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::machine::memory::Token;
use tidegate_model::opencl::machine::state::State;
use tidegate_model::program::Node;
use tidegate_model::ptx::tile::Region;

/// Limit of accesses times steps; longer executions are not reported.
const MOST_WORK: usize = 200_000;

/// The accesses of each step. The machine forgets accesses that can no longer race, so a second machine that keeps them
/// performs the same steps.
pub(super) fn touches(replay: &Replay) -> Touches {
    let program = &replay.machine.context.program;
    let is_access = |done: &&Done| match &program.body_of(done.step.agent).nodes[done.node as usize]
    {
        Node::Operation { operation, .. } => accesses(operation.action).next().is_some(),
        _ => false,
    };
    let count = replay.done.iter().filter(is_access).count();
    if count == 0 || count * replay.done.len() > MOST_WORK {
        return alloc::vec![Vec::new(); replay.done.len()];
    }
    let machine = replay.machine.keeping();
    let mut state = machine.initial();
    let mut touches: Touches = Vec::new();
    let mut steps: Vec<usize> = Vec::new();
    for (step, done) in replay.done.iter().enumerate() {
        let before = tokens(&state).len();
        state = machine.perform(&state, done.step.agent, done.step.way);
        let mut own = Vec::new();
        for token in &tokens(&state)[before..] {
            own.push(touch(&machine, token));
            steps.push(step);
        }
        touches.push(own);
        learn(&state, step + 1, (&mut touches, &steps));
    }
    touches
}

fn tokens(state: &State) -> &[Rc<Token>] {
    state.memory.as_deref().map_or(&[], |memory| &memory.tokens)
}

fn touch(machine: &Machine, token: &Token) -> Touch {
    let program = &machine.context.program;
    let range = token.access.range;
    let buffer = program.buffers.get(usize::from(range.buffer));
    let space = buffer.map_or(Space::Global, |buffer| buffer.space);
    let place = match space {
        Space::Global => 0,
        _ => 1 + machine.group(token.agent),
    };
    let learned = alloc::vec![None; program.agents.len()];
    let region = Region { range, size: buffer.map_or(0, |buffer| buffer.size), tile: None };
    let when = program.when(token.when).cloned();
    Touch {
        region,
        space,
        place,
        write: token.access.write,
        alike: token.alike,
        copies: false,
        when,
        learned,
    }
}

/// Records the observations of each agent after a number of steps; `steps` gives the step of each access of the
/// machine.
fn learn(state: &State, after: usize, (touches, steps): (&mut Touches, &[usize])) {
    let mut of_step = 0;
    for (index, token) in tokens(state).iter().enumerate() {
        let step = steps[index];
        of_step = if index > 0 && steps[index - 1] == step { of_step + 1 } else { 0 };
        for (agent, known) in touches[step][of_step].learned.iter_mut().enumerate() {
            if known.is_none() && token.is_known(agent) {
                *known = Some(after);
            }
        }
    }
}
