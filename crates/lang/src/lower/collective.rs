//! Functions that all work-items of a group call together, such as `work_group_reduce_add`.
//!
//! OpenCL C, "Work-group Collective Functions" and "Sub-group Functions": every work-item of the group must encounter the
//! call. No sentence makes it order memory. Therefore it is a barrier without flags, and its result is data.

use super::code::{Operand, Operate, Step};
use super::term::{Doubt, Input, Term};
use super::unit::Lowering;
use super::uses::of_sub_group;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Expression};
use crate::lexer;
use crate::tree::{Code, Value};
use crate::vocabulary::opencl::{CALLS, constant};
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
        let values: Vec<Expression> = arguments.iter().map(|one| self.evaluated(one).0).collect();
        // After the value of a broadcast comes the work-item whose value it is, the same for all.
        let same = if word.ends_with("broadcast") { values.get(1..) } else { None };
        let same = same.unwrap_or_default().to_vec();
        let inputs: Vec<Input> = values.into_iter().map(Input::Value).collect();
        let text = String::from(lexer::slice(self.context.text, span));
        let source = self.source(span, text);
        let number = |value| Expression::int(value, span);
        // No flags, the scope of the work-group, and what must be the same.
        let operands =
            [number(0), number(constant("memory_scope_work_group")?)].into_iter().chain(same);
        let operands = operands.map(|value| Operand::Value(Place::Any, value)).collect();
        let rounds = self.rounds_of(row.effect);
        let operate = Operate::new(row, operands, self.declared(), source);
        self.push(Step::Operate(Operate { rounds, ..operate }));
        self.acquires(span);
        let slot = self.declare("", span);
        self.types.insert(slot, Type::Data);
        let (shape, doubt) = (format!("{word}()"), Some(Doubt::Computed));
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        Some(alloc::vec![(Atom::Slot(slot), span)])
    }
}
