//! Lowers one body or function to flat code.

use super::code::{Code, Looks, MOST_SLOTS, Operand, Outcome, Pc, Rounds, Step, Unit};
use super::names::{Globals, Reports, not_yet};
use super::uses::{self, Uses};
use super::vector::Parts;
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use crate::expression::types::Type;
use crate::expression::{Atom, Expression};
use crate::source::{Need, Source};
use crate::suggest;
use crate::tree::{self, Block, Function, Instruction, Name, Statement, StatementKind};
use crate::vocabulary::nvidia::Kind;
use crate::vocabulary::{Condition, Effect, Place};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::{Action, Form, Mnemonic, Object, Operation};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::Bar;
use tidegate_model::support;
use tidegate_model::target::{Family, TargetId};

/// The context of a unit.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) globals: &'a Globals,
    pub(crate) text: &'a str,
    pub(crate) target: Option<TargetId>,
    /// For each declared name, by its position, its C type.
    pub(crate) types: &'a OrderedMap<u32, Type>,
    /// For each declared name, the vector or private array whose components are tracked.
    pub(crate) shapes: &'a OrderedMap<u32, tree::Shape>,
    /// Functions whose calls have a frame of async marks.
    pub(crate) framed: &'a OrderedSet<u32>,
    /// For each function, the OpenCL barriers that it uses.
    pub(crate) uses: &'a OrderedMap<String, Uses>,
    /// Arrays that the text may write.
    pub(crate) written: &'a OrderedSet<String>,
    /// Variables in constant memory whose contents the text gives.
    pub(crate) given: &'a OrderedSet<String>,
    /// An atomic operation of the text that may acquire.
    pub(crate) acquire: &'a Option<super::acquire::Acquire>,
    /// Functions that only compute data, and the result types of functions.
    pub(crate) computes: &'a OrderedSet<String>,
    /// Functions that are declared.
    pub(crate) prototypes: &'a OrderedSet<String>,
    pub(crate) results: &'a OrderedMap<String, Type>,
    /// Whether the body is a function's.
    pub(crate) in_function: bool,
}

/// A jump whose target is not known yet.
pub(super) const NOWHERE: Pc = Pc::MAX;

/// Lowers a body, which may be a function's.
pub(crate) fn lower(
    context: Context,
    body: &Block,
    (function, arguments): (Option<&Function>, &[tree::Argument]),
    code: &mut Code,
    reports: &mut Reports,
) -> Unit {
    let entry = code.steps.len() as Pc;
    let returns = function.is_some();
    let parameters = function.map_or(&[][..], |function| &function.parameters);
    let mut unit = Lowering {
        context,
        code,
        reports,
        scopes: Vec::new(),
        types: OrderedMap::new(),
        parts: OrderedMap::new(),
        open: Vec::new(),
        loops: Vec::new(),
        labels: OrderedMap::new(),
        branches: Vec::new(),
        barriers: OrderedSet::new(),
        parameters: parameters.len(),
        returns,
        addresses: false,
        before: None,
        result: function.and_then(|function| function.result),
        looks: Looks::default(),
        needs: Vec::new(),
        acquired: None,
    };
    unit.open.push(0);
    for (index, parameter) in parameters.iter().enumerate() {
        let slot = unit.declare(&parameter.text, parameter.span);
        if function.is_some_and(|function| function.barriers.get(index) == Some(&true)) {
            unit.barriers.insert(slot);
        }
        if let Some(&of) = unit.types.get(&slot) {
            let code = alloc::vec![
                (Atom::Slot(slot), parameter.span),
                (Atom::Convert(of), parameter.span)
            ];
            unit.push(Step::Set(slot, Expression { code, span: parameter.span }));
        }
    }
    if let Some(function) = function {
        // Whether data decide that it is called.
        let within = unit.declare("", function.name.span);
        let (span, text) = (function.name.span, format!("the call of {}", function.name.text));
        unit.needs.push((within, None, Need { span, text, holds: Some(true), orders: false }));
    }
    let arguments = unit.arguments(arguments);
    unit.may_acquire();
    unit.block(body);
    unit.code.steps.push(if returns { Step::Return } else { Step::End });
    unit.resolve_labels(uses::uses_any(body, unit.context.uses));
    let end = unit.source(body.close, String::from("end"));
    Unit { arguments, ..Unit::new(entry, unit.looks, end) }
}

#[derive(Default)]
pub(super) struct Loop {
    /// Jumps to the end of the loop.
    pub(super) breaks: Vec<Pc>,
    /// Jumps to the next iteration.
    pub(super) continues: Vec<Pc>,
    /// The counters of its iterations.
    pub(super) rounds: Rounds,
    /// Whether it is a `switch`, which can be left but has no iterations.
    pub(super) is_switch: bool,
}

pub(super) struct Lowering<'a, 'b, 'c> {
    pub(super) context: Context<'a>,
    pub(super) code: &'b mut Code,
    pub(super) reports: &'b mut Reports<'c>,
    /// Variables in scope by slot, innermost last. Hidden variables have no name.
    pub(super) scopes: Vec<String>,
    /// The types of variables, by slot.
    pub(super) types: OrderedMap<u16, Type>,
    /// The components of vectors and private arrays, by slot.
    pub(super) parts: OrderedMap<u16, Parts>,
    /// For each open block, the number of variables before it.
    pub(super) open: Vec<usize>,
    pub(super) loops: Vec<Loop>,
    pub(super) labels: OrderedMap<String, Pc>,
    /// Branches to labels: the step and the label.
    pub(super) branches: Vec<(Pc, Name)>,
    /// Variables that are OpenCL named barriers, by slot.
    pub(super) barriers: OrderedSet<u16>,
    /// Number of parameters of the body.
    pub(super) parameters: usize,
    /// Whether it is a function's.
    returns: bool,
    /// Whether the name of a memory is its address here.
    pub(super) addresses: bool,
    /// The value of an element before the assignment.
    pub(super) before: Option<u16>,
    /// The result type of the function.
    result: Option<Type>,
    pub(super) looks: Looks,
    /// The conditions on data under which the lowered statement happens, the variable that holds whether data decide
    /// there, and that of the condition.
    pub(super) needs: Vec<(u16, Option<u16>, Need)>,
    /// The variable that is nonzero after an atomic operation that may acquire.
    pub(super) acquired: Option<u16>,
}

impl Lowering<'_, '_, '_> {
    pub(super) fn here(&self) -> Pc {
        self.code.steps.len() as Pc
    }

    pub(super) fn push(&mut self, step: Step) -> Pc {
        self.code.steps.push(step);
        self.here() - 1
    }

    pub(super) fn patch(&mut self, at: Pc, to: Pc) {
        match &mut self.code.steps[at as usize] {
            Step::Unless(_, target) | Step::Jump(target, _) | Step::JumpScc(_, target, _) => {
                *target = to
            }
            Step::Through(one) => one.end = to,
            _ => {}
        }
    }

    /// The iteration counters of the surrounding loops, outermost first.
    pub(super) fn rounds_of_loops(&self) -> impl Iterator<Item = &Rounds> {
        self.loops.iter().map(|round| &round.rounds)
    }

    pub(super) fn source(&mut self, span: Span, text: String) -> u32 {
        self.code.sources.push(Source { span, text, needs: Vec::new() });
        self.code.sources.len() as u32 - 1
    }

    /// Declares a variable and returns its slot; a variable with the same name in the same block is replaced.
    pub(super) fn declare(&mut self, name: &str, span: Span) -> u16 {
        let block = self.open.last().copied().unwrap_or(0);
        let same =
            (block..self.scopes.len()).find(|&slot| !name.is_empty() && self.scopes[slot] == name);
        if same.is_none() && self.scopes.len() >= usize::from(MOST_SLOTS) {
            self.reports.error(
                "bound-variables",
                span,
                format!("more than {MOST_SLOTS} variables in scope"),
            );
            return 0;
        }
        if same.is_none() {
            self.scopes.push(String::from(name));
        }
        let slot = same.unwrap_or(self.scopes.len() - 1) as u16;
        self.types.remove(&slot);
        self.parts.remove(&slot);
        let of = self.context.types.get(&span.start).filter(|_| !name.is_empty());
        self.types.extend(of.map(|&of| (slot, of)));
        slot
    }

    pub(super) fn slot(&self, name: &str) -> Option<u16> {
        self.scopes.iter().rposition(|known| known == name).map(|slot| slot as u16)
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.open.push(self.scopes.len());
        for statement in &block.statements {
            self.statement(statement);
        }
        let before = self.open.pop().unwrap_or(0);
        self.scopes.truncate(before);
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        let before = self.scopes.len();
        self.statement_of(statement);
        // Only for C statements.
        let of_c = matches!(
            statement.kind,
            StatementKind::Variable(..)
                | StatementKind::Assign(..)
                | StatementKind::Value(_)
                | StatementKind::Either(..)
                | StatementKind::Give(_)
        );
        while of_c && self.scopes.len() > before && self.scopes.last().is_some_and(String::is_empty)
        {
            self.scopes.pop();
        }
    }

    fn statement_of(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Let(name, value) => {
                let (value, of) = self.resolve_typed(value);
                let slot = self.declare(&name.text, name.span);
                let value = self.fitted((value, of), slot);
                self.push(Step::Set(slot, value));
            }
            StatementKind::Copy(name, value) => self.copied(name, value, span),
            StatementKind::Forget(names) => self.forget(names),
            StatementKind::Variable(name, value) => self.variable_of_c(name, value.as_ref()),
            StatementKind::Value(value) => self.effects(value),
            StatementKind::Either(condition, then, otherwise) => {
                self.if_of_c(condition, then, otherwise.as_ref(), span);
            }
            StatementKind::Rounds(rounds) => self.rounds_of_c(rounds, span),
            StatementKind::Give(value) => {
                let (mut value, _) = self.evaluated(value);
                value.code.extend(self.result.map(|of| (Atom::Convert(of), span)));
                if self.returns {
                    self.push(Step::Give(value));
                }
                self.leave(None, self.returns, span);
            }
            StatementKind::Goto(label) => {
                let at = self.push(Step::Jump(NOWHERE, span));
                self.branches.push((at, label.clone()));
            }
            StatementKind::Several(statements) => {
                statements.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::Declare(name) => {
                self.is_new(name);
                self.declare(&name.text, name.span);
            }
            StatementKind::Assign(name, value) if self.has_parts(name) => {
                self.assigned_whole(name, value, span);
            }
            StatementKind::Assign(name, value) => {
                let step = self.assignment(name, value, span);
                self.code.steps.extend(step);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.registers(then);
                self.conditional(condition, then, otherwise.as_ref(), span)
            }
            StatementKind::For(name, first, end, body) => {
                self.count_up(name, first, end, body, span)
            }
            StatementKind::Repeat(times, body) => self.count_down(times, body, span),
            StatementKind::While(condition, body) => {
                self.open.push(self.scopes.len());
                let rounds = self.count_rounds(body, span);
                let condition = self.resolve(condition);
                let top = self.here();
                let leave = self.push(Step::Unless(condition, NOWHERE));
                self.round((body, rounds), Vec::new(), top, Some(leave), span);
                self.close();
            }
            StatementKind::Loop(body) => {
                self.open.push(self.scopes.len());
                let rounds = self.count_rounds(body, span);
                let top = self.here();
                self.round((body, rounds), Vec::new(), top, None, span);
                self.close();
            }
            StatementKind::Construct(declared) => self.construct(declared, span),
            StatementKind::Restricted(faults) => {
                faults.iter().for_each(|&(restriction, span)| self.restrict(restriction, span));
            }
            StatementKind::Break | StatementKind::Continue => {
                self.leave_round(&statement.kind, span)
            }
            StatementKind::Choose(blocks) => self.choose(blocks, span),
            StatementKind::Count(count) => self.count(count, span),
            StatementKind::Switch(switch) => self.switch(switch, span),
            StatementKind::DoWhile(body, condition) => self.do_while(body, condition, span),
            StatementKind::Exit => drop(self.push(Step::End)),
            StatementKind::Return(value) => self.leave(value.as_ref(), self.returns, span),
            StatementKind::Label(name) => {
                let here = self.here();
                if self.labels.insert(name.text.clone(), here).is_some() {
                    self.reports.error(
                        "duplicate-label",
                        name.span,
                        format!("the label `{}` is defined twice", name.text),
                    );
                }
            }
            StatementKind::Call(name, arguments) => self.call(name, arguments, span),
            StatementKind::Instruction(instruction) => self.instruction(instruction, span),
            StatementKind::NotYet(vocabulary, declared) => {
                if let Some(name) = declared {
                    self.declare(&name.text, name.span);
                }
                not_yet(self.code, *vocabulary, span);
            }
        }
    }

    /// The slot of an assigned variable.
    pub(super) fn assigned(&mut self, name: &Name) -> Option<u16> {
        let slot = self.slot(&name.text);
        if slot.is_none() {
            let known = self.context.globals.meaning(&name.text).is_some();
            let (code, message) = if known {
                ("not-a-variable", format!("`{}` is not a variable", name.text))
            } else {
                (
                    "unknown-name",
                    format!("unknown variable `{0}`: declare it with `let {0} = …`", name.text),
                )
            };
            let suggestion = suggest::instead(&name.text, self.scopes.iter().map(String::as_str));
            self.reports
                .push(Diagnostic { suggestion, ..Diagnostic::error(code, name.span, message) });
            // One missing declaration is one error.
            if !known {
                self.declare(&name.text, name.span);
            }
        }
        slot
    }

    pub(super) fn close(&mut self) {
        let before = self.open.pop().unwrap_or(0);
        self.scopes.truncate(before);
    }

    /// The body of a loop, the code before the next iteration (whose condition can leave the loop), and the jump back.
    pub(super) fn round(
        &mut self,
        (body, rounds): (&Block, Rounds),
        next: Vec<Step>,
        top: Pc,
        leave: Option<Pc>,
        span: Span,
    ) {
        let breaks = leave.into_iter().collect();
        self.loops.push(Loop { breaks, rounds, ..Loop::default() });
        self.block(body);
        let Some(Loop { mut breaks, continues, rounds, .. }) = self.loops.pop() else { return };
        let here = self.here();
        continues.into_iter().for_each(|at| self.patch(at, here));
        for step in next {
            let leaves = matches!(step, Step::Unless(..));
            let at = self.push(step);
            breaks.extend(leaves.then_some(at));
        }
        self.next_round(&rounds, span);
        self.push(Step::Jump(top, span));
        let here = self.here();
        breaks.into_iter().for_each(|at| self.patch(at, here));
    }

    fn leave_round(&mut self, kind: &StatementKind, span: Span) {
        let at = self.push(Step::Jump(NOWHERE, span));
        let is_break = matches!(kind, StatementKind::Break);
        let mut around = self.loops.iter_mut().rev();
        match around.find(|round| is_break || !round.is_switch) {
            Some(round) if is_break => round.breaks.push(at),
            Some(round) => round.continues.push(at),
            None => {
                let word = if is_break { "break" } else { "continue" };
                self.reports.error("outside-loop", span, format!("`{word}` is outside a loop"));
                self.code.steps.pop();
            }
        }
    }

    fn choose(&mut self, blocks: &[Block], span: Span) {
        self.looks.0 |= Looks::CHOOSE;
        let place = Span { length: "choose".len() as u32, ..span };
        let source = self.source(place, String::from("choose"));
        let at = self.push(Step::Choose(Vec::new(), source));
        let mut starts = Vec::with_capacity(blocks.len());
        let mut ends = Vec::with_capacity(blocks.len());
        for block in blocks {
            starts.push(self.here());
            self.block(block);
            ends.push(self.push(Step::Jump(NOWHERE, span)));
        }
        let here = self.here();
        ends.into_iter().for_each(|at| self.patch(at, here));
        if let Step::Choose(targets, _) = &mut self.code.steps[at as usize] {
            *targets = starts;
        }
    }

    fn instruction(&mut self, instruction: &Instruction, span: Span) {
        let row = instruction.row;
        let reduces = row.effect == Effect::Nvidia(Kind::Bar(Bar::Red));
        let operands: Vec<_> = match reduces {
            true => {
                let mut instruction = instruction.clone();
                self.predicate(&mut instruction.operands);
                self.operands(&instruction)
            }
            false => self.operands(instruction),
        };
        let mut operands = operands;
        if row.effect == Effect::Nvidia(Kind::InitWord) {
            let high = operands.get(1).and_then(|low| self.high_half(low, self.context.text));
            operands.extend(high);
        }
        let outcome = self.outcome(instruction);
        if let Form::Machine(mnemonic) = row.form {
            self.warn_of_target(mnemonic, row.name, instruction.head);
        }
        match row.effect {
            Effect::SetM0 => {
                if let Some(Operand::Value(_, value)) = operands.into_iter().next_back() {
                    self.push(Step::SetM0(value));
                }
            }
            Effect::Compare => self.compare(instruction, operands, span),
            Effect::End => drop(self.push(Step::End)),
            Effect::Jump(condition) => {
                let at = self.push(match condition {
                    Condition::Always => Step::Jump(NOWHERE, span),
                    Condition::Scc(when) => Step::JumpScc(when, NOWHERE, span),
                });
                let label = instruction.operands.iter().find_map(|operand| match operand {
                    tree::Operand::Label(label) => Some(label.clone()),
                    _ => None,
                });
                self.branches.extend(label.map(|label| (at, label)));
            }
            Effect::ArriveAndWait => {
                let source = self.source(span, instruction.text.clone());
                let object = Object::Workgroup;
                let arrive = Action::Arrive { object, expected: None, is_first: false };
                for action in [arrive, Action::Wait { object }] {
                    self.push(Step::Fixed(Operation::new(action, row.form), source));
                }
            }
            Effect::Nvidia(Kind::Move) => self.moved(instruction, operands),
            _ => {
                let source = self.source(span, instruction.text.clone());
                let mut operate = self.operate(instruction, operands, outcome, source);
                if matches!(row.effect, Effect::Load | Effect::Store) && !self.needs.is_empty() {
                    let text = &instruction.text;
                    (operate.source, operate.guards) = self.sources(span, text, false);
                }
                self.code.nvidia |= operate.nvidia.is_some();
                self.push(Step::Operate(operate));
                if matches!(row.effect, Effect::Opencl(_)) {
                    self.acquires(span);
                }
                self.high_half_of_token(instruction, outcome);
            }
        }
    }

    fn operands(&mut self, instruction: &Instruction) -> Vec<Operand> {
        // Operand positions without an operand are skipped.
        let silent = |place: &&Place| !matches!(place, Place::Register | Place::Policy);
        let places = instruction.row.operands.iter().filter(silent);
        let more = if instruction.nvidia.is_some() { Place::Any } else { Place::Number };
        let mut places = places.copied().chain(core::iter::repeat(more));
        let mut operands = Vec::with_capacity(instruction.operands.len());
        let tiles = instruction.row.effect == Effect::Nvidia(Kind::Tensor);
        self.addresses = tiles || instruction.row.effect == Effect::Nvidia(Kind::Move);
        for operand in &instruction.operands {
            let place = places.next().unwrap_or(Place::Number);
            match operand {
                tree::Operand::Bytes(name, _) if self.describes(instruction, operand) => {
                    operands.push(self.described(name));
                }
                operand if tiles && self.unknown_tile(operand).is_some() => {
                    operands.extend(self.unknown_tile(operand));
                }
                tree::Operand::Value(value) => {
                    operands.push(Operand::Value(place, self.resolve(value)))
                }
                tree::Operand::Coordinate(value) => operands.push(self.coordinate(value)),
                tree::Operand::M0(span) => operands.push(Operand::M0(*span)),
                tree::Operand::Label(_) => {}
                // A register that may hold an address or a descriptor.
                tree::Operand::Bytes(name, None) if tiles && self.slot(&name.text).is_some() => {
                    let code = alloc::vec![(Atom::Name, name.span)];
                    let value = Expression { code, span: name.span };
                    operands.push(Operand::Value(Place::Any, self.resolve(&value)));
                }
                tree::Operand::Bytes(name, range) => operands.extend(self.bytes(name, range)),
                tree::Operand::Stage(name, index) => operands.extend(self.stage(name, index)),
                tree::Operand::Counter(counter, most) => {
                    operands.push(Operand::Counter(*counter, self.resolve(most)));
                }
                tree::Operand::Fence(fence) => operands.push(Operand::Fence(*fence)),
            }
        }
        self.addresses = false;
        self.behind_address(instruction, &mut operands);
        operands
    }

    fn outcome(&mut self, instruction: &Instruction) -> Outcome {
        if let Effect::Nvidia(kind) = instruction.row.effect {
            return self.outcome_of_nvidia(instruction, kind);
        }
        let is_first = instruction.row.effect == Effect::ArriveIsFirst;
        let Some(name) = &instruction.result else {
            let machine = matches!(instruction.row.form, Form::Machine(_));
            return if is_first && machine { Outcome::Scc } else { Outcome::Nowhere };
        };
        // The word that an intrinsic reads has a name, as LLVM requires, but no known value.
        let reads = instruction.row.effect == Effect::ReadState && self.slot(&name.text).is_none();
        if reads && matches!(instruction.row.form, Form::Intrinsic(_)) {
            self.declare(&name.text, name.span);
            return Outcome::Nowhere;
        }
        if !is_first || matches!(instruction.row.form, Form::Machine(_)) {
            let message =
                format!("`{}` has no result to assign to a variable", instruction.row.name);
            self.reports.error("no-result", name.span, message);
            return Outcome::Nowhere;
        }
        let slot = if instruction.declares || self.slot(&name.text).is_none() {
            self.declare(&name.text, name.span)
        } else {
            self.slot(&name.text).unwrap_or(0)
        };
        Outcome::Slot(slot)
    }

    /// Warns of an instruction that the scenario's own target does not support.
    fn warn_of_target(&mut self, mnemonic: Mnemonic, name: &str, span: Span) {
        let Some(target) = self.context.target.filter(|target| !target.get().has(mnemonic)) else {
            return;
        };
        let processor = |id: &TargetId| matches!(id.get().family, Family::Amdgpu { .. });
        let having = TargetId::all().filter(|id| processor(id) && id.get().has(mnemonic));
        let having: Vec<TargetId> = having.collect();
        let verb = if having.len() == 1 { "has" } else { "have" };
        let message = support::named(&having).map(|those| format!("{those} {verb} it"));
        self.reports.push(Diagnostic {
            severity: Severity::Warning,
            suggestion: message.map(|message| Suggestion { message, replacement: None }),
            ..Diagnostic::error(
                "not-on-target",
                span,
                format!("{} has no `{name}`", target.get().name),
            )
        });
    }
}
