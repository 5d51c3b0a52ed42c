//! C statements: variables, conditions and loops over expressions with effects.

use super::code::Step;
use super::parts::Number;
use super::skips;
use super::term::{self, Input, PASSED, Term};
use super::unit::{Loop, Lowering, NOWHERE};
use crate::diagnostic::Span;
use crate::expression::Atom;
use crate::expression::types::Type;
use crate::tree::{Block, Element, Name, Rounds, Statement, StatementKind, Value, ValueKind};
use crate::vocabulary::{Effect, numbers};
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Lowering<'_, '_, '_> {
    /// Makes these variables unknown from here on.
    pub(super) fn forget(&mut self, names: &[Name]) {
        for name in names {
            match self.slot(&name.text) {
                Some(slot) => self.forget_whole(slot),
                // In a loop it may have a value from the previous iteration.
                None if self.context.globals.meaning(&name.text).is_none() => {
                    let slot = self.declare(&name.text, name.span);
                    self.forget_whole(slot);
                }
                None => {}
            }
        }
    }

    /// `TYPE NAME = VALUE`
    pub(super) fn variable_of_c(&mut self, name: &Name, value: Option<&Value>) {
        self.is_new(name);
        let slot = self.declare(&name.text, name.span);
        let of = self.context.types.get(&name.span.start);
        let data = of.is_none_or(|&of| of == Type::Data);
        self.declare_parts(name, slot);
        let data = data || self.types.get(&slot) == Some(&Type::Data);
        let Some(value) = value else {
            // The contents of an array are not tracked.
            if data {
                self.types.insert(slot, Type::Data);
            }
            self.forget_whole(slot);
            return;
        };
        // The name is known only after its value.
        let hidden = core::mem::take(&mut self.scopes[usize::from(slot)]);
        if let Some(parts) = self.parts.get(&slot) {
            let numbers = parts.slots().map(Number::Slot).collect();
            self.assign_numbers(None, true, (slot, numbers), value, value.span);
        } else if self.points(value) && (value.plain().is_none() || self.taken(value).is_some()) {
            let address = self.address(value);
            self.push(Step::Set(slot, address));
        } else {
            let value = self.evaluated(value);
            let value = self.fitted(value, slot);
            self.push(Step::Set(slot, value));
        }
        self.scopes[usize::from(slot)] = hidden;
    }

    /// `if` in C. If data decide, both branches are taken if they only access memory and compute; otherwise one of the
    /// two is chosen.
    pub(super) fn if_of_c(
        &mut self,
        condition: &Value,
        then: &Block,
        otherwise: Option<&Block>,
        span: Span,
    ) {
        let parts = || core::iter::once(then).chain(otherwise);
        if let Some(reading) = Reading::of(self, parts().flat_map(|block| &block.statements)) {
            self.effects(condition);
            return self.only_reads(&reading);
        }
        let decides = parts().any(|block| self.decides(&block.statements, (false, false)));
        if !decides {
            let mut assigned = Vec::new();
            parts().for_each(|block| self.assigned_in(&block.statements, &mut assigned));
            let Some(otherwise) = otherwise else {
                return self.where_all(condition, &assigned, &mut |this| this.block(then));
            };
            let mut run = |this: &mut Self, yes: bool| {
                this.block(if yes { then } else { otherwise });
            };
            return self.either(condition, assigned, &mut run);
        }
        let mut no = Vec::new();
        self.branch(condition, &mut no);
        self.block(then);
        if let Some(block) = otherwise {
            let end = self.push(Step::Jump(NOWHERE, span));
            self.arrive(no);
            self.block(block);
            no = alloc::vec![end];
        }
        self.arrive(no);
    }

    /// Runs a closure under the condition that each operand of `&&` holds; each operand is a separate condition.
    fn where_all(&mut self, condition: &Value, assigned: &[u16], run: &mut dyn FnMut(&mut Self)) {
        let mut assigned = assigned.to_vec();
        let (first, second) = match &condition.kind {
            ValueKind::Lazy(true, two) => (&two[0], Some(&two[1])),
            _ => (condition, None),
        };
        assigned.extend(second.into_iter().flat_map(|second| self.assigned_by(&[second])));
        let inner = assigned.clone();
        self.either(first, assigned, &mut |this, yes| match second {
            Some(second) if yes => this.where_all(second, &inner, run),
            None if yes => run(this),
            _ => {}
        });
    }

    /// `for`, `while` and `do … while`.
    pub(super) fn rounds_of_c(&mut self, rounds: &Rounds, span: Span) {
        self.open.push(self.scopes.len());
        rounds.first.iter().for_each(|statement| self.statement(statement));
        // It does not matter how often constant memory is read.
        let own: Vec<&str> = rounds.first.iter().filter_map(declared).collect();
        let next = rounds.condition.iter().chain(&rounds.next);
        if let Some(reading) = Reading::of_loop(self, &own, next, &rounds.body) {
            self.only_reads(&reading);
            return self.close();
        }
        let counted = self.count_rounds(&rounds.body, span);
        let top = self.here();
        let mut breaks = Vec::new();
        if let Some(condition) = rounds.condition.as_ref().filter(|_| !rounds.tests_last) {
            self.asked(condition, &mut breaks);
        }
        self.loops.push(Loop { breaks, rounds: counted, ..Loop::default() });
        let decides = |rest: &[Statement]| self.decides(rest, (false, false));
        let enclosed = skips::enclosed(&rounds.body, &decides);
        self.block(enclosed.as_ref().unwrap_or(&rounds.body));
        let Some(Loop { mut breaks, continues, rounds: counted, .. }) = self.loops.pop() else {
            return;
        };
        self.arrive(continues);
        let before = self.scopes.len();
        if let Some(next) = &rounds.next {
            self.effects(next);
        }
        self.scopes.truncate(before);
        if let Some(condition) = rounds.condition.as_ref().filter(|_| rounds.tests_last) {
            self.asked(condition, &mut breaks);
        }
        self.next_round(&counted, span);
        self.push(Step::Jump(top, span));
        self.arrive(breaks);
        self.close();
    }

    /// A condition that is evaluated in each iteration.
    fn asked(&mut self, condition: &Value, no: &mut Vec<u32>) {
        let before = self.scopes.len();
        self.branch(condition, no);
        self.scopes.truncate(before);
    }

    /// Whether statements do more than access memory and compute; `looped` and `switched` if they are in a loop or a
    /// `switch`.
    fn decides(&self, statements: &[Statement], (looped, switched): (bool, bool)) -> bool {
        statements.iter().any(|statement| {
            let calls = |part: &Value| match &part.kind {
                ValueKind::Call(name, _) => {
                    let used = self.context.uses.get(&name.text).copied();
                    let used = used.or_else(|| super::uses::collective(&name.text));
                    used.is_some_and(|used| used.group || used.sub_group)
                }
                _ => false,
            };
            let calls = term::values(&statement.kind).iter().any(|value| value.any(&mut { calls }));
            let inside = match &statement.kind {
                StatementKind::Switch(_) => (looped, true),
                StatementKind::Rounds(_)
                | StatementKind::Count(_)
                | StatementKind::For(..)
                | StatementKind::Repeat(..) => (true, true),
                _ => (looped, switched),
            };
            let own = match &statement.kind {
                StatementKind::Let(..)
                | StatementKind::Copy(..)
                | StatementKind::Declare(_)
                | StatementKind::Assign(..)
                | StatementKind::Variable(..)
                | StatementKind::Value(_)
                | StatementKind::Several(_)
                | StatementKind::Either(..)
                | StatementKind::If(..)
                | StatementKind::Switch(_)
                | StatementKind::Rounds(_)
                | StatementKind::Count(_)
                | StatementKind::For(..)
                | StatementKind::Repeat(..) => false,
                StatementKind::Break => !switched,
                StatementKind::Continue => !looped,
                StatementKind::Instruction(instruction) => {
                    !matches!(instruction.row.effect, Effect::Load | Effect::Store)
                }
                _ => true,
            };
            let inner = term::statements_of(&statement.kind);
            own || calls
                || self.decides(inner, inside)
                || term::blocks(&statement.kind)
                    .any(|block| self.decides(&block.statements, inside))
        })
    }

    /// The variables that statements assign.
    fn assigned_in(&self, statements: &[Statement], slots: &mut Vec<u16>) {
        let mut found = Vec::new();
        for statement in statements {
            found.extend(self.assigned_by(&term::values(&statement.kind)));
            let named = match &statement.kind {
                StatementKind::Assign(name, _) => Some(name),
                _ => None,
            };
            found.extend(named.and_then(|name| self.slot(&name.text)));
            if let StatementKind::Count(count) = &statement.kind {
                found.extend(count.next.iter().filter_map(|(name, _)| self.slot(&name.text)));
            }
            self.assigned_in(term::statements_of(&statement.kind), &mut found);
            term::blocks(&statement.kind)
                .for_each(|block| self.assigned_in(&block.statements, &mut found));
        }
        for slot in found {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
    }

    /// Lowers statements that only read constant memory: reads each array once and makes the computed variables
    /// unknown.
    fn only_reads(&mut self, reading: &Reading) {
        for (element, span) in &reading.elements {
            let element = Element { indices: Vec::new(), ..(*element).clone() };
            if let Some(place) = self.element(&element, *span) {
                self.load(&place);
            }
        }
        reading.assigned.iter().for_each(|&slot| self.forget_whole(slot));
    }
}

/// The name that a statement declares.
fn declared(statement: &Statement) -> Option<&str> {
    match &statement.kind {
        StatementKind::Let(name, _)
        | StatementKind::Copy(name, _)
        | StatementKind::Declare(name)
        | StatementKind::Variable(name, _) => Some(&name.text),
        _ => None,
    }
}

/// The effects of statements that only read constant memory and compute data from it.
struct Reading<'a> {
    elements: Vec<(&'a Element, Span)>,
    assigned: Vec<u16>,
}

impl<'a> Reading<'a> {
    fn of(
        lowering: &Lowering<'_, '_, '_>,
        statements: impl Iterator<Item = &'a Statement>,
    ) -> Option<Self> {
        let mut reading = Self { elements: Vec::new(), assigned: Vec::new() };
        let mut own = Vec::new();
        let silent = reading.all(lowering, &mut statements.into_iter(), &mut own);
        (silent && !reading.elements.is_empty()).then_some(reading)
    }

    fn of_loop(
        lowering: &Lowering<'_, '_, '_>,
        own: &[&'a str],
        mut next: impl Iterator<Item = &'a Value>,
        body: &'a Block,
    ) -> Option<Self> {
        let mut reading = Self { elements: Vec::new(), assigned: Vec::new() };
        let mut own = own.to_vec();
        let silent = next.all(|value| reading.value(lowering, value, &own))
            && reading.all(lowering, &mut body.statements.iter(), &mut own);
        let any = !reading.elements.is_empty() || !reading.assigned.is_empty();
        (silent && any).then_some(reading)
    }

    fn all(
        &mut self,
        lowering: &Lowering<'_, '_, '_>,
        statements: &mut dyn Iterator<Item = &'a Statement>,
        own: &mut Vec<&'a str>,
    ) -> bool {
        for statement in statements {
            let allowed = match &statement.kind {
                StatementKind::Let(..)
                | StatementKind::Copy(..)
                | StatementKind::Declare(_)
                | StatementKind::Variable(..)
                | StatementKind::Value(_)
                | StatementKind::Several(_)
                | StatementKind::Either(..)
                | StatementKind::If(..) => true,
                StatementKind::Assign(name, _) => own.contains(&name.text.as_str()),
                StatementKind::Rounds(_) => true,
                _ => false,
            };
            own.extend(declared(statement));
            let values = term::values(&statement.kind);
            let inner = term::statements_of(&statement.kind);
            if !allowed
                || !self.all(lowering, &mut inner.iter(), own)
                || !values.into_iter().all(|value| self.value(lowering, value, own))
                || !term::blocks(&statement.kind)
                    .all(|block| self.all(lowering, &mut block.statements.iter(), own))
            {
                return false;
            }
        }
        true
    }

    /// Adds an expression if it only reads constant memory, and assigns only data or its own variables.
    fn value(&mut self, lowering: &Lowering<'_, '_, '_>, value: &'a Value, own: &[&str]) -> bool {
        let is_own = |target: &Value| match &target.kind {
            ValueKind::Plain(code) => match code[..] {
                [(Atom::Name, span)] => {
                    own.contains(&crate::lexer::slice(lowering.context.text, span))
                }
                _ => false,
            },
            _ => false,
        };
        let silent = match &value.kind {
            ValueKind::Element(element) => {
                let constant = element.array.constant && element.array.space.is_some();
                if constant
                    && self.elements.iter().all(|(known, _)| known.name.text != element.name.text)
                {
                    self.elements.push((element, value.span));
                }
                (constant || element.array.private) && !element.is_whole()
            }
            ValueKind::Assign(_, two) => {
                let target = &two[0];
                let data = self.is_data(lowering, &two[1]);
                match lowering.variable_of(target) {
                    _ if is_own(target) => true,
                    Some(slot) => {
                        let of = lowering.types.get(&slot).copied();
                        if !self.assigned.contains(&slot) {
                            self.assigned.push(slot);
                        }
                        data || of == Some(Type::Data) && !lowering.parts.contains_key(&slot)
                    }
                    None => false,
                }
            }
            ValueKind::Step(_, _, target) => is_own(target),
            ValueKind::Call(name, arguments) => {
                let known =
                    numbers::computes(&name.text) || lowering.context.computes.contains(&name.text);
                known && !arguments.iter().any(|argument| lowering.points(argument))
            }
            ValueKind::Address(_) | ValueKind::At(_) | ValueKind::Member(..) => false,
            ValueKind::Plain(code) => code.iter().all(|(atom, _)| *atom != Atom::Address),
            _ => true,
        };
        silent && value.parts().into_iter().all(|part| self.value(lowering, part, own))
    }

    /// Whether a value is certainly data.
    fn is_data(&self, lowering: &Lowering<'_, '_, '_>, value: &Value) -> bool {
        value.any(&mut |part| match &part.kind {
            ValueKind::Element(_) => {
                lowering.variable_of(part).is_none_or(|slot| !lowering.parts.contains_key(&slot))
            }
            ValueKind::Data(..) => true,
            ValueKind::Convert(to, _) => *to == Type::Data,
            ValueKind::Plain(code) => code.iter().any(|&(atom, span)| {
                let name = crate::lexer::slice(lowering.context.text, span);
                let slot = lowering.slot(name).filter(|_| atom == Atom::Name);
                slot.is_some_and(|slot| {
                    lowering.types.get(&slot) == Some(&Type::Data)
                        && !lowering.parts.contains_key(&slot)
                })
            }),
            _ => false,
        })
    }
}

/// Whether a function accesses no memory, uses no barrier and calls no function that might.
pub(super) fn computes(body: &Block) -> bool {
    let silent = |value: &&Value| {
        !value.any(&mut |part| match &part.kind {
            ValueKind::Element(element) => !element.array.private,
            ValueKind::At(_) | ValueKind::Address(_) | ValueKind::Member(..) => true,
            ValueKind::Call(name, _) => !numbers::computes(&name.text),
            _ => false,
        })
    };
    fn all(statements: &[Statement], silent: &dyn Fn(&&Value) -> bool) -> bool {
        statements.iter().all(|statement| {
            let known = !matches!(
                statement.kind,
                StatementKind::Instruction(_)
                    | StatementKind::Construct(_)
                    | StatementKind::Call(..)
                    | StatementKind::Exit
                    | StatementKind::NotYet(..)
                    | StatementKind::Choose(_)
            );
            known
                && term::values(&statement.kind).iter().all(silent)
                && all(term::statements_of(&statement.kind), silent)
                && term::blocks(&statement.kind).all(|block| all(&block.statements, silent))
        })
    }
    all(&body.statements, &silent)
}

impl Lowering<'_, '_, '_> {
    /// A variable that the host passes and that is not an integer.
    pub(super) fn passed(&mut self, slot: u16, name: &Name) {
        let shape = alloc::format!("{PASSED}{}", name.text);
        let (inputs, doubt): (Vec<Input>, _) = (Vec::new(), None);
        self.types.insert(slot, Type::Data);
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
    }
}
