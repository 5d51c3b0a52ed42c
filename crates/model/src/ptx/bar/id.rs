//! The check of `ptx.bar.id`.

use crate::rule::RuleId;

/// The barrier with this ID.
///
/// # Errors
/// This rule, if the ID is out of range.
pub fn check(id: i64) -> Result<u8, RuleId> {
    u8::try_from(id).ok().filter(|&id| id < 16).ok_or(RuleId::PtxBarId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cta_has_sixteen_barriers() {
        assert_eq!([0, 15].map(check), [Ok(0), Ok(15)]);
        assert!([-1, 16, 256].into_iter().all(|id| check(id).is_err()));
    }
}
