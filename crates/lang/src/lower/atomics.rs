//! Atomic operations of pasted kernels: accesses that race only with plain ones.
//!
//! What they order is not followed. After one that may acquire, and after every barrier of such a text, the accesses of
//! a work-item may be ordered with any other access, so that a race of theirs is possible and not certain.

use super::code::Step;
use super::data::Place;
use super::term;
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression};
use crate::lexer;
use crate::scenario::Need;
use crate::tree::{Block, Code, Operand, StatementKind, Tree, Value, ValueKind};
use crate::vocabulary::atomics::{self, Access};
use alloc::string::String;

/// The first atomic operation of a text that may acquire.
#[derive(Clone, Debug)]
pub(crate) struct Acquire {
    span: Span,
    /// Whether a function may perform one, so that every call may.
    called: bool,
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

impl Lowering<'_, '_, '_> {
    /// Starts a body of a text with operations that may acquire.
    pub(super) fn may_acquire(&mut self) {
        let Some(Acquire { span, called }) = self.context.acquire.clone() else { return };
        let slot = self.declare("", span);
        self.push(Step::Set(slot, number(i64::from(called), span)));
        let text = String::from(lexer::slice(self.context.text, span));
        self.needs.push((slot, None, Need { span, text, holds: None, orders: true }));
        self.acquired = Some(slot);
    }

    /// From here on, accesses of this work-item may be ordered with others.
    pub(super) fn acquires(&mut self, span: Span) {
        if let Some(slot) = self.acquired {
            self.push(Step::Set(slot, number(1, span)));
        }
    }

    /// The access of an atomic function to its object.
    pub(super) fn atomic(&mut self, word: &str, access: Access, place: Place, span: Span) {
        let text = lexer::slice(self.context.text, span);
        let (in_group, across) = atomics::narrow(word, text);
        if in_group || across && !self.is_local(&place) {
            self.not_followed(span, "the scope of this atomic operation");
        }
        // The initialisation of an atomic object is not atomic: C11, 7.17.2.2.
        let place = Place { atomic: !atomics::initialises(word), span, ..place };
        match access {
            Access::Load => drop::<Code>(self.load(&place)),
            Access::Update => self.store(&place, None),
        }
        self.acquires(span);
    }

    /// Whether a place is in local memory for certain.
    fn is_local(&self, place: &Place) -> bool {
        let buffer = place.memory.as_ref().ok();
        buffer
            .and_then(|&buffer| self.code.buffers.get(usize::from(buffer)))
            .is_some_and(|one| one.space == tidegate_model::mem::operation::Space::Local)
    }

    /// Whether an argument of an atomic function is its object.
    pub(super) fn is_object(arguments: &[Value], argument: &Value) -> bool {
        arguments.first().is_some_and(|first| core::ptr::eq(first, argument))
    }
}

fn number(number: i64, span: Span) -> Expression {
    Expression { code: alloc::vec![(Atom::Int(number), span)], span }
}
