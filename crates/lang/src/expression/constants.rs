//! Expressions of numbers.

use super::linear::Reach;
use super::types::{self, Type};
use super::{Builtin, Environment, Expression, Fault, Value};
use crate::diagnostic::Span;

/// An environment without variables and positions.
#[derive(Default)]
pub(crate) struct Constants(Reach);

impl Constants {
    /// The value of an expression of numbers, and its type.
    pub(crate) fn number(value: &Expression) -> Result<(i64, Type), (Fault, Span)> {
        let mut value = value.clone();
        let of = types::typed(&mut value, |_| Type::Exact);
        value.number(&Self::default()).map(|number| (number, of))
    }
}

impl Environment for Constants {
    fn slot(&self, _: u16) -> Option<Value> {
        None
    }

    fn builtin(&self, _: Builtin) -> i64 {
        0
    }

    fn reach(&self) -> &Reach {
        &self.0
    }
}
