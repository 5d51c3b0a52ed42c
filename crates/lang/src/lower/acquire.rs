//! The atomic operations of a text that may acquire.

use super::term;
use crate::diagnostic::Span;
use crate::lexer;
use crate::tree::{Block, Operand, StatementKind, Tree, ValueKind};
use crate::vocabulary::atomics;

/// The first atomic operation of a text that may acquire.
#[derive(Clone, Debug)]
pub(crate) struct Acquire {
    pub(super) span: Span,
    /// Whether a function may perform one, so that every call may.
    pub(super) called: bool,
}

/// Finds the atomic operations that may acquire: with a fence in the text, all of them.
pub(super) fn acquire(tree: &Tree, text: &str) -> Option<Acquire> {
    let mut found = Found { text, fenced: false, all: [None; 2] };
    let kernels = tree.agents.iter().filter(|block| block.of_c).map(|block| &block.body);
    kernels.for_each(|body| found.block(body));
    let (first, kernels) = (found.all, found.all.map(|one| one.is_some()));
    found.all = [None; 2];
    tree.functions.iter().for_each(|function| found.block(&function.body));
    let which = usize::from(found.fenced);
    let called = found.all[which].is_some();
    let span = if kernels[which] { first[which] } else { found.all[which] };
    span.map(|span| Acquire { span, called })
}

struct Found<'a> {
    text: &'a str,
    fenced: bool,
    /// The first operation that may acquire by itself, and the first of all.
    all: [Option<Span>; 2],
}

impl Found<'_> {
    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(&statement.kind));
    }

    fn statement(&mut self, kind: &StatementKind) {
        if let StatementKind::Instruction(one) = kind {
            self.fenced |= one.operands.iter().any(|operand| matches!(operand, Operand::Fence(_)));
        }
        for value in term::values(kind) {
            value.any(&mut |part| {
                if let ValueKind::Call(name, _) = &part.kind
                    && atomics::access(&name.text).is_some()
                {
                    let text = lexer::slice(self.text, part.span);
                    let own = atomics::acquires(&name.text, text).then_some(part.span);
                    self.all[0] = self.all[0].or(own);
                    self.all[1] = self.all[1].or(Some(part.span));
                }
                false
            });
        }
        term::statements_of(kind).iter().for_each(|one| self.statement(&one.kind));
        term::blocks(kind).for_each(|block| self.block(block));
    }
}
