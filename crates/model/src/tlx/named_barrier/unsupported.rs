//! `tlx.named-barrier.unsupported`: Named barriers exist on NVIDIA only.
//!
//! tlx-barriers, "Named Barriers".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tlx.named-barrier.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "Named barriers exist on NVIDIA only.",
    document: "tlx-barriers",
    section: "Named Barriers",
    remedy: "Use a barrier in shared memory instead.",
};
