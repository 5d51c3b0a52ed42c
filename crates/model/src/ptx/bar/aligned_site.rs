//! The check of `ptx.bar.aligned-site`.

use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;

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
