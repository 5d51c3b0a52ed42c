//! `opencl.named.never-completes`: A sub-group that waits on a named barrier continues only when as many sub-groups wait there as its count.
//!
//! `opencl-cpp-synchronization`, wait.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "A sub-group that waits on a named barrier continues only when as many sub-groups wait there as its count.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Make as many sub-groups as the count wait, the same number of times each.",
};
