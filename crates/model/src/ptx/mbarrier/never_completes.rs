//! `ptx.mbarrier.never-completes`: Every wait on an mbarrier object must eventually return.
//!
//! PTX ISA 9.1, "Phase Completion of the mbarrier object".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every wait on an mbarrier object must eventually return.",
    document: "PTX ISA 9.1",
    section: "Phase Completion of the mbarrier object",
    remedy: "Check which arrivals are missing, and how many bytes are still expected.",
};
