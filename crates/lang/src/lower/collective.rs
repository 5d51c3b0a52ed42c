//! Functions that all work-items of a group call together, such as `work_group_reduce_add`.
//!
//! OpenCL C, "Work-group Collective Functions" and "Sub-group Functions": every work-item of the group must encounter the
//! call. No sentence makes it order memory. Therefore it is a barrier without flags, and its result is data.

use super::code::{Operand, Operate, Outcome, Step};
use super::term::{Doubt, Input, Term};
use super::unit::Lowering;
use super::uses::of_sub_group;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Expression};
use crate::lexer;
use crate::tree::{Code, Value};
use crate::vocabulary::opencl::CALLS;
use crate::vocabulary::{Place, Row};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

impl Lowering<'_, '_, '_> {
    /// A call of such a function: the code of its result.
    pub(super) fn collective(
        &mut self,
        word: &str,
        arguments: &[Value],
        span: Span,
    ) -> Option<Code> {
        let barrier = if of_sub_group(word)? { "sub_group_barrier" } else { "work_group_barrier" };
        let row: &'static Row = CALLS.iter().find(|row| row.name == barrier)?;
        let inputs: Vec<Input> =
            arguments.iter().map(|one| Input::Value(self.evaluated(one).0)).collect();
        let text = String::from(lexer::slice(self.context.text, span));
        let source = self.source(span, text);
        let flags = Expression { code: alloc::vec![(Atom::Int(0), span)], span };
        let rounds = self.rounds_of(row.effect);
        self.push(Step::Operate(Operate {
            row,
            operands: alloc::vec![Operand::Value(Place::Any, flags)],
            outcome: Outcome::Nowhere,
            nvidia: None,
            atomic: false,
            declared: self.declared(),
            rounds,
            guards: Vec::new(),
            somewhere: false,
            source,
        }));
        self.acquires(span);
        let slot = self.declare("", span);
        self.types.insert(slot, Type::Data);
        let (shape, doubt) = (format!("{word}()"), Some(Doubt::Computed));
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        Some(alloc::vec![(Atom::Slot(slot), span)])
    }
}
