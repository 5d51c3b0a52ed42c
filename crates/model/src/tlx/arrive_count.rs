//! `tlx.arrive-count`: The arrive_count of an allocated barrier is the number of arrivals that its contexts of arrival make.
//!
//! tlx-barriers, "Barrier APIs".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tlx.arrive-count",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "The arrive_count of an allocated barrier is the number of arrivals that its contexts of arrival make.",
    document: "tlx-barriers",
    section: "Barrier APIs",
    remedy: "Set arrive_count by the document's table.",
};

/// Whether an `arrive_count` fits its contexts of arrival: 1 where every arrive expects bytes, else the number of warp
/// groups (on AMD of waves) that arrive.
///
/// # Errors
/// The count that would fit.
pub fn check(count: i64, arriving: usize, expects_bytes: bool) -> Result<(), i64> {
    let wanted = if expects_bytes { 1 } else { i64::try_from(arriving).unwrap_or(i64::MAX) };
    if count == wanted { Ok(()) } else { Err(wanted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_document() {
        assert_eq!(check(1, 2, true), Ok(()));
        assert_eq!(check(2, 2, false), Ok(()));
        assert_eq!(check(1, 2, false), Err(2));
        assert_eq!(check(2, 1, true), Err(1));
    }
}
