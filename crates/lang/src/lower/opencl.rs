//! OpenCL: named barriers as variables, the restrictions on their type, and the iterations of loops.

use super::code::{Argument, Operand, Operate, Rounds, Step};
use super::names;
use super::unit::Lowering;
use super::uses;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Expression};
use crate::source::Restricted;
use crate::tree::{self, Block, Construct, Name, Restriction};
use crate::vocabulary::effect::Call;
use crate::vocabulary::opencl::CONSTRUCT;
use crate::vocabulary::{Effect, Place};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;

/// Largest number of named barriers of a text.
const MOST_OBJECTS: usize = 4096;

impl Lowering<'_, '_, '_> {
    /// Declares the arguments of a kernel; an argument with the name of a constant has its value. Returns the slots of
    /// integers without a value, and their numbers among those of the text.
    pub(super) fn arguments(&mut self, arguments: &[tree::Argument]) -> Vec<(u16, u16)> {
        let mut unknown = Vec::new();
        for tree::Argument { name, range, value, barrier } in arguments {
            if self.context.globals.meanings.contains_key(&name.text) {
                continue;
            }
            let slot = self.declare(&name.text, name.span);
            if *barrier {
                self.unconstructed_barrier(slot, name);
            }
            if let Some(value) = *value {
                self.push(Step::Set(slot, Expression::int(value, name.span)));
            } else if let Some(range) = *range {
                unknown.push((slot, self.code.arguments.len().min(usize::from(u16::MAX)) as u16));
                let (name, span) = (name.text.clone(), name.span);
                self.code.arguments.push(Argument { name, span, range });
            } else if self.types.get(&slot) == Some(&Type::Data) {
                self.passed(slot, name);
            }
        }
        unknown
    }

    /// A named barrier without a constructor: reports it and executes nothing.
    fn unconstructed_barrier(&mut self, slot: u16, name: &Name) {
        let object = self.code.barrier_names.len().min(MOST_OBJECTS) as u16;
        self.code.barrier_names.push(name.text.clone());
        self.mark_barrier(slot);
        let code = alloc::vec![(Atom::NamedBarrier(object), name.span)];
        self.push(Step::Set(slot, Expression { code, span: name.span }));
    }

    /// Starts counting the iterations of a loop with that body, if they are needed.
    pub(super) fn count_rounds(&mut self, body: &Block, span: Span) -> Rounds {
        let uses = uses::of_block(body, self.context.uses);
        let mut counter = |wanted: bool| -> Vec<u16> {
            let slot = wanted.then(|| {
                let slot = self.declare("", span);
                self.push(Step::Set(slot, Expression::int(0, span)));
                slot
            });
            slot.into_iter().collect()
        };
        Rounds { group: counter(uses.group), sub_group: counter(uses.sub_group) }
    }

    /// Starts the next iteration.
    pub(super) fn next_round(&mut self, rounds: &Rounds, span: Span) {
        for &slot in rounds.group.iter().chain(&rounds.sub_group) {
            let code = alloc::vec![
                (Atom::Slot(slot), span),
                (Atom::Int(1), span),
                (Atom::Binary(crate::expression::Binary::Add), span)
            ];
            self.push(Step::Set(slot, Expression { code, span }));
        }
    }

    /// Reports a C variable that the block already declares.
    pub(super) fn is_new(&mut self, name: &Name) {
        let block = self.open.last().copied().unwrap_or(0);
        if self.scopes.iter().skip(block).any(|known| *known == name.text) {
            names::declared_twice(name, self.reports);
        }
    }

    /// `return`, from a function or from the kernel.
    pub(super) fn leave(&mut self, value: Option<&Expression>, of_function: bool, span: Span) {
        let _ = value.map(|value| self.resolve(value));
        let step = match of_function {
            true => Step::Return,
            false => Step::Leave(self.source(span, String::from("return"))),
        };
        self.push(step);
    }

    /// The declaration of a named barrier, or of a reference to one.
    pub(super) fn construct(&mut self, declared: &Construct, span: Span) {
        for &(restriction, span) in &declared.faults {
            self.restrict(restriction, span);
        }
        self.is_new(&declared.name);
        let value = declared.count.as_ref().map(|count| self.resolve(count));
        let copied = value.as_ref().is_some_and(|value| {
            self.is_barrier(value) || matches!(value.code.last(), Some((Atom::Address, _)))
        });
        if copied || declared.by_reference {
            let slot = self.declare(&declared.name.text, declared.name.span);
            self.mark_barrier(slot);
            if let Some(value) = value {
                self.push(Step::Set(slot, value));
            }
            return;
        }
        if self.context.in_function {
            self.restrict(Restriction::Function, span);
        }
        let object = self.code.barrier_names.len();
        if object >= MOST_OBJECTS {
            let message = alloc::format!("more than {MOST_OBJECTS} named barriers");
            return self.reports.error("bound-objects", declared.name.span, message);
        }
        self.code.barrier_names.push(declared.name.text.clone());
        let own = Expression {
            code: alloc::vec![(Atom::NamedBarrier(object as u16), declared.name.span)],
            span: declared.name.span,
        };
        let count = value.unwrap_or_else(|| Expression::int(1, declared.name.span));
        let operands = [own.clone(), count]
            .into_iter()
            .map(|value| Operand::Value(Place::Any, value))
            .collect();
        let source = self.source(span, declared.text.clone());
        let rounds = self.rounds();
        self.code.opencl = true;
        let operate = Operate::new(&CONSTRUCT, operands, self.declared(), source);
        self.push(Step::Operate(Operate { rounds, ..operate }));
        let slot = self.declare(&declared.name.text, declared.name.span);
        self.mark_barrier(slot);
        self.push(Step::Set(slot, own));
    }

    /// Records a violation of the restrictions on the named barrier type.
    pub(super) fn restrict(&mut self, restriction: Restriction, span: Span) {
        restrict(&mut self.code.restricted, restriction, span);
    }

    /// The iteration counters of the loops around this position, in this body.
    pub(super) fn rounds(&self) -> Rounds {
        let mut rounds = Rounds::default();
        for one in self.rounds_of_loops() {
            rounds.group.extend(&one.group);
            rounds.sub_group.extend(&one.sub_group);
        }
        rounds
    }

    /// Whether an expression is a variable declared as a named barrier.
    pub(super) fn is_barrier(&self, value: &Expression) -> bool {
        match value.code[..] {
            [(Atom::Slot(slot), _)] => self.barriers.contains(&slot),
            [(Atom::NamedBarrier(_), _)] => true,
            _ => false,
        }
    }

    fn mark_barrier(&mut self, slot: u16) {
        self.barriers.insert(slot);
    }

    /// The iteration counters that an OpenCL operation needs.
    pub(super) fn rounds_of(&mut self, effect: Effect) -> Rounds {
        match effect {
            Effect::Opencl(call) => {
                self.code.opencl = true;
                let rounds = self.rounds();
                if matches!(call, Call::WorkGroupBarrier | Call::Await) || !call.is_of_group() {
                    rounds
                } else {
                    Rounds { sub_group: Vec::new(), ..rounds }
                }
            }
            _ => Rounds::default(),
        }
    }
}

/// Records a violation at its position, once.
pub(super) fn restrict(found: &mut Vec<Restricted>, restriction: Restriction, span: Span) {
    let rule = match restriction {
        Restriction::Function => RuleId::OpenclNamedKernelOnly,
        _ => RuleId::OpenclNamedType,
    };
    if found.len() < 100 && found.iter().all(|one| (one.rule, one.span) != (rule, span)) {
        found.push(Restricted { rule, span, message: String::from(message(restriction)) });
    }
}

fn message(restriction: Restriction) -> &'static str {
    match restriction {
        Restriction::Storage => {
            "A named barrier must be in local memory, not in global, private or constant memory."
        }
        Restriction::Pointer => {
            "A pointer to a named barrier is not allowed: pass the barrier by reference."
        }
        Restriction::Array => {
            "An array of named barriers is not allowed: declare each barrier separately."
        }
        Restriction::Member => {
            "A class, structure or union must not have a named barrier as a member."
        }
        Restriction::Program => {
            "A named barrier must not be a program-scope variable: construct it in a kernel."
        }
        Restriction::Return => "A function must not return a named barrier.",
        Restriction::Argument => {
            "A named barrier must not be a kernel argument: construct it in the kernel."
        }
        Restriction::Default => {
            "A named barrier must be constructed with a count: it has no default constructor."
        }
        Restriction::Assigned => "A named barrier must not be assigned.",
        Restriction::Address => {
            "The address of a named barrier cannot be taken: pass the barrier by reference."
        }
        Restriction::Copied => {
            "This copy of a named barrier is a private variable: use a reference (`auto &`) to the barrier in local memory."
        }
        Restriction::Passed => {
            "A parameter by value is a private variable: pass the named barrier in local memory by reference (`&`)."
        }
        Restriction::Function => {
            "A named barrier must be constructed in a kernel, not in another function."
        }
    }
}
