//! `amd.cluster.one-arrival`: In each phase of the cluster barrier one wave of a workgroup arrives for the whole workgroup.
//!
//! amdgpu-execution-synchronization, "s_barrier GFX12: arrive".

use crate::reading::{ReadingId, Readings};
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.cluster.one-arrival",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "In each phase of the cluster barrier one wave of a workgroup arrives for the whole workgroup.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier GFX12: arrive",
    remedy: "Let one wave of the workgroup arrive; any wave may wait.",
};

/// Passes when the workgroup has not arrived in the open phase yet; `arrived` is sorted. Under the other answer to
/// reading `amd.A8` a second arrival simply counts.
///
/// # Errors
/// This rule, when it has.
pub fn check(arrived: &[u32], workgroup: u32, readings: Readings) -> Result<(), RuleId> {
    let again = arrived.binary_search(&workgroup).is_ok() && readings.is_default(ReadingId::AmdA8);
    if again { Err(RuleId::AmdClusterOneArrival) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_arrival_breaks_it_unless_it_counts() {
        let counts = Readings::default().with(ReadingId::AmdA8, 1);
        assert_eq!(check(&[0, 2], 1, Readings::default()), Ok(()));
        assert_eq!(check(&[0, 2], 2, Readings::default()), Err(RuleId::AmdClusterOneArrival));
        assert_eq!(check(&[0, 2], 2, counts), Ok(()));
    }
}
