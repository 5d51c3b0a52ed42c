//! Comparisons of registers of which nothing is known.

use super::code::{Looks, Step};
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::tree::Instruction;

impl Lowering<'_, '_, '_> {
    /// Whether the register has that value is for somebody else to say: it does, or it does not.
    pub(super) fn compare(&mut self, instruction: &Instruction, span: Span) {
        self.looks.0 |= Looks::CHOOSE;
        let source = self.source(span, instruction.text.clone());
        let at = self.here();
        self.push(Step::Choose(alloc::vec![at + 1, at + 3], source));
        self.push(Step::SetScc(false));
        self.push(Step::Jump(at + 4, span));
        self.push(Step::SetScc(true));
    }
}
