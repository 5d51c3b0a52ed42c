//! The graph of the operations of one wave.

use super::budget::Budget;
use super::meeting::Meeting;
use super::nvidia;
use super::opencl;
use super::states::States;
use super::surroundings::Surroundings;
use super::thread::Thread;
use super::{key, lanes, operands};
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::Value;
use crate::lower::code::{Code, Outcome, Step};
use crate::lower::names::UNDECIDED;
use crate::vocabulary::Effect;
use crate::vocabulary::nvidia::Kind;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::operation::{Action, Form, Operation};
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action as ptx;

/// The index of the source of an agent without a block.
const NO_SOURCE: u32 = u32::MAX;

/// A node, with the index of its source.
pub(super) type Sourced = (Node, u32);

/// The nodes of a body in order of discovery, each with the index of its source.
pub(crate) struct Evaluated {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sources: Vec<u32>,
    /// Whether accesses of different lanes conflict without an order, see [`super::lanes`].
    pub(crate) lanes_meet: bool,
}

/// Evaluates one wave, whose lanes perform these units; in a kernel written per thread, each lane represents `weight`
/// threads.
pub(crate) fn evaluate(
    around: Surroundings,
    units: &[Option<u32>],
    weight: Option<i64>,
    budget: &mut Budget,
) -> Result<Evaluated, Diagnostic> {
    let code = around.code;
    let end =
        units.iter().flatten().next().map_or(NO_SOURCE, |&unit| code.units[unit as usize].end);
    let (states, buffer, by) = (States::new(), Vec::new(), Vec::new());
    let others = around.launch.workgroups * around.launch.waves > 1;
    let meeting = Meeting::of(others);
    let mut graph = Graph { around, end, weight, budget, states, buffer, by, meeting };
    let mut threads = Vec::with_capacity(units.len());
    for (lane, unit) in units.iter().enumerate() {
        let start = unit.map(|unit| Thread::start(&code.units[unit as usize], around.arguments));
        let mut thread = start.unwrap_or_default();
        thread.run(graph.lane(lane), graph.budget)?;
        threads.push(thread);
    }
    graph.node(&threads, Span::default())?;
    let (mut nodes, mut sources) = (Vec::new(), Vec::new());
    while nodes.len() < graph.states.count() {
        let state = key::decode(graph.states.get(nodes.len()), units.len());
        graph.by.push(0..units.len());
        graph.meeting.node();
        let (node, source) = graph.expand(state)?;
        nodes.push(node);
        sources.push(source);
    }
    let lanes_meet = match weight {
        Some(_) => graph.threads_meet(&nodes, &sources),
        None => lanes::meet(&nodes, &graph.by, units.len(), &code.buffers),
    };
    Ok(Evaluated { nodes, sources, lanes_meet })
}

pub(super) struct Graph<'a, 'b> {
    pub(super) around: Surroundings<'a>,
    /// Index of the source of the end.
    pub(super) end: u32,
    /// Number of threads that a lane represents, in a kernel written per thread.
    pub(super) weight: Option<i64>,
    budget: &'b mut Budget,
    states: States,
    /// Buffer for the encoding of a state.
    buffer: Vec<u8>,
    /// For each node, the lanes that perform it.
    by: Vec<Range<usize>>,
    /// In a kernel written per thread, the accesses of the threads of the warp.
    pub(super) meeting: Meeting,
}

impl<'a> Graph<'a, '_> {
    pub(super) fn lane(&self, lane: usize) -> Surroundings<'a> {
        Surroundings { lane: self.around.standing.lane + lane as u32, ..self.around }
    }

    /// Returns the node of a state; a new node is expanded later.
    fn node(&mut self, threads: &[Thread], span: Span) -> Result<NodeId, Diagnostic> {
        key::encode(threads, &mut self.buffer);
        let length = self.buffer.len();
        self.budget.steps(length, span)?;
        let (node, is_new) = self.states.index(&self.buffer);
        if is_new {
            self.budget.operation(span)?;
            self.budget.bytes(length, span)?;
        }
        Ok(node)
    }

    /// Computes the node of a state.
    fn expand(&mut self, threads: Vec<Thread>) -> Result<Sourced, Diagnostic> {
        if self.weight.is_some() {
            return self.converge(&threads);
        }
        let code = self.around.code;
        let steps: Vec<Option<&Step>> = threads.iter().map(|thread| thread.at(code)).collect();
        let choosing = steps.iter().position(|step| matches!(step, Some(Step::Choose(..))));
        if let Some(lane) = choosing {
            return self.choose(&threads, &[lane]);
        }
        let Some(first) = steps.iter().position(Option::is_some) else {
            let left = threads.iter().find_map(|thread| thread.left);
            return Ok((Node::End, left.unwrap_or(self.end)));
        };
        let mut operations = Vec::with_capacity(threads.len());
        for (lane, thread) in threads.iter().enumerate() {
            if let Some(asked) = thread.asks(self.lane(lane)) {
                return self.ask(&threads, asked);
            }
            match self.operation(thread, lane) {
                Err(problem) if problem.code == UNDECIDED => {
                    let asked = self.around.arguments.asked.take();
                    return self.ask(&threads, asked.unwrap_or_default());
                }
                operation => operations.push(operation?),
            }
        }
        // Lanes of one agent may differ in which data decided, but not in their operations.
        let decided = threads.iter().any(|thread| thread.decided);
        operations.iter_mut().flatten().for_each(|(operation, _)| operation.decided = decided);
        let place = |lane: usize| threads[lane].places();
        let alike = (0..threads.len())
            .all(|lane| operations[lane] == operations[0] && place(lane).eq(place(0)));
        let Some(here) = operations[first] else { return Ok((Node::End, self.end)) };
        if alike {
            let lanes: Vec<usize> = (0..threads.len()).collect();
            return self.perform(threads, &lanes, here);
        }
        let lone = operations.iter().enumerate().find_map(|(lane, operation)| {
            operation.filter(|(operation, _)| is_of_lanes(*operation)).map(|it| (lane, it))
        });
        match lone {
            Some((lane, operation)) => self.perform(threads, &[lane], operation),
            None => Ok((Node::Divergent, here.1)),
        }
    }

    /// The next operation of a lane, and its source.
    pub(super) fn operation(
        &self,
        thread: &Thread,
        lane: usize,
    ) -> Result<Option<(Operation, u32)>, Diagnostic> {
        let code = self.around.code;
        match thread.at(code) {
            Some(Step::Operate(operate)) => {
                let here = self.lane(lane);
                let operation = match operands::operation(operate, thread, here) {
                    Err(problem) => return Err(problem),
                    Ok(_) if operate.row.effect == Effect::Nvidia(Kind::Unmodelled) => {
                        here.instances.unfollowed(unmodelled(code, operate.source));
                        nothing()
                    }
                    Ok(operation) => operation,
                };
                let source = operate.source + operands::decided(operate, thread, self.lane(lane));
                let possible = code.sources.get(source as usize);
                let asked = possible.is_some_and(|source| !source.needs.is_empty());
                let possible = operation.possible || asked;
                let when = if asked { operands::when(operate, thread, self.lane(lane)) } else { 0 };
                Ok(Some((Operation { possible, when, ..operation }, source)))
            }
            Some(Step::Fixed(operation, source)) => Ok(Some((*operation, *source))),
            _ => Ok(None),
        }
    }

    /// Performs the same operation in some lanes.
    pub(super) fn perform(
        &mut self,
        threads: Vec<Thread>,
        lanes: &[usize],
        (mut operation, source): (Operation, u32),
    ) -> Result<Sourced, Diagnostic> {
        let (Some(&first), Some(&last)) = (lanes.first(), lanes.last()) else {
            return Ok((Node::End, self.end));
        };
        if let Some(by) = self.by.last_mut() {
            *by = first..last + 1;
        }
        let span = self
            .around
            .code
            .sources
            .get(source as usize)
            .map_or(Span::default(), |source| source.span);
        let outcome = match threads[first].at(self.around.code) {
            Some(Step::Operate(operate)) => operate.outcome,
            _ => Outcome::Nowhere,
        };
        if let Outcome::Token(slot) | Outcome::Count(slot) = outcome {
            nvidia::put_result(&mut operation, nvidia::free_register(&threads, lanes, slot));
        }
        let next = if matches!(outcome, Outcome::Nowhere | Outcome::Token(_) | Outcome::Count(_)) {
            [self.after(threads, lanes, outcome, false, span)?; 2]
        } else {
            let no = self.after(threads.clone(), lanes, outcome, false, span)?;
            [no, self.after(threads, lanes, outcome, true, span)?]
        };
        Ok((Node::Operation { operation, next }, source))
    }

    /// The node after an operation with this outcome.
    fn after(
        &mut self,
        mut after: Vec<Thread>,
        lanes: &[usize],
        outcome: Outcome,
        value: bool,
        span: Span,
    ) -> Result<NodeId, Diagnostic> {
        let register = match outcome {
            Outcome::Token(slot) | Outcome::Count(slot) => {
                nvidia::free_register(&after, lanes, slot)
            }
            _ => 0,
        };
        for &lane in lanes {
            let thread = &mut after[lane];
            if let Some(Step::Operate(operate)) = thread.at(self.around.code) {
                opencl::restart(thread, self.around.code, operate);
                if let Outcome::Count(slot) = outcome {
                    let number = nvidia::counted(operate, register, self.around);
                    thread.set(slot, number);
                }
            }
            match outcome {
                Outcome::Nowhere | Outcome::Count(_) => {}
                Outcome::Slot(slot) => thread.set(slot, Value::Int(i64::from(value))),
                Outcome::Scc => thread.scc = Some(value),
                Outcome::Token(slot) => {
                    thread.set(slot, Value::Token(register));
                }
            }
            thread.step_over();
            thread.run(self.lane(lane), self.budget)?;
        }
        self.node(&after, span)
    }

    /// Lanes branch on a number that only an execution knows.
    pub(super) fn ask(
        &mut self,
        threads: &[Thread],
        asked: (u16, u32),
    ) -> Result<Sourced, Diagnostic> {
        let (mut next, mut source) = ([0; 2], None);
        for holds in [false, true] {
            let mut after = threads.to_vec();
            for (lane, thread) in after.iter_mut().enumerate() {
                source = thread.know(asked, holds).or(source);
                thread.run(self.lane(lane), self.budget)?;
            }
            next[usize::from(holds)] = self.node(&after, Span::default())?;
        }
        let compare = ptx::Action::Compare { register: asked.0, least: asked.1 };
        let action = Action::Ptx(compare, ptx::Spelling::Ptx(0));
        let operation = Operation::new(action, Form::Word);
        Ok((Node::Operation { operation, next }, source.unwrap_or(self.end)))
    }

    /// Lanes take one of their alternatives together.
    pub(super) fn choose(
        &mut self,
        threads: &[Thread],
        lanes: &[usize],
    ) -> Result<Sourced, Diagnostic> {
        let first = lanes.first().and_then(|&lane| threads[lane].at(self.around.code));
        let Some(Step::Choose(targets, source)) = first else { return Ok((Node::End, self.end)) };
        let span = self
            .around
            .code
            .sources
            .get(*source as usize)
            .map_or(Span::default(), |source| source.span);
        self.budget.bytes(targets.len() * size_of::<NodeId>(), span)?;
        let mut next = Vec::with_capacity(targets.len());
        for &target in targets {
            let mut after = threads.to_vec();
            for &lane in lanes {
                after[lane].go_to(target);
                after[lane].run(self.lane(lane), self.budget)?;
            }
            next.push(self.node(&after, span)?);
        }
        Ok((Node::Choose { next }, *source))
    }
}

/// The placeholder for an operation that is not followed.
fn nothing() -> Operation {
    Operation::new(Action::Ptx(ptx::Action::Nothing, ptx::Spelling::Ptx(0)), Form::Word)
}

/// A warning that an instruction that could matter is not modelled.
fn unmodelled(code: &Code, source: u32) -> Diagnostic {
    let source = code.sources.get(source as usize);
    let (span, text) = source.map_or_else(Default::default, |it| (it.span, it.text.as_str()));
    let head = text.split_whitespace().next().unwrap_or_default();
    let message = match head {
        "call" => alloc::format!(
            "`{text}`: this text does not define the function, which may access memory or synchronise"
        ),
        _ => alloc::format!("`{head}` may access memory or synchronise, and is not modelled"),
    };
    Diagnostic::error("not-modelled", span, message)
}

/// Whether lanes can perform it separately: it touches no barrier object.
fn is_of_lanes(operation: Operation) -> bool {
    matches!(operation.action, Action::Memory(_) | Action::Caches | Action::Condition(_))
}
