//! The check of `ptx.bar.red-mix`.

use crate::rule::RuleId;

/// Passes if a use and the first use of its generation are both reductions, or neither is.
///
/// # Errors
/// This rule, if only one of them is.
pub fn check(first: Option<bool>, red: bool) -> Result<bool, RuleId> {
    if first.is_none_or(|first| first == red) { Ok(red) } else { Err(RuleId::PtxBarRedMix) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_use_or_no_use_is_a_reduction() {
        assert!(check(None, true).is_ok() && check(Some(false), false).is_ok());
        assert!(check(Some(true), false).is_err() && check(Some(false), true).is_err());
    }
}
