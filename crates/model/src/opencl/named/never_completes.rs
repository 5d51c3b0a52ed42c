//! `opencl.named.never-completes`: A sub-group that waits on a named barrier goes on only when as many sub-groups as its count wait there.
//!
//! `opencl-cpp-synchronization`, wait.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "A sub-group that waits on a named barrier goes on only when as many sub-groups as its count wait there.",
    document: "opencl-cpp-synchronization",
    section: "wait",
    remedy: "Let as many sub-groups as the count wait, equally often.",
};
