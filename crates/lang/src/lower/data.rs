//! Accesses of a pasted kernel to its arrays.

use super::code::{Bytes, Meaning, Operand, Operate, Outcome, Rounds, Step};
use super::unit::{Lowering, NOWHERE};
use crate::expression::{Atom, Binary, Expression};
use crate::tree::{Access, Name, Term};
use crate::vocabulary;
use alloc::format;

impl Lowering<'_, '_, '_> {
    /// Accesses in their order; behind them these variables have no known value.
    pub(super) fn data(&mut self, accesses: &[Access], unknown: &[Name], term: Option<&Term>) {
        accesses.iter().for_each(|access| self.access(access));
        let known = term.map(|term| self.term(term));
        for name in unknown {
            match (self.slot(&name.text), &known) {
                (Some(slot), Some(known)) => drop(self.push(Step::Compute(slot, known.clone()))),
                (Some(slot), None) => drop(self.push(Step::Forget(slot))),
                (None, _) if self.context.globals.meaning(&name.text).is_none() => {
                    self.declare(&name.text, name.span);
                }
                (None, _) => {}
            }
        }
    }

    fn access(&mut self, access: &Access) {
        let name = &access.name;
        let span = access.first.as_ref().map_or(name.span, |first| first.span);
        let Some(Meaning::Memory(buffer)) = self.context.globals.meaning(&name.text) else {
            return self.unknown_name(&name.text, name.span, "memory");
        };
        let word = if access.writes { "store" } else { "load" };
        let Some((_, row)) = vocabulary::find(word) else { return };
        let guard = access.guard.as_ref().map(|guard| {
            let guard = self.resolve(guard);
            self.push(Step::Unless(guard, NOWHERE))
        });
        let first = access.first.as_ref().map(|first| self.resolve(first));
        let range = first.map(|first| {
            let mut code = first.code.clone();
            code.push((Atom::Int(i64::from(access.bytes)), span));
            code.push((Atom::Binary(Binary::Add), span));
            (first, Expression { code, span })
        });
        let size = self.code.buffers.get(usize::from(buffer)).map_or(1, |buffer| buffer.size);
        let bytes = Bytes { buffer, base: None, size, range, span: name.span };
        let outer = self.needs.len();
        self.needs.extend(access.needs.iter().cloned());
        let source = self.source(span, format!("{word} {}", access.text));
        self.needs.truncate(outer);
        self.push(Step::Operate(Operate {
            row,
            operands: alloc::vec![Operand::Bytes(bytes)],
            outcome: Outcome::Nowhere,
            nvidia: None,
            declared: self.declared(),
            rounds: Rounds::default(),
            source,
        }));
        let here = self.here();
        guard.into_iter().for_each(|at| self.patch(at, here));
    }
}
