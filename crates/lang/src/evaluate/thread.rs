//! One lane: its frames, and its execution up to its next operation.

use super::arguments::Arguments;
use super::budget::{Budget, MOST_SILENT};
use super::surroundings::Surroundings;
use super::terms::{self, Part};
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::linear::{self, Linear, Reach};
use crate::expression::memory;
use crate::expression::{Atom, Builtin, Environment, Expression, Fault, Operator, Value};
use crate::limits::DEEPEST;
use crate::lower::code::{Among, Code, M0, Pc, SCC, Step, Unit};
use crate::lower::names::fault_diagnostic;
use crate::lower::names::{UNDECIDED, UNSET};
use crate::lower::term::{Doubt, Input, Term};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::BufferId;

/// A call in progress: the position after it, and its variables by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) pc: Pc,
    pub(crate) slots: Vec<Option<Value>>,
}

/// A lane. It has ended if it has no frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
    pub(crate) m0: Option<i64>,
    pub(crate) scc: Option<bool>,
    /// The position at which it ended, if not after its last statement: an index of the sources.
    pub(crate) left: Option<u32>,
    /// The result of a function that just returned.
    pub(crate) result: Option<Value>,
    /// Whether data have decided its control flow.
    pub(crate) decided: bool,
    /// Whether it has accessed memory since its last barrier.
    pub(crate) touched: bool,
}

struct View<'a> {
    around: Surroundings<'a>,
    slots: &'a [Option<Value>],
}

impl Environment for View<'_> {
    fn slot(&self, slot: u16) -> Option<Value> {
        let value = self.slots.get(usize::from(slot)).copied().flatten();
        // Registers are not tracked as data.
        value.filter(|value| !self.around.code.nvidia || !matches!(value, Value::Data(_)))
    }

    fn untracked(&self) -> Option<Value> {
        self.around.code.of_c.then_some(Value::Data(terms::NOT_KNOWN))
    }

    fn computed(&self, operator: Operator, values: &[Value], fixed: bool) -> Option<Value> {
        let values: Vec<Value> = values.iter().map(|&value| self.around.operand(value)).collect();
        Some(self.around.instances.terms.computed(operator, &values, fixed))
    }

    fn builtin(&self, builtin: Builtin) -> i64 {
        let Surroundings { launch, standing, lane, .. } = self.around;
        i64::from(match builtin {
            Builtin::WaveId => standing.wave,
            Builtin::WorkgroupId => standing.workgroup,
            Builtin::LaneId => lane,
            Builtin::Clusters => launch.clusters,
            Builtin::Workgroups => launch.workgroups,
            Builtin::Waves => launch.waves,
            Builtin::Lanes => launch.lanes,
        })
    }

    fn reach(&self) -> &Reach {
        &self.around.arguments.reach
    }
}

impl Frame {
    pub(super) fn set(&mut self, slot: u16, value: Value) {
        let slot = usize::from(slot);
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = Some(value);
    }
}

/// Why an OpenCL variable may have no value.
const NOT_KNOWN: &str = "; values computed from memory are unknown: where control flow depends on one, write `choose { … } or { … }`";

/// Why an NVIDIA register has no known value.
const NOT_COMPUTED: &str = "this value is unknown: it depends on memory or on arithmetic that is not modelled; where control flow depends on it, write `choose { … } or { … }`";

/// The message for a register that is never set.
const NEVER_SET: &str = "this variable is read before it is set";

impl Thread {
    /// A lane at the first step of a unit.
    pub(crate) fn start(unit: &Unit, arguments: &Arguments) -> Self {
        let mut frame = Frame { pc: unit.entry, slots: Vec::new() };
        for &(slot, argument) in &unit.arguments {
            let value = arguments.values.get(usize::from(argument)).copied().unwrap_or_default();
            frame.set(slot, Value::Linear(Linear { value, argument, factor: 1 }));
        }
        Self { frames: alloc::vec![frame], ..Self::default() }
    }

    /// Its next step, unless it has ended.
    pub(crate) fn at<'a>(&self, code: &'a Code) -> Option<&'a Step> {
        self.frames.last().and_then(|frame| code.steps.get(frame.pc as usize))
    }

    /// The positions of its frames.
    pub(crate) fn places(&self) -> impl Iterator<Item = Pc> + '_ {
        self.frames.iter().map(|frame| frame.pc)
    }

    /// Evaluates an expression in its innermost frame; the value may depend on arguments.
    pub(crate) fn kept(
        &self,
        expression: &Expression,
        around: Surroundings,
    ) -> Result<Value, Diagnostic> {
        let value = expression.evaluate(&self.view(around));
        value.map_err(|fault| self.problem(expression, fault, around))
    }

    /// Evaluates an expression in its innermost frame.
    pub(crate) fn value(
        &self,
        expression: &Expression,
        around: Surroundings,
    ) -> Result<Value, Diagnostic> {
        let value = expression.settled(&self.view(around));
        value.map_err(|fault| self.problem(expression, fault, around))
    }

    /// Whether a condition holds.
    fn holds(&self, condition: &Expression, around: Surroundings) -> Result<bool, Diagnostic> {
        let truth = condition.truth(&self.view(around));
        truth.map_err(|fault| self.problem(condition, fault, around))
    }

    /// The number of a term computed from data.
    fn term(&self, term: &Term, around: Surroundings) -> Result<u32, Diagnostic> {
        let mut parts = Vec::with_capacity(term.inputs.len());
        let value = |value: &Expression| self.kept(value, around);
        for input in &term.inputs {
            let part = match input {
                Input::Value(one) => around.part(value(one)?),
                Input::Element(buffer, first, bytes) => match self.first(*buffer, first, around)? {
                    Value::Int(first) => Part::Element(*buffer, first, *bytes),
                    other => {
                        parts.push(Part::of(other));
                        Part::Memory(*buffer)
                    }
                },
                Input::Pointed(address, bytes) => match self.value(address, around)? {
                    Value::Int(address) => match memory::at(address) {
                        Some(at) => Part::Element(at.buffer, at.offset, *bytes),
                        None => Part::Number(0),
                    },
                    other => Part::of(other),
                },
            };
            parts.push(part);
        }
        Ok(around.instances.terms.number(&term.shape, parts, term.doubt))
    }

    /// The first byte of an access to a memory, if known.
    fn first(
        &self,
        buffer: BufferId,
        first: &Expression,
        around: Surroundings,
    ) -> Result<Value, Diagnostic> {
        let first = self.kept(first, around)?;
        Ok(match first {
            Value::Linear(_) | Value::Int(_) => {
                let size = around.code.buffers.get(usize::from(buffer)).map_or(0, |it| it.size);
                around.arguments.begins(buffer, first, size.into())
            }
            other => other,
        })
    }

    fn view<'a>(&'a self, around: Surroundings<'a>) -> View<'a> {
        View { around, slots: self.frames.last().map_or(&[][..], |frame| &frame.slots) }
    }

    pub(crate) fn number(
        &self,
        expression: &Expression,
        around: Surroundings,
    ) -> Result<i64, Diagnostic> {
        let number = expression.number(&self.view(around));
        number.map_err(|fault| self.problem(expression, fault, around))
    }

    /// Describes the fault of an expression.
    fn problem(
        &self,
        expression: &Expression,
        (fault, span): (Fault, Span),
        around: Surroundings,
    ) -> Diagnostic {
        if let Fault::Undecided(register, least) = fault {
            around.arguments.asked.set(Some((register, least)));
        }
        let mut problem = fault_diagnostic(fault, span);
        if problem.code == UNSET && fault == Fault::Unset && around.code.opencl {
            problem.message.push_str(NOT_KNOWN);
        }
        if problem.code == UNSET && around.code.nvidia {
            let known = self.unknown(expression).is_some();
            problem.message = String::from(if known { NOT_COMPUTED } else { NEVER_SET });
        }
        problem
    }

    /// The value of a register set by an expression without a value: data, or none if the expression reads a register
    /// that was never set.
    fn unknown(&self, expression: &Expression) -> Option<Value> {
        let set = expression.slots().all(|slot| self.slot(slot).is_some());
        set.then_some(Value::Data(terms::NOT_KNOWN))
    }

    /// Moves past its current step.
    pub(crate) fn step_over(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc += 1;
        }
    }

    pub(crate) fn go_to(&mut self, pc: Pc) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    pub(crate) fn slot(&self, slot: u16) -> Option<Value> {
        self.frames.last()?.slots.get(usize::from(slot)).copied().flatten()
    }

    /// Assigns a variable, possibly with no value.
    pub(super) fn put(&mut self, slot: u16, value: Option<Value>) {
        match (value, self.frames.last_mut()) {
            (Some(value), Some(frame)) => frame.set(slot, value),
            (None, Some(frame)) => {
                if let Some(old) = frame.slots.get_mut(usize::from(slot)) {
                    *old = None;
                }
            }
            (_, None) => {}
        }
    }

    pub(crate) fn set(&mut self, slot: u16, value: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.set(slot, value);
        }
    }

    /// Runs to the next operation, choice or end, then forgets values that are not read again.
    pub(crate) fn run(
        &mut self,
        around: Surroundings,
        budget: &mut Budget,
    ) -> Result<(), Diagnostic> {
        let mut silent = 0;
        let mut round = Span::default();
        while let Some(step) = self.at(around.code) {
            if matches!(step, Step::Operate(_) | Step::Fixed(..) | Step::Choose(..)) {
                break;
            }
            let (cost, place) = match self.silent(step, around) {
                // It stops here until the execution determines the number.
                Err(problem) if problem.code == UNDECIDED => break,
                done => done?,
            };
            round = place.unwrap_or(round);
            silent += cost as u64;
            budget.steps(cost, round)?;
            if silent > MOST_SILENT {
                let message =
                    format!("this code executes {MOST_SILENT} steps without reaching an operation");
                return Err(Diagnostic::error("bound-steps", round, message));
            }
        }
        self.forget(around.code);
        Ok(())
    }

    /// If its next step depends on a number that only an execution knows, the register and the tested limit.
    pub(crate) fn asks(&self, around: Surroundings) -> Option<(u16, u32)> {
        let step = self.at(around.code)?;
        if matches!(step, Step::Operate(_) | Step::Fixed(..) | Step::Choose(..)) {
            return None;
        }
        self.clone().silent(step, around).is_err().then(|| around.arguments.asked.take())?
    }

    /// Records the outcome of such a test; returns the source of the number.
    pub(crate) fn know(&mut self, (register, least): (u16, u32), holds: bool) -> Option<u32> {
        let mut source = None;
        for slot in self.frames.iter_mut().flat_map(|frame| &mut frame.slots) {
            if let Some(Value::Counted(count)) = *slot
                && count.register == register
            {
                source = Some(count.source);
                *slot = Some(count.known(least, holds));
            }
        }
        source
    }

    /// Performs a step that is not an operation; returns its cost, and its position if it can be in a loop.
    fn silent(
        &mut self,
        step: &Step,
        around: Surroundings,
    ) -> Result<(usize, Option<Span>), Diagnostic> {
        let mut cost = 1;
        let mut place = None;
        match step {
            Step::Set(slot, value) => {
                cost += value.code.len();
                let following = self.frames.last().map_or(0, |frame| frame.pc as usize + 1);
                let is_read =
                    around.code.live.get(following).is_some_and(|live| live.contains(*slot));
                match self.kept(value, around) {
                    Ok(value) => self.set(*slot, value),
                    // The operands were forgotten, because the result is not read.
                    Err(problem) if !is_read && [UNSET, UNDECIDED].contains(&problem.code) => {}
                    // Machine code that computes from unknown values has an unknown result.
                    Err(problem) if around.code.nvidia && problem.code == UNSET => {
                        self.put(*slot, self.unknown(value));
                    }
                    Err(problem) => return Err(problem),
                }
                self.step_over();
            }
            Step::SetM0(value) => {
                cost += value.code.len();
                self.m0 = Some(self.number(value, around)?);
                self.step_over();
            }
            Step::SetScc(value) => {
                self.scc = Some(*value);
                self.step_over();
            }
            Step::Unless(condition, target) => {
                cost += condition.code.len();
                let holds = match self.kept(condition, around)? {
                    Value::Data(asked) => {
                        self.decided = true;
                        around.answer(asked, condition.span)
                    }
                    _ => self.holds(condition, around)?,
                };
                if holds {
                    self.step_over();
                } else {
                    self.go_to(*target);
                }
            }
            Step::Jump(target, span) => {
                place = Some(*span);
                self.go_to(*target);
            }
            Step::JumpScc(when, target, span) => {
                place = Some(*span);
                match self.scc {
                    Some(scc) if scc == *when => self.go_to(*target),
                    Some(_) => self.step_over(),
                    None => {
                        let message = "SCC has no value here: set it with `s_barrier_signal_isfirst` or a comparison";
                        return Err(Diagnostic::error("unset-scc", *span, message));
                    }
                }
            }
            Step::Call(unit, arguments, span) => {
                place = Some(*span);
                cost += arguments.iter().map(|argument| argument.code.len() + 1).sum::<usize>();
                self.call(*unit, arguments, *span, around)?;
            }
            Step::Forget(slot) => {
                self.set(*slot, Value::Data(terms::NOT_KNOWN));
                self.step_over();
            }
            Step::Unmodelled(found) => {
                around.instances.unfollowed((**found).clone());
                self.decided = true;
                self.step_over();
            }
            Step::Compute(slot, term) => {
                cost += term.inputs.len();
                let following = self.frames.last().map_or(0, |frame| frame.pc as usize + 1);
                let is_read =
                    around.code.live.get(following).is_some_and(|live| live.contains(*slot));
                if is_read {
                    let value = self.term(term, around)?;
                    self.set(*slot, Value::Data(value));
                }
                self.step_over();
            }
            Step::IsData(slot, of) => {
                let data = matches!(self.slot(*of), Some(Value::Data(_)));
                self.set(*slot, Value::Int(i64::from(data)));
                self.step_over();
            }
            Step::Move(slot, of) => {
                let value = self.slot(*of);
                self.put(*slot, value);
                self.step_over();
            }
            Step::Join(slot, condition, then) => {
                let all = [*condition, *then, *slot].map(|slot| self.slot(slot));
                if all[1] != all[2] {
                    let parts = all
                        .map(|value| around.part(value.unwrap_or(Value::Data(terms::NOT_KNOWN))));
                    let doubt = Some(Doubt::Computed);
                    let term = around.instances.terms.number("?:", parts.to_vec(), doubt);
                    self.set(*slot, Value::Data(term));
                }
                self.step_over();
            }
            Step::Among(one) => {
                self.among(*one, around)?;
                self.step_over();
            }
            Step::Address(slot, private) => {
                self.address(*slot, *private);
                self.step_over();
            }
            Step::Through(one) => self.through(one, around)?,
            Step::Give(value) => {
                cost += value.code.len();
                self.result = Some(self.kept(value, around)?);
                self.step_over();
            }
            Step::Take(slot) => {
                let result = self.result.take();
                self.put(*slot, result);
                self.step_over();
            }
            Step::Keep(_) => self.step_over(),
            Step::Return => drop(self.frames.pop()),
            Step::End => self.frames.clear(),
            Step::Leave(source) => {
                self.left = Some(*source);
                self.frames.clear();
            }
            Step::Choose(..) | Step::Operate(_) | Step::Fixed(..) => {}
        }
        Ok((cost, place))
    }

    /// Reads or writes one of several variables; any of them if the index is data.
    fn among(&mut self, one: Among, around: Surroundings) -> Result<(), Diagnostic> {
        let Among { first, count, index, other, writes, span } = one;
        let known = |value: Option<Value>| {
            let value = value.unwrap_or(Value::Data(terms::NOT_KNOWN));
            linear::settled(value, &around.arguments.reach)
        };
        let term = |parts: &[Option<Value>]| {
            let part = |&value: &Option<Value>| {
                around.part(value.unwrap_or(Value::Data(terms::NOT_KNOWN)))
            };
            let parts = parts.iter().map(part).collect();
            Value::Data(around.instances.terms.number("[]", parts, Some(Doubt::Computed)))
        };
        let at = self.slot(index).unwrap_or(Value::Data(terms::NOT_KNOWN));
        // An index out of bounds is out of bounds for all values of an argument that are at least as far away.
        let leaves = linear::leaves(at, (0, i64::from(count) - 1), &around.arguments.reach);
        let at = if leaves.is_some() { Value::Int(linear::now(at)) } else { known(Some(at)) };
        if let Value::Int(at) = at {
            let Some(at) = u16::try_from(at).ok().filter(|&at| at < count) else {
                let message = format!("the array has {count} numbers, from 0; {at} leaves it");
                return Err(Diagnostic::error("outside-memory", span, message));
            };
            let (to, from) = if writes { (first + at, other) } else { (other, first + at) };
            self.put(to, self.slot(from));
        } else if writes {
            for slot in first..first + count {
                let joined = term(&[Some(at), self.slot(other), self.slot(slot)]);
                self.set(slot, joined);
            }
        } else {
            let mut parts = alloc::vec![Some(at)];
            parts.extend((first..first + count).map(|slot| self.slot(slot)));
            self.set(other, term(&parts));
        }
        Ok(())
    }

    /// The name of the parameter in a slot of the innermost frame, and the position of its argument in the outermost
    /// call that passed it on.
    pub(crate) fn passed<'a>(&self, slot: u16, code: &'a Code) -> Option<(&'a str, Span)> {
        let (mut slot, mut found) = (slot, None);
        for frame in self.frames.iter().rev().skip(1) {
            let call = frame.pc.checked_sub(1).and_then(|pc| code.steps.get(pc as usize));
            let Some(Step::Call(unit, arguments, _)) = call else { break };
            let Some(argument) = arguments.get(usize::from(slot)) else { break };
            let names = &code.units.get(*unit as usize)?.parameters;
            found = Some((names.get(usize::from(slot))?.as_str(), argument.span));
            let [(Atom::Slot(next), _)] = argument.code[..] else { break };
            slot = next;
        }
        found
    }

    fn call(
        &mut self,
        unit: u32,
        arguments: &[Expression],
        span: Span,
        around: Surroundings,
    ) -> Result<(), Diagnostic> {
        if self.frames.len() > DEEPEST as usize {
            let message = format!("calls are nested more than {DEEPEST} levels deep");
            return Err(Diagnostic::error("bound-nesting", span, message));
        }
        let values = arguments.iter().map(|argument| self.kept(argument, around).map(Some));
        let slots = values.collect::<Result<Vec<_>, _>>()?;
        let callee = &around.code.units[unit as usize];
        self.step_over();
        if callee.computes && slots.iter().any(|slot| matches!(slot, Some(Value::Data(_)))) {
            // The function's own conditions on data are not visible to others.
            let part =
                |slot: &Option<Value>| around.part(slot.unwrap_or(Value::Data(terms::NOT_KNOWN)));
            let (parts, shape) = (slots.iter().map(part).collect(), format!("call {unit}"));
            self.result = Some(Value::Data(around.instances.terms.number(&shape, parts, None)));
            return Ok(());
        }
        self.frames.push(Frame { pc: around.code.units[unit as usize].entry, slots });
        Ok(())
    }

    /// Forgets values that are not read again, so that states with equal futures are equal.
    fn forget(&mut self, code: &Code) {
        for frame in &mut self.frames {
            let live = code.live.get(frame.pc as usize).copied().unwrap_or_default();
            for (slot, value) in frame.slots.iter_mut().enumerate() {
                if !live.contains(slot as u16) {
                    *value = None;
                }
            }
            let length = frame.slots.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            frame.slots.truncate(length);
        }
        let live = self
            .frames
            .last()
            .and_then(|frame| code.live.get(frame.pc as usize))
            .copied()
            .unwrap_or_default();
        self.m0 = self.m0.filter(|_| live.contains(M0));
        self.scc = self.scc.filter(|_| live.contains(SCC));
    }
}
