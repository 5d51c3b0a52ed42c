//! `ptx.cluster.exited-cta`: An operation on shared memory of another CTA must be performed before that CTA exits.
//!
//! PTX ISA 9.1, "Shared State Space": shared memory is owned by an executing CTA. No passage names the end of the CTA.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.cluster.exited-cta",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "An operation on shared memory of another CTA must be performed before that CTA exits.",
    document: "PTX ISA 9.1",
    section: "Shared State Space",
    remedy: "Make the other CTA wait for the operation before it exits, for example with the cluster barrier.",
};

/// Passes if the CTA whose memory is accessed has not exited.
///
/// # Errors
/// This rule, if it has.
pub const fn check(ended: bool) -> Result<(), RuleId> {
    if ended { Err(RuleId::PtxClusterExitedCta) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cta_must_not_have_exited() {
        assert_eq!(check(false), Ok(()));
        assert_eq!(check(true), Err(RuleId::PtxClusterExitedCta));
    }
}
