//! `ptx.bar.aligned-site`: Under the strict reading, all warps of a barrier must execute the same aligned instruction.
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
    statement: "Under the strict reading, all warps of a barrier must execute the same aligned instruction.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Use the same instruction in all warps, or the form without .aligned.",
};

/// Passes if warps may synchronise at these two aligned instructions. The default of reading `ptx.aligned-site` allows it.
///
/// # Errors
/// This rule, if they may not.
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
