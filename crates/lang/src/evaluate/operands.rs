//! Operands to values, and operations from them.

use super::thread::{Surroundings, Thread};
use crate::diagnostic::{Diagnostic, Span, Suggestion};
use crate::expression::{Expression, Value};
use crate::lower::code::{Operand, Operate};
use crate::vocabulary::effect::{self, immediate};
use crate::vocabulary::{Argument, Place};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::{Form, Object, Operation};

/// The operation that a lane is about to perform.
pub(crate) fn operation(
    operate: &Operate,
    thread: &Thread,
    around: Surroundings,
) -> Result<Operation, Diagnostic> {
    let form = operate.row.form;
    let values = operate.operands.iter().map(|operand| argument(operand, form, thread, around));
    let arguments = values.collect::<Result<Vec<_>, _>>()?;
    match effect::action(operate.row.effect, &arguments) {
        Some(action) => Ok(Operation { action, form }),
        // Every row that becomes an operation has an action for its operands; a test of the tables sees to it.
        None => Err(Diagnostic::error("not-yet", Span::default(), operate.row.name)),
    }
}

fn argument(
    operand: &Operand,
    form: Form,
    thread: &Thread,
    around: Surroundings,
) -> Result<Argument, Diagnostic> {
    match operand {
        Operand::M0(span) => thread.m0.map(Argument::M0).ok_or_else(|| {
            Diagnostic::error(
                "unset-m0",
                *span,
                "m0 has no value here: set it with `s_mov_b32 m0, …`",
            )
        }),
        Operand::Value(place, expression) => {
            let value = thread.value(expression, around)?;
            checked(*place, value, expression, form).map(Argument::Value)
        }
    }
}

/// The value, if one of its kind can stand at its place.
fn checked(
    place: Place,
    value: Value,
    expression: &Expression,
    form: Form,
) -> Result<Value, Diagnostic> {
    let span = expression.span;
    match (place, value) {
        (Place::Object, Value::Int(_)) => {
            let message =
                "a model word acts on a barrier object: `wg`, `cluster`, `null` or a declared one";
            Err(Diagnostic::error("not-an-object", span, message))
        }
        (Place::Id | Place::IdOrM0 | Place::Id16, Value::Object(Object::Plain(_)))
            if !matches!(form, Form::Intrinsic(_)) =>
        {
            Err(without_id(span))
        }
        (Place::Id16, _) => immediate(value).ok_or_else(|| {
            Diagnostic::error("immediate-range", span, "the immediate has 16 bits: -32768 to 65535")
        }),
        (Place::Number | Place::Expected | Place::Counters, Value::Object(_)) => {
            Err(Diagnostic::error("not-a-number", span, "a barrier object is not a number"))
        }
        _ => Ok(value),
    }
}

fn without_id(span: Span) -> Diagnostic {
    let message = "this barrier object has no ID, so machine code cannot name it";
    let suggestion = Suggestion {
        message: String::from("declare it as `barrier NAME = named(ID)`"),
        replacement: None,
    };
    Diagnostic {
        suggestion: Some(suggestion),
        ..Diagnostic::error("object-without-id", span, message)
    }
}
