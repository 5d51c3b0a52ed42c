//! Names in expressions: variables, objects, array elements, positions of agents.

use super::code::{Looks, Meaning};
use super::unit::Lowering;
use crate::diagnostic::{Diagnostic, Span, Suggestion};
use crate::expression::memory;
use crate::expression::types::{self, Type};
use crate::expression::{Atom, Builtin, Expression, Value};
use crate::parse::next_register;
use crate::tree::Restriction;
use crate::{lexer, suggest};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::Object;
use tidegate_model::target::{Family, TargetId};

impl Lowering<'_, '_, '_> {
    /// Resolves the names of an expression.
    pub(super) fn resolve(&mut self, expression: &Expression) -> Expression {
        self.resolve_typed(expression).0
    }

    /// Converts a value to the type of a variable; a variable without a declared type takes the type of the value.
    pub(super) fn fitted(&mut self, (mut value, of): (Expression, Type), slot: u16) -> Expression {
        let own = *self.types.entry(slot).or_insert(of);
        if own != of && own != Type::Exact {
            value.code.push((Atom::Convert(own), value.span));
        }
        value
    }

    /// Resolves the names of an expression and inserts C conversions; returns its type.
    pub(super) fn resolve_typed(&mut self, expression: &Expression) -> (Expression, Type) {
        let mut resolved = expression.clone();
        let mut arrays: Vec<(Span, Object, u32)> = Vec::new();
        for (atom, span) in &mut resolved.code {
            if *atom == Atom::Name {
                let name = lexer::slice(self.context.text, *span);
                *atom = match self.array(name) {
                    Some((first, count)) => {
                        arrays.push((*span, first, count));
                        // The array itself needs no code; its element is selected after the index.
                        Atom::Jump(0)
                    }
                    None => self.named(name, *span),
                };
            }
            if *atom == Atom::NextName {
                let next = next_register(lexer::slice(self.context.text, *span));
                let slot = next.and_then(|next| self.slot(&next));
                *atom = Atom::Slot(slot.unwrap_or_else(|| self.declare("", *span)));
            }
            if let Atom::Hidden(name) = *atom {
                *atom = Atom::Slot(self.slot(name).unwrap_or_else(|| self.declare(name, *span)));
            }
            if *atom == Atom::Element
                && let Some(at) = arrays.iter().position(|(place, ..)| place == span)
            {
                let (_, first, count) = arrays.swap_remove(at);
                *atom = Atom::ElementOf(first, count);
            }
            if let Atom::Builtin(builtin) = *atom {
                self.looks.0 |= match builtin {
                    Builtin::WaveId => Looks::WAVE,
                    Builtin::WorkgroupId => Looks::WORKGROUP,
                    Builtin::LaneId => Looks::LANE,
                    Builtin::Clusters | Builtin::Workgroups | Builtin::Waves | Builtin::Lanes => 0,
                };
            }
        }
        self.addresses(&resolved);
        for (span, _, count) in arrays {
            let name = lexer::slice(self.context.text, span);
            let message = format!(
                "expected an element of `{name}`, an array of {count} barrier objects, such as `{name}[0]`"
            );
            self.reports.error("array-without-index", span, message);
        }
        let of = |slot: u16| self.types.get(&slot).copied().unwrap_or_default();
        let of = types::typed(&mut resolved, of);
        (resolved, of)
    }

    /// Reports operands of `&` that have no address.
    fn addresses(&mut self, expression: &Expression) {
        for pair in expression.code.windows(2) {
            let [operand, (Atom::Address, span)] = *pair else { continue };
            let value = Expression { code: alloc::vec![operand], span };
            if self.is_barrier(&value) || self.is_parameter(operand.0) {
                self.restrict(Restriction::Address, span);
            } else {
                self.reports.error(
                    "no-address",
                    span,
                    String::from("expected an operand with an address"),
                );
            }
        }
    }

    /// Whether it is a parameter of the function, which may have a value of any kind.
    fn is_parameter(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Slot(slot) if usize::from(slot) < self.parameters)
    }

    /// The first object and the size of the array with that name, unless a variable shadows it.
    fn array(&self, name: &str) -> Option<(Object, u32)> {
        match self.context.globals.meaning(name) {
            Some(Meaning::Array(first, count)) if self.slot(name).is_none() => Some((first, count)),
            _ => None,
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Atom {
        let meaning =
            self.slot(name).map(Meaning::Slot).or_else(|| self.context.globals.meaning(name));
        match meaning {
            Some(Meaning::Slot(slot)) => Atom::Slot(slot),
            Some(Meaning::Builtin(builtin)) => Atom::Builtin(builtin),
            Some(Meaning::Number(value, of)) => Atom::Literal(value, of),
            Some(Meaning::Value(Value::Object(object))) => Atom::Object(object),
            Some(Meaning::Value(Value::Mbarrier(object))) => Atom::Mbarrier(object),
            Some(Meaning::Value(Value::NamedBarrier(object))) => Atom::NamedBarrier(object),
            Some(Meaning::Value(
                Value::Int(_)
                | Value::Token(_)
                | Value::Linear(_)
                | Value::Counted(_)
                | Value::Data(_),
            )) => Atom::Int(0),
            Some(Meaning::Memory(buffer)) if self.addresses => {
                Atom::Memory(memory::address(buffer, 0, None))
            }
            Some(Meaning::Memory(_) | Meaning::Array(..)) => {
                self.reports.error(
                    "not-a-value",
                    span,
                    format!("expected a number or a barrier, found memory `{name}`"),
                );
                Atom::Int(0)
            }
            None => {
                self.unknown_name(name, span, "number, variable or barrier");
                Atom::Int(0)
            }
        }
    }

    /// A declaration for an undeclared name, as the target supports it.
    fn how_declared(&self, name: &str, is_memory: bool) -> Option<Suggestion> {
        let is_nvidia = |target: TargetId| target.get().family == Family::Nvidia;
        let (barrier, memory) = match self.context.target.is_some_and(is_nvidia) {
            true => ("mbarrier", "shared"),
            false => ("barrier", "lds"),
        };
        let message = match is_memory {
            true => format!(
                "declare it before the agents, as `{memory} {name}[64]` or `global {name}[64]`"
            ),
            false => format!(
                "declare it before the agents, as `{barrier} {name}` or `const {name} = 64`, or in the agent, as `let {name} = 64`"
            ),
        };
        Some(Suggestion { message, replacement: None })
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span, what: &str) {
        if self.reports.is_full() {
            return;
        }
        let known = self.scopes.iter().map(String::as_str).chain(self.context.globals.known());
        let suggestion =
            suggest::instead(name, known).or_else(|| self.how_declared(name, what == "memory"));
        let message = format!("unknown {what} `{name}`");
        self.reports
            .push(Diagnostic { suggestion, ..Diagnostic::error("unknown-name", span, message) });
    }
}
