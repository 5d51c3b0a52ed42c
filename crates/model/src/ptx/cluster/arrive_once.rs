//! `ptx.cluster.arrive-once`: Each thread arrives once at the cluster barrier, then waits, before it arrives again.
//!
//! PTX ISA 9.1, "barrier.cluster".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.cluster.arrive-once",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "Each thread arrives once at the cluster barrier, then waits, before it arrives again.",
    document: "PTX ISA 9.1",
    section: "barrier.cluster",
    remedy: "Alternate arrive and wait.",
};

/// Where an agent stands with the cluster barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It has not arrived since it waited last.
    #[default]
    Away,
    /// It has arrived, and the phase runs.
    Arrived,
    /// It has arrived, and the phase completed: a wait returns.
    Released,
}

/// Whether it may arrive.
///
/// # Errors
/// This rule, when it has arrived before and not waited since.
pub fn arrive(standing: Standing) -> Result<Standing, RuleId> {
    match standing {
        Standing::Away => Ok(Standing::Arrived),
        _ => Err(RuleId::PtxClusterArriveOnce),
    }
}

/// Whether it may wait: nobody else can arrive for it.
///
/// # Errors
/// This rule, when it has not arrived.
pub fn wait(standing: Standing) -> Result<(), RuleId> {
    if standing == Standing::Away { Err(RuleId::PtxClusterArriveOnce) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrive_and_wait_take_turns() {
        assert_eq!(arrive(Standing::Away), Ok(Standing::Arrived));
        assert!(arrive(Standing::Arrived).is_err() && arrive(Standing::Released).is_err());
        assert!(wait(Standing::Away).is_err() && wait(Standing::Arrived).is_ok());
    }
}
