//! Counting loops, and statements with C syntax.

use super::code::{Pc, Step};
use super::unit::{Loop, Lowering, NOWHERE};
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression};
use crate::tree::{Block, Count, Name, Restriction, Switch};
use alloc::vec::Vec;

impl Lowering<'_, '_, '_> {
    /// A variable with the value of an expression; for a named barrier, a copy outside local memory.
    pub(super) fn copied(&mut self, name: &Name, value: &Expression, span: Span) {
        let (value, of) = self.resolve_typed(value);
        let barrier = self.is_barrier(&value);
        self.is_new(name);
        let slot = self.declare(&name.text, name.span);
        let value = self.fitted((value, of), slot);
        if barrier {
            self.restrict(Restriction::Copied, span);
            self.barriers.insert(slot);
        }
        self.push(Step::Set(slot, value));
    }

    /// The step of an assignment; `None` if it is not allowed.
    pub(super) fn assignment(
        &mut self,
        name: &Name,
        value: &Expression,
        span: Span,
    ) -> Option<Step> {
        let (value, of) = self.resolve_typed(value);
        let slot = self.assigned(name)?;
        let value = self.fitted((value, of), slot);
        if self.barriers.contains(&slot) {
            self.restrict(Restriction::Assigned, span);
            return None;
        }
        Some(Step::Set(slot, value))
    }

    pub(super) fn conditional(
        &mut self,
        condition: &Expression,
        then: &Block,
        otherwise: Option<&Block>,
        span: Span,
    ) {
        let condition = self.resolve(condition);
        let unless = self.push(Step::Unless(condition, NOWHERE));
        self.block(then);
        let end = otherwise.map(|block| {
            let jump = self.push(Step::Jump(NOWHERE, span));
            let here = self.here();
            self.patch(unless, here);
            self.block(block);
            jump
        });
        let here = self.here();
        self.patch(end.unwrap_or(unless), here);
    }

    pub(super) fn count_up(
        &mut self,
        name: &Name,
        first: &Expression,
        end: &Expression,
        body: &Block,
        span: Span,
    ) {
        let (first, end) = (self.resolve(first), self.resolve(end));
        self.open.push(self.scopes.len());
        let last = self.declare("", span);
        self.push(Step::Set(last, end));
        let slot = self.declare(&name.text, name.span);
        self.push(Step::Set(slot, first));
        let rounds = self.count_rounds(body, span);
        let top = self.here();
        let more = compare(slot, Binary::Less, Atom::Slot(last), span);
        let leave = self.push(Step::Unless(more, NOWHERE));
        let next = Step::Set(slot, compare(slot, Binary::Add, Atom::Int(1), span));
        self.round((body, rounds), alloc::vec![next], top, Some(leave), span);
        self.close();
    }

    pub(super) fn count_down(&mut self, times: &Expression, body: &Block, span: Span) {
        let times = self.resolve(times);
        self.open.push(self.scopes.len());
        let slot = self.declare("", span);
        self.push(Step::Set(slot, times));
        let rounds = self.count_rounds(body, span);
        let top = self.here();
        let more = compare(slot, Binary::Greater, Atom::Int(0), span);
        let leave = self.push(Step::Unless(more, NOWHERE));
        let next = Step::Set(slot, compare(slot, Binary::Subtract, Atom::Int(1), span));
        self.round((body, rounds), alloc::vec![next], top, Some(leave), span);
        self.close();
    }

    /// `for (…; …; …) { }`
    pub(super) fn count(&mut self, count: &Count, span: Span) {
        self.open.push(self.scopes.len());
        count.first.iter().for_each(|statement| self.statement(statement));
        let rounds = self.count_rounds(&count.body, span);
        let condition = count.condition.as_ref().map(|condition| self.resolve(condition));
        let mut next = Vec::with_capacity(count.next.len());
        for (name, value) in &count.next {
            next.extend(self.assignment(name, value, name.span));
        }
        let top = self.here();
        let leave = condition.map(|condition| self.push(Step::Unless(condition, NOWHERE)));
        self.round((&count.body, rounds), next, top, leave, span);
        self.close();
    }

    /// `switch`: jumps to the first matching case, otherwise to `default`, and falls through from there.
    pub(super) fn switch(&mut self, switch: &Switch, span: Span) {
        self.open.push(self.scopes.len());
        let value = self.evaluated(&switch.value);
        let of = value.1.promoted();
        let slot = self.held(value);
        let mut jumps = Vec::with_capacity(switch.cases.len() + 1);
        for (label, begins) in &switch.cases {
            let Some(label) = label else { continue };
            let mut equals = self.resolve(label);
            if !matches!(of, Type::Exact | Type::Wide | Type::Data) {
                equals.code.push((Atom::Convert(of), span));
            }
            equals.code.insert(0, (Atom::Slot(slot), span));
            equals.code.push((Atom::Binary(Binary::Equal), span));
            let unless = self.push(Step::Unless(equals, NOWHERE));
            jumps.push((self.push(Step::Jump(NOWHERE, span)), Some(*begins)));
            let next = self.here();
            self.patch(unless, next);
        }
        let default = switch.cases.iter().find(|(label, _)| label.is_none());
        let otherwise = self.push(Step::Jump(NOWHERE, span));
        jumps.push((otherwise, default.map(|(_, begins)| *begins)));
        self.loops.push(Loop { is_switch: true, ..Loop::default() });
        for (at, statement) in switch.body.statements.iter().enumerate() {
            self.arrive_at(&jumps, Some(at));
            self.statement(statement);
        }
        self.arrive_at(&jumps, Some(switch.body.statements.len()));
        self.arrive_at(&jumps, None);
        let breaks = self.loops.pop().map(|around| around.breaks).unwrap_or_default();
        let here = self.here();
        breaks.into_iter().for_each(|at| self.patch(at, here));
        self.close();
    }

    /// Makes the jumps to a statement of a `switch`, or to its end, lead here.
    fn arrive_at(&mut self, jumps: &[(Pc, Option<usize>)], at: Option<usize>) {
        let here = self.here();
        let met = jumps.iter().filter(|(_, to)| *to == at);
        met.for_each(|(jump, _)| self.patch(*jump, here));
    }

    /// `do { } while (…)`
    pub(super) fn do_while(&mut self, body: &Block, condition: &Expression, span: Span) {
        self.open.push(self.scopes.len());
        let rounds = self.count_rounds(body, span);
        let condition = self.resolve(condition);
        let top = self.here();
        self.round((body, rounds), alloc::vec![Step::Unless(condition, NOWHERE)], top, None, span);
        self.close();
    }
}

/// A binary operator on a slot.
fn compare(slot: u16, operator: Binary, with: Atom, span: Span) -> Expression {
    let code = alloc::vec![(Atom::Slot(slot), span), (with, span), (Atom::Binary(operator), span)];
    Expression { code, span }
}
