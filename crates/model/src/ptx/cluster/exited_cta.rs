//! `ptx.cluster.exited-cta`: An operation on shared memory of another CTA is performed before that CTA ends.
//!
//! PTX ISA 9.1, "Shared State Space": shared memory is owned by an executing CTA. No passage names the end of the CTA.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.cluster.exited-cta",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "An operation on shared memory of another CTA is performed before that CTA ends.",
    document: "PTX ISA 9.1",
    section: "Shared State Space",
    remedy: "Let the other CTA wait for it before it ends, for example with the cluster barrier.",
};

/// Whether the CTA that is acted on is still there.
///
/// # Errors
/// This rule, when it has ended.
pub const fn check(ended: bool) -> Result<(), RuleId> {
    if ended { Err(RuleId::PtxClusterExitedCta) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cta_must_not_have_ended() {
        assert_eq!(check(false), Ok(()));
        assert_eq!(check(true), Err(RuleId::PtxClusterExitedCta));
    }
}
