//! `opencl.named.kernel-only`: A named barrier must be constructed in a kernel, not in a function that a kernel calls.
//!
//! `opencl-cpp-synchronization`, work_group_named_barrier.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.kernel-only",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A named barrier must be constructed in a kernel, not in a function that a kernel calls.",
    document: "opencl-cpp-synchronization",
    section: "work_group_named_barrier",
    remedy: "Construct it in the kernel and pass it to the function by reference.",
};
