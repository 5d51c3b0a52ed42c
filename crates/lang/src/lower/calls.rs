//! Function calls as statements, and sources of accesses.

use super::code::{Guard, MOST_GUARDS, Rounds, Step};
use super::unit::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::Expression;
use crate::source::{Need, Source};
use crate::suggest;
use crate::tree::Name;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::{Action, Form, Operation};

impl Lowering<'_, '_, '_> {
    /// The sources of an access, one for each combination of the surrounding conditions and of its address that may depend on
    /// data; and the variables that hold whether the conditions do.
    pub(super) fn sources(&mut self, span: Span, text: &str, place: bool) -> (u32, Vec<Guard>) {
        let first = self.code.sources.len() as u32;
        let mut bits: Vec<Vec<Need>> = Vec::new();
        for (at, (_, _, need)) in self.needs.iter().enumerate() {
            match bits.last_mut().filter(|_| at >= MOST_GUARDS) {
                Some(last) => last.push(need.clone()),
                None => bits.push(alloc::vec![need.clone()]),
            }
        }
        if place {
            let text = String::from(crate::lexer::slice(self.context.text, span));
            bits.push(alloc::vec![Need { span, text, holds: None, orders: false }]);
        }
        for mask in 0..1_usize << bits.len() {
            let taken = bits.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
            let needs = taken.flat_map(|(_, needs)| needs.iter().cloned()).collect();
            self.code.sources.push(Source { span, text: String::from(text), needs });
        }
        let asked = |asked: Option<u16>, need: &Need| Some((asked?, need.holds?));
        let guards =
            self.needs.iter().map(|(mode, slot, need)| (*mode, asked(*slot, need))).collect();
        (first, guards)
    }

    pub(super) fn call(&mut self, name: &Name, arguments: &[Expression], span: Span) {
        let mut arguments: Vec<_> =
            arguments.iter().map(|argument| self.resolve(argument)).collect();
        match self.context.globals.functions.get(&name.text) {
            None if self.reports.is_full() => {}
            None => {
                let names = self.context.globals.functions.keys().map(String::as_str);
                let suggestion = suggest::instead(&name.text, names);
                let message = format!("unknown function `{}`", name.text);
                self.reports.push(Diagnostic {
                    suggestion,
                    ..Diagnostic::error("unknown-function", name.span, message)
                });
            }
            Some(&(_, count)) if count != arguments.len() => {
                let message = format!(
                    "`{}` takes {count} arguments, but {} were given",
                    name.text,
                    arguments.len()
                );
                self.reports.error("argument-count", name.span, message);
            }
            Some(&(unit, _)) if self.context.framed.contains(&unit) => {
                arguments.push(certain(span));
                self.frame(Memory::Enter, format!("call {}", name.text), span);
                self.push(Step::Call(unit, arguments, span));
                self.frame(Memory::Leave, format!("return from {}", name.text), span);
            }
            Some(&(unit, _)) => {
                arguments.push(certain(span));
                self.push(Step::Call(unit, arguments, span));
                let rounds = self.rounds();
                if rounds != Rounds::default() {
                    self.push(Step::Keep(rounds));
                }
            }
        }
    }

    /// Marks the begin or end of the body of a function with its own async marks.
    fn frame(&mut self, action: Memory, text: String, span: Span) {
        let source = self.source(span, text);
        let operation = Operation::new(Action::Memory(action), Form::Word);
        self.push(Step::Fixed(operation, source));
    }
}

/// The argument of a call that does not depend on data.
fn certain(span: Span) -> Expression {
    Expression::int(0, span)
}
