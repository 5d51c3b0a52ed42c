//! Atomic operations of pasted kernels: accesses that race only with plain ones.
//!
//! What they order is not followed. After one that may acquire, and after every barrier of such a text, the accesses of
//! a work-item may be ordered with any other access, so that a race of theirs is possible and not certain.

use super::acquire::Acquire;
use super::code::Step;
use super::data::Place;
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::Expression;
use crate::lexer;
use crate::source::Need;
use crate::tree::{Code, Value};
use crate::vocabulary::atomics::{self, Access};
use alloc::string::String;

impl Lowering<'_, '_, '_> {
    /// Starts a body of a text with operations that may acquire.
    pub(super) fn may_acquire(&mut self) {
        let Some(Acquire { span, called }) = self.context.acquire.clone() else { return };
        let slot = self.declare("", span);
        self.push(Step::Set(slot, Expression::int(i64::from(called), span)));
        let text = String::from(lexer::slice(self.context.text, span));
        self.needs.push((slot, None, Need { span, text, holds: None, orders: true }));
        self.acquired = Some(slot);
    }

    /// From here on, accesses of this work-item may be ordered with others.
    pub(super) fn acquires(&mut self, span: Span) {
        if let Some(slot) = self.acquired {
            self.push(Step::Set(slot, Expression::int(1, span)));
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
