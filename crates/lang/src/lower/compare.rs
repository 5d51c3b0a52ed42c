//! Comparisons that set the condition code: of an unknown register, or of two numbers.

use super::code::{Looks, Operand, Step};
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Expression};
use crate::tree::Instruction;
use tidegate_model::operation::{Action, Form, Operation};

impl Lowering<'_, '_, '_> {
    /// A register has any value, so both outcomes are tried; two numbers are equal or not.
    pub(super) fn compare(
        &mut self,
        instruction: &Instruction,
        operands: alloc::vec::Vec<Operand>,
        span: Span,
    ) {
        let source = self.source(span, instruction.text.clone());
        let mut values = operands.into_iter().filter_map(|operand| match operand {
            Operand::Value(_, value) => Some(value),
            _ => None,
        });
        if let (Some(one), Some(other)) = (values.next(), values.next()) {
            let equal = if instruction.row.name.contains("_eq_") {
                Binary::Equal
            } else {
                Binary::NotEqual
            };
            let mut code = one.code;
            code.extend(other.code);
            code.push((Atom::Binary(equal), span));
            let at = self.here();
            self.push(Step::Unless(Expression { code, span }, at + 4));
            for value in [true, false] {
                self.push(Step::SetScc(value));
                let action = Action::Condition(value);
                self.push(Step::Fixed(Operation::new(action, Form::Word), source));
                if value {
                    self.push(Step::Jump(at + 6, span));
                }
            }
            return;
        }
        self.looks.0 |= Looks::CHOOSE;
        let at = self.here();
        self.push(Step::Choose(alloc::vec![at + 1, at + 3], source));
        self.push(Step::SetScc(false));
        self.push(Step::Jump(at + 4, span));
        self.push(Step::SetScc(true));
    }
}
