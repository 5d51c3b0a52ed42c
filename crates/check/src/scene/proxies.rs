//! Stores to memory that asynchronous operations access, and the fences of the async proxy between them.
//!
//! Bulk copies and tensor cores access memory through the async proxy. What an ordinary store has written is ordered before
//! their accesses only by a `fence.proxy.async` on the way from the store to the operation (PTX ISA, "Async proxy"). The
//! machine orders both proxies alike, so some executions of the program are followed here: a store needs a fence that it
//! happens before, and that happens before the operation. Reads need none: a copy that overwrites what a thread has read does
//! not change the value.

use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::{Diagnostic, Severity};
use tidegate_lang::scenario::Compiled;
use tidegate_model::context::Context;
use tidegate_model::machine::Machine as _;
use tidegate_model::mem::operation::{Buffer, Range, Space};
use tidegate_model::program::{Node, NodeId, Program, Proxies};
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::memory::Clock;
use tidegate_model::ptx::machine::state::State;
use tidegate_model::ptx::object::Law;
use tidegate_model::reading::Readings;

/// Executions that are followed for each choice of the host; data decide differently in each.
const RUNS: u64 = 3;
/// The maximum number of choices of the host that are followed.
const MOST_CHOICES: u32 = 16;
/// The maximum number of steps of an execution. Stores after them are not followed.
const MOST_STEPS: usize = 40_000;

/// The warning for a store and an asynchronous operation without a fence in between; also the reason why the verdict stays open.
pub(crate) const UNFENCED: &str = "an asynchronous operation accesses what an ordinary store wrote, without `fence.proxy.async` between the two";

/// Adds warnings for a store and an asynchronous operation after it without a fence in between. What would be `ok` without
/// them is not known.
pub(super) fn follow(compiled: &mut Compiled) {
    if compiled.program.proxies != Proxies::Fenced {
        return;
    }
    let choices = match compiled.program.host_chooses {
        true => (compiled.passed.len() as u32).clamp(1, MOST_CHOICES),
        false => 1,
    };
    let whole = &compiled.program;
    let found = (0..choices).find_map(|way| {
        let program = if whole.host_chooses { whole.chosen(way) } else { whole.clone() };
        let place = |(agent, node): At| match whole.host_chooses {
            true => (agent, whole.body_of(agent).reachable(way)[node as usize]),
            false => (agent, node),
        };
        unfenced(program).map(|found| found.map(place))
    });
    let Some(found) = found else { return };
    compiled.program.proxies = Proxies::Unfenced;
    for (agent, node) in found {
        let Some(source) = compiled.sources[agent].get(node as usize) else { continue };
        let error = Diagnostic::error("not-followed", source.span, UNFENCED.to_owned());
        let warning = Diagnostic { severity: Severity::Warning, ..error };
        if !compiled.warnings.contains(&warning) {
            compiled.warnings.push(warning);
        }
    }
}

/// A store and an asynchronous operation after it with no fence in between, in some executions of a program.
fn unfenced(program: Program) -> Option<[At; 2]> {
    let law = Law { text: true, hazards: false, readings: Readings::default() };
    let machine = Machine::with_knowledge(Rc::new(Context::new(Rc::new(program))), law);
    for seed in 0..RUNS {
        let mut run = Run::of(&machine);
        let found = run.follow(seed);
        if found.is_some() || !run.chooses {
            return found;
        }
    }
    None
}

/// An agent and its node.
type At = (usize, NodeId);

/// When an agent has done something: the time on its clock, and the number of the step.
#[derive(Clone, Copy)]
struct When {
    time: u32,
    step: usize,
}

struct Run<'a> {
    machine: &'a Machine,
    /// The stores so far.
    stores: Vec<(At, Range, Vec<When>)>,
    /// By agent, its fences with what happened before each.
    fences: Vec<Vec<(When, Clock)>>,
    step: usize,
    /// Whether a step had several outcomes: without one, another execution would be the same.
    chooses: bool,
}

impl<'a> Run<'a> {
    fn of(machine: &'a Machine) -> Self {
        let fences = alloc::vec![Vec::new(); machine.context().program.agents.len()];
        Self { machine, stores: Vec::new(), fences, step: 0, chooses: false }
    }

    /// Performs one execution.
    fn follow(&mut self, seed: u64) -> Option<[At; 2]> {
        let agents = self.machine.context().program.agents.len();
        let mut state = self.machine.initial();
        loop {
            let before = self.step;
            let mut actor = 0;
            while actor < self.machine.actors(&state) {
                let ways = self.machine.ways(&state, actor);
                if ways > 0 {
                    if actor < agents
                        && let Some(found) = self.observe(&state, actor)
                    {
                        return Some(found);
                    }
                    self.step += 1;
                    self.chooses |= ways > 1;
                    let mixed =
                        (self.step as u64 + (seed << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    self.machine.advance(&mut state, actor, (mixed >> 40) as usize % ways);
                }
                actor += 1;
            }
            if self.step == before || self.step > MOST_STEPS {
                return None;
            }
        }
    }

    /// Notes the next operation of an agent, or finds that a store before it has no fence.
    fn observe(&mut self, state: &State, agent: usize) -> Option<[At; 2]> {
        let program = &self.machine.context().program;
        let node = self.machine.node_of(state, agent);
        let Node::Operation { operation, .. } = &program.body_of(agent).nodes[node as usize] else {
            return None;
        };
        let clock = &state.memory.as_ref()?.clocks[agent];
        let now = When { time: clock.time(agent as u32), step: self.step };
        if operation.action.is_proxy_fence() {
            self.fences[agent].push((now, clock.clone()));
        } else if let Some(range) = operation.action.written() {
            let same = |one: &&mut (At, Range, _)| one.0 == (agent, node) && one.1 == range;
            match self.stores.iter_mut().find(same) {
                Some((.., all)) => all.push(now),
                None => self.stores.push(((agent, node), range, alloc::vec![now])),
            }
        } else {
            let touched = operation.action.through_async_proxy();
            let found = touched.into_iter().flatten().find_map(|range| {
                let one = self.stores.iter().find(|(at, stored, all)| {
                    self.overlap((agent, range), (at.0, *stored))
                        && self.is_open(agent, clock, at.0, all)
                })?;
                Some(one.0)
            });
            return found.map(|store| [store, (agent, node)]);
        }
        None
    }

    fn overlap(&self, (agent, one): (usize, Range), (by, other): (usize, Range)) -> bool {
        let program = &self.machine.context().program;
        let is_own = program
            .buffers
            .get(usize::from(one.buffer))
            .is_some_and(|buffer: &Buffer| buffer.space == Space::Local && buffer.owner.is_none());
        one.buffer == other.buffer
            && one.start < other.end
            && other.start < one.end
            && (!is_own || program.agents[agent].workgroup == program.agents[by].workgroup)
    }

    /// Whether the last of some stores of an agent that happens before an operation happens before no fence that does.
    fn is_open(&self, agent: usize, clock: &Clock, by: usize, stores: &[When]) -> bool {
        let knows = |knowing: usize, clock: &Clock, of: usize, it: When| {
            knowing == of || clock.time(of as u32) >= it.time
        };
        let Some(&last) = stores.iter().rfind(|&&it| knows(agent, clock, by, it)) else {
            return false;
        };
        !self.fences.iter().enumerate().any(|(of, fences)| {
            let latest = fences.iter().rfind(|(at, _)| knows(agent, clock, of, *at));
            latest.is_some_and(|(at, before)| match of == by {
                true => last.step < at.step,
                false => before.time(by as u32) >= last.time,
            })
        })
    }
}
