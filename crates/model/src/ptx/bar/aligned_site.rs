//! `ptx.bar.aligned-site`: All warps of a barrier execute the same aligned instruction, by the strict reading.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::reading::{ReadingId, Readings};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.aligned-site",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "All warps of a barrier execute the same aligned instruction, by the strict reading.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Use one instruction for all, or the form without .aligned.",
};

/// Whether warps may meet at these two aligned instructions. Reading `ptx.aligned-site`: usually they may.
///
/// # Errors
/// This rule, when they may not.
pub fn check(first: Option<u32>, site: u32, readings: Readings) -> Result<u32, RuleId> {
    let same = first.is_none_or(|first| first == site);
    if same || readings.is_default(ReadingId::PtxAlignedSite) {
        Ok(first.unwrap_or(site))
    } else {
        Err(RuleId::PtxBarAlignedSite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_sites_depend_on_the_reading() {
        let strict = Readings::default().with(ReadingId::PtxAlignedSite, 1);
        assert!(check(Some(1), 2, Readings::default()).is_ok());
        assert!(check(Some(1), 2, strict).is_err() && check(Some(2), 2, strict).is_ok());
    }
}
