//! `tlx.named-barrier.unsupported`: Named barriers exist only on NVIDIA targets.
//!
//! tlx-barriers, "Named Barriers".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tlx.named-barrier.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "Named barriers exist only on NVIDIA targets.",
    document: "tlx-barriers",
    section: "Named Barriers",
    remedy: "Use a barrier in shared memory instead.",
};
