//! `ptx.mbarrier.init-visibility`: Every use of an mbarrier object by another agent must be ordered after its init.
//!
//! PTX ISA 9.1, "fence.mbarrier_init".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.init-visibility",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "Every use of an mbarrier object by another agent must be ordered after its init.",
    document: "PTX ISA 9.1",
    section: "fence.mbarrier_init",
    remedy: "Place a barrier of all warps between the init and the first use; across CTAs, a cluster barrier with release and acquire.",
};
