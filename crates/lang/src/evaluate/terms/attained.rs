//! The values that terms can certainly have.

use super::{Part, Terms, shape_of};
use crate::evaluate::values::Values;
use crate::expression::comparison::Order;
use crate::expression::types::Type;
use crate::expression::{Binary, Operator};
use crate::lower::term::PASSED;
use alloc::rc::Rc;

impl Terms {
    /// The values that the result of an operator can certainly have.
    pub(super) fn attained(&self, operator: Operator, parts: &[Part]) -> Option<Values> {
        let inner = self.0.borrow();
        let of = |term: &u32| inner.known.get(*term as usize).filter(|one| one.doubt.is_none());
        let values = |term: &u32| of(term).and_then(|one| one.values);
        match (operator, parts) {
            (Operator::Binary(binary), [Part::Term(one), Part::Number(by)]) => {
                let values = values(one)?;
                match Order::of(shape_of(binary).0) {
                    Some(order) => values.decided(order, *by),
                    None => values.with(binary, *by),
                }
            }
            (Operator::Binary(binary), [Part::Number(by), Part::Term(one)]) => {
                let values = values(one)?;
                match (Order::of(shape_of(binary).0), binary) {
                    (Some(order), _) => values.decided(order.mirrored(), *by),
                    (
                        None,
                        Binary::Add | Binary::And | Binary::Multiply | Binary::Least | Binary::Most,
                    ) => values.with(binary, *by),
                    _ => None,
                }
            }
            (Operator::Binary(binary), [Part::Term(one), Part::Term(other)]) if one != other => {
                if let (Some(wide), true) = (values(one), of(other)?.scales) {
                    return wide.scaled(binary, Order::of(shape_of(binary).0).is_some());
                }
                let two = (values(one)?, values(other)?);
                // Each term has an element that the other is not computed from.
                let [first, second] = [of(one)?, of(other)?].map(|one| Rc::clone(&one.leaves));
                let own = first.difference(&second).next().is_some();
                match Order::of(shape_of(binary).0) {
                    Some(_) if own => two.0.compared(two.1),
                    _ => None,
                }
            }
            (_, [Part::Term(one)]) => values(one)?.changed(operator),
            _ => None,
        }
    }
}

/// Whether a term without parts is known to be nonzero, or can be.
pub(super) fn is_not_zero(shape: &str) -> bool {
    let begins = shape.starts_with(|first: char| first == '.' || first.is_ascii_digit());
    let mantissa = shape.split(['e', 'E']).next().unwrap_or("");
    shape.starts_with(PASSED) || begins && mantissa.contains(|digit| ('1'..='9').contains(&digit))
}

/// The values of an element whose notation names its type.
pub(super) fn element(shape: &str) -> Option<Values> {
    let word = shape.strip_prefix('@')?.split('.').next()?;
    Type::ALL.into_iter().find(|of| of.word() == word).map(Values::of)
}
