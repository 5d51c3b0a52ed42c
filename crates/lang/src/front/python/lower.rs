//! A kernel as a function of the IR.
//!
//! Each task is an agent of one lane: a task executes as one program, and the compiler orders its warps wherever they share
//! data. A named barrier counts threads, so a task that uses one has an agent for each of its warps, of which the first one
//! does everything else. The function has one part for each agent.

use super::facts::Facts;
use super::parse::{Parsed, Wrong};
use super::roles::{Active, Role};
use super::tree::{Does, Expression, Function, Kind, Sign, Statement, assigned};
use super::value::{Host, Value};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::{Builder, FunctionBuilder};
use tidegate_kernel::ir::{
    self, ArgumentId, BlockId, Comparison, Edge, End, Kind as Operation, Op, Operand, Place,
};

/// Most statements that are lowered.
const MOST_STEPS: usize = 60_000;
/// Deepest nesting of calls.
const DEEPEST: usize = 12;
/// Most rounds of a loop that is unrolled.
const MOST_ROUNDS: i64 = 256;

/// A function that is lowered at a call.
#[derive(Default)]
pub(super) struct Frame<'t> {
    pub(super) variables: BTreeMap<&'t str, Value>,
    /// Variables that have registers of their own, to which assignments write.
    registers: BTreeSet<&'t str>,
    /// Branches and loops around the statement that the execution decides.
    depth: usize,
    result: Option<Value>,
    exit: Option<BlockId>,
    done: bool,
}

/// The state of the lowering.
pub(super) struct Lowering<'a, 't> {
    pub(super) module: &'a mut Builder,
    pub(super) functions: &'a [Function<'t>],
    pub(super) facts: &'a Facts<'t>,
    pub(super) builder: FunctionBuilder,
    pub(super) kernel_place: Place,
    pub(super) frames: Vec<Frame<'t>>,
    pub(super) hosts: BTreeMap<String, ArgumentId>,
    pub(super) positive: Vec<Operand>,
    /// Allocations by the calls and the rounds around them.
    pub(super) allocations: BTreeMap<Vec<u32>, Value>,
    pub(super) path: Vec<u32>,
    pub(super) active: Active,
    pub(super) role: Role,
    pub(super) roles: Vec<Role>,
    /// The name that the current statement assigns.
    pub(super) naming: &'t str,
    pub(super) bars: super::roles::Bars,
    steps: usize,
}

impl<'t> Frame<'t> {
    /// The frame of a kernel.
    pub(super) fn of(variables: BTreeMap<&'t str, Value>) -> Self {
        Self { variables, ..Self::default() }
    }
}

pub(super) fn edge(to: BlockId) -> Edge {
    Edge { to, moves: Vec::new() }
}

impl<'a, 't> Lowering<'a, 't> {
    pub(super) fn new(
        module: &'a mut Builder,
        functions: &'a [Function<'t>],
        facts: &'a Facts<'t>,
        kernel: &Function<'t>,
    ) -> Self {
        Self {
            module,
            functions,
            facts,
            builder: FunctionBuilder::new(kernel.name, kernel.place),
            kernel_place: kernel.place,
            frames: Vec::new(),
            hosts: BTreeMap::new(),
            positive: Vec::new(),
            allocations: BTreeMap::new(),
            path: Vec::new(),
            active: Active::Off,
            role: Role::default(),
            roles: Vec::new(),
            naming: "",
            bars: super::roles::Bars::default(),
            steps: 0,
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame<'t> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The value of a name.
    pub(super) fn named(&self, name: &str) -> Option<Value> {
        let own = self.frames.last().and_then(|frame| frame.variables.get(name).cloned());
        own.or_else(|| self.facts.values.get(name).map(|value| Value::Int(*value)))
    }

    /// Lowers statements; `false` if nothing after them is reached.
    pub(super) fn body(&mut self, body: &'a [Statement<'t>]) -> Parsed<()> {
        for statement in body {
            if self.frame().done {
                break;
            }
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err((
                    statement.place,
                    String::from(
                        "the kernel has too many statements once its loops are unrolled and its calls are expanded",
                    ),
                ));
            }
            self.builder.at(statement.place);
            self.statement(statement)?;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement<'t>) -> Parsed<()> {
        match &statement.kind {
            Does::Assign(targets, value) => {
                self.naming = match targets.first().map(|one| &one.kind) {
                    Some(Kind::Name(name)) => name,
                    _ => "",
                };
                let value = self.evaluate(value)?;
                self.builder.at(statement.place);
                targets.iter().try_for_each(|target| self.assign(target, &value))
            }
            Does::Augment(target, sign, value) => {
                let one = self.evaluate(target)?;
                let other = self.evaluate(value)?;
                let value = self.binary(*sign, one, other);
                self.assign(target, &value)
            }
            Does::Evaluate(value) => self.evaluate(value).map(|_| ()),
            Does::For(target, over, body) => self.for_loop(target, over, body),
            Does::While(condition, body) => self.while_loop(condition, body),
            Does::If(condition, then, other) => self.branch(condition, then, other),
            Does::With(context, body) => self.with(context, body),
            Does::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::None), |value| self.evaluate(value))?;
                self.leave(value);
                Ok(())
            }
            Does::Pass => Ok(()),
            Does::Unknown => {
                Err((statement.place, String::from("a kernel cannot have this statement")))
            }
        }
    }

    /// What is not modelled: the verdict is unknown if an agent reaches it.
    pub(super) fn unknown(&mut self, why: String) {
        if self.active != Active::Off {
            self.builder.push(Operation::Unknown { why, to: Vec::new() });
        }
    }

    pub(super) fn assign(&mut self, target: &Expression<'t>, value: &Value) -> Parsed<()> {
        match &target.kind {
            Kind::Name(name) => self.set(name, value),
            Kind::Tuple(targets) => match value {
                Value::Tuple(values) if values.len() == targets.len() => {
                    // All values are taken before the first assignment.
                    let values: Vec<Value> =
                        values.iter().map(|one| self.kept(one, false)).collect();
                    return targets
                        .iter()
                        .zip(&values)
                        .try_for_each(|(to, value)| self.assign(to, value));
                }
                Value::Data | Value::Mixed => {
                    return targets.iter().try_for_each(|to| self.assign(to, value));
                }
                _ => return Err((target.place, format!("expected {} values", targets.len()))),
            },
            _ => self.unknown(String::from("an assignment to this is not modelled")),
        }
        Ok(())
    }

    fn set(&mut self, name: &'t str, value: &Value) {
        let known = self.frame().variables.get(name).cloned();
        if let Some(known) = known.filter(|_| self.frame().registers.contains(name)) {
            if !self.write(&known, value) {
                self.unknown(format!(
                    "`{name}` has values of different kinds, and is not followed"
                ));
            }
            return;
        }
        let kept = self.kept(value, false);
        self.frame().variables.insert(name, kept);
    }

    /// Gives variables that statements assign registers of their own. The result is those that had none.
    fn open(&mut self, bodies: &[&'a [Statement<'t>]]) -> Vec<&'t str> {
        let mut opened = Vec::new();
        for name in bodies.iter().flat_map(|body| assigned(body)) {
            let frame = self.frame();
            let Some(value) = frame.variables.get(name).cloned() else { continue };
            if frame.registers.insert(name) {
                let kept = self.kept(&value, true);
                self.frame().variables.insert(name, kept);
                opened.push(name);
            }
        }
        self.frame().depth += 1;
        opened
    }

    fn close(&mut self, opened: &[&'t str]) {
        let frame = self.frame();
        opened.iter().for_each(|name| {
            frame.registers.remove(name);
        });
        frame.depth -= 1;
    }

    /// A return: the rest of the function is not reached.
    fn leave(&mut self, value: Value) {
        let depth = self.frame().depth;
        let outermost = self.frames.len() == 1;
        if depth == 0 && self.frame().exit.is_none() {
            let frame = self.frame();
            (frame.result, frame.done) = (Some(value), true);
            return;
        }
        if outermost {
            self.builder.end(End::Exit);
        } else {
            self.return_from(&value);
        }
        let rest = self.builder.block();
        self.builder.go_to(rest);
        self.frame().done |= depth == 0;
    }

    fn return_from(&mut self, value: &Value) {
        let known = self.frame().result.clone();
        match known {
            None => {
                let kept = self.kept(value, true);
                self.frame().result = Some(kept);
            }
            Some(known) => {
                if !self.write(&known, value) {
                    self.frame().result = Some(Value::Mixed);
                }
            }
        }
        let made = self.builder.block();
        let exit = *self.frame().exit.get_or_insert(made);
        self.builder.jump(exit);
    }

    /// Calls a function of the file.
    pub(super) fn call_of(
        &mut self,
        function: &'a Function<'t>,
        passed: Vec<(Option<&'t str>, Value)>,
        place: Place,
    ) -> Parsed<Value> {
        if self.frames.len() >= DEEPEST {
            return Err((place, String::from("calls nest too deeply")));
        }
        let mut frame = Frame::default();
        for (at, (keyword, value)) in passed.into_iter().enumerate() {
            let named = |name| function.parameters.iter().find(|one| one.name == name);
            let parameter = keyword.map_or_else(|| function.parameters.get(at), named);
            let Some(parameter) = parameter else {
                return Err((place, format!("`{}` has no such parameter", function.name)));
            };
            let kept = self.kept(&value, false);
            frame.variables.insert(parameter.name, kept);
        }
        for parameter in &function.parameters {
            if !frame.variables.contains_key(parameter.name) {
                let Some(default) = &parameter.default else {
                    return Err((
                        place,
                        format!("this call of `{}` passes no `{}`", function.name, parameter.name),
                    ));
                };
                let value = self.evaluate(default)?;
                frame.variables.insert(parameter.name, value);
            }
        }
        self.frames.push(frame);
        self.path.push(place.start);
        let lowered = self.body(&function.body);
        let end = self.frame().exit;
        if let Some(exit) = end {
            if !self.frame().done {
                self.return_from(&Value::None);
            }
            self.builder.go_to(exit);
        }
        self.path.pop();
        let result = self.frames.pop().and_then(|frame| frame.result);
        lowered.map(|()| result.unwrap_or(Value::None))
    }

    fn branch(
        &mut self,
        condition: &'a Expression<'t>,
        then: &'a [Statement<'t>],
        other: &'a [Statement<'t>],
    ) -> Parsed<()> {
        let value = self.evaluate(condition)?;
        let known = match value {
            Value::Int(value) => Some(value != 0),
            Value::None => Some(false),
            Value::View(_) | Value::Global(_) | Value::Text(_) | Value::Type(_) => Some(true),
            _ => None,
        };
        if let Some(known) = known {
            return self.body(if known { then } else { other });
        }
        let opened = self.open(&[then, other]);
        let on = self.bit(&value);
        let blocks = [self.builder.block(), self.builder.block()];
        self.builder.end(End::Branch { on, then: edge(blocks[0]), other: edge(blocks[1]) });
        let before = self.frame().variables.clone();
        let mut ends = Vec::new();
        for (block, body) in blocks.into_iter().zip([then, other]) {
            self.builder.go_to(block);
            self.frame().variables = before.clone();
            self.body(body)?;
            let variables = core::mem::take(&mut self.frame().variables);
            ends.push((self.builder.current(), variables));
        }
        self.join(before, ends);
        self.close(&opened);
        Ok(())
    }

    /// Continues after two ways. A variable that both ways define has registers of its own.
    fn join(
        &mut self,
        before: BTreeMap<&'t str, Value>,
        mut ends: Vec<(BlockId, BTreeMap<&'t str, Value>)>,
    ) {
        let (Some(last), Some(first)) = (ends.pop(), ends.pop()) else { return };
        let mut after = before;
        for (name, value) in first.1 {
            let Some(other) = last.1.get(name).filter(|_| !after.contains_key(name)) else {
                continue;
            };
            let joined = if value == *other {
                value
            } else {
                self.builder.go_to(first.0);
                let kept = self.kept(&value, true);
                self.builder.go_to(last.0);
                if self.write(&kept, other) { kept } else { Value::Mixed }
            };
            after.insert(name, joined);
        }
        let next = self.builder.block();
        for (block, _) in [(first.0, ()), (last.0, ())] {
            self.builder.go_to(block);
            self.builder.jump(next);
        }
        self.builder.go_to(next);
        self.frame().variables = after;
    }

    fn while_loop(
        &mut self,
        condition: &'a Expression<'t>,
        body: &'a [Statement<'t>],
    ) -> Parsed<()> {
        let opened = self.open(&[body]);
        let before = self.frame().variables.clone();
        let [head, inner, after] =
            [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.jump(head);
        self.builder.go_to(head);
        let value = self.evaluate(condition)?;
        let on = self.bit(&value);
        self.builder.end(End::Branch { on, then: edge(inner), other: edge(after) });
        self.builder.go_to(inner);
        self.body(body)?;
        self.builder.jump(head);
        self.builder.go_to(after);
        self.frame().variables = before;
        self.close(&opened);
        Ok(())
    }

    fn for_loop(
        &mut self,
        target: &'a Expression<'t>,
        over: &'a Expression<'t>,
        body: &'a [Statement<'t>],
    ) -> Parsed<()> {
        let Some((unrolled, bounds)) = self.range(over)? else {
            let Value::Tuple(values) = self.evaluate(over)? else {
                return Err((
                    over.place,
                    String::from("expected `range`, `tl.range` or `tl.static_range`"),
                ));
            };
            return self.unrolled(target, values, body, over.place);
        };
        let [lo, hi, step] = bounds;
        if unrolled {
            let mut all = Vec::new();
            let [lo, hi, step] = [
                self.size(&lo, over.place, "`static_range`")?,
                self.size(&hi, over.place, "`static_range`")?,
                self.size(&step, over.place, "`static_range`")?,
            ];
            let mut at = lo;
            while step != 0 && if step > 0 { at < hi } else { at > hi } {
                all.push(Value::Int(at));
                at += step;
                if all.len() as i64 > MOST_ROUNDS {
                    break;
                }
            }
            return self.unrolled(target, all, body, over.place);
        }
        if step == Value::Int(0) {
            return Err((over.place, String::from("the step of a range must not be 0")));
        }
        let count = self.count(&lo, &hi, &step);
        let opened = self.open(&[body]);
        let kept = self.kept(&lo, true);
        let counter = if count.is_some() { self.kept(&Value::Int(0), true) } else { kept.clone() };
        let most = match &count {
            Some(Value::Host(host, offset)) => {
                let rounds = self.rounds(host);
                match offset {
                    0 => rounds,
                    _ => self.builder.compute(32, Op::Add, &[rounds, Operand::Int(*offset as u64)]),
                }
            }
            Some(known) => self.operand(known),
            None => self.operand(&hi),
        };
        let before = self.frame().variables.clone();
        let [head, inner, after] =
            [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.jump(head);
        self.builder.go_to(head);
        let of = [self.operand(&counter), most];
        let down = count.is_none() && step.int().is_some_and(|step| step < 0);
        let comparison = if down { Comparison::Sgt } else { Comparison::Slt };
        let on = match most {
            Operand::Data => Operand::Data,
            _ => self.builder.compute(1, Op::Compare(comparison, 32), &of),
        };
        self.builder.end(End::Branch { on, then: edge(inner), other: edge(after) });
        self.builder.go_to(inner);
        let value = match &count {
            Some(_) => {
                let grown = self.binary(Sign::Mul, counter.clone(), step.clone());
                self.binary(Sign::Add, grown, lo.clone())
            }
            None => counter.clone(),
        };
        self.assign(target, &value)?;
        self.body(body)?;
        self.builder.at(over.place);
        let by = if count.is_some() { Value::Int(1) } else { step };
        let next = self.binary(Sign::Add, counter.clone(), by);
        self.write(&counter, &next);
        self.builder.jump(head);
        self.builder.go_to(after);
        self.frame().variables = before;
        self.close(&opened);
        Ok(())
    }

    /// The number of rounds of a range, if the text or the host decides it.
    fn count(&mut self, lo: &Value, hi: &Value, step: &Value) -> Option<Value> {
        if step.int().is_some_and(|step| step < 0) && (lo.int().is_none() || hi.int().is_none()) {
            return None;
        }
        let steady = |value: &Value| matches!(value, Value::Int(_) | Value::Host(..));
        if ![lo, hi, step].into_iter().all(steady) {
            return None;
        }
        let plain = |value: &Value| match value {
            Value::Host(host, offset) => Value::Host(Host { known: None, ..host.clone() }, *offset),
            other => other.clone(),
        };
        let [lo, hi, step] = [plain(lo), plain(hi), plain(step)];
        let length = self.binary(Sign::Sub, hi, lo);
        let rounded = match step.int() {
            Some(step) if step < 0 => {
                let length = length.int()?;
                return Some(Value::Int(((-length) + (-step) - 1).div_euclid(-step).max(0)));
            }
            Some(step) => self.binary(Sign::Add, length, Value::Int(step - 1)),
            None => {
                let less = self.binary(Sign::Sub, step.clone(), Value::Int(1));
                self.binary(Sign::Add, length, less)
            }
        };
        let count =
            if step == Value::Int(1) { rounded } else { self.binary(Sign::Floor, rounded, step) };
        steady(&count).then_some(count)
    }

    fn unrolled(
        &mut self,
        target: &'a Expression<'t>,
        values: Vec<Value>,
        body: &'a [Statement<'t>],
        place: Place,
    ) -> Parsed<()> {
        if values.len() as i64 > MOST_ROUNDS {
            return Err((place, format!("at most {MOST_ROUNDS} rounds can be unrolled")));
        }
        for (round, value) in (0..).zip(values) {
            self.assign(target, &value)?;
            self.path.push(round);
            let lowered = self.body(body);
            self.path.pop();
            lowered?;
        }
        Ok(())
    }

    /// Lowers one agent of the kernel, from its first block on.
    pub(super) fn agent(
        &mut self,
        kernel: &'a Function<'t>,
        role: Role,
        first: Frame<'t>,
    ) -> Result<BlockId, Wrong> {
        let block = self.builder.block();
        self.builder.at(kernel.place);
        self.builder.go_to(block);
        self.frames = alloc::vec![first];
        self.active = role.outside();
        self.role = role;
        self.path.clear();
        self.body(&kernel.body)?;
        self.builder.end(End::Return(Vec::new()));
        Ok(block)
    }

    pub(super) fn finish(self) -> ir::Function {
        self.builder.finish()
    }
}
