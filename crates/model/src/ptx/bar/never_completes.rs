//! `ptx.bar.never-completes`: Every barrier that a warp is blocked on completes in the end; warps that ended are not waited for.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every barrier that a warp is blocked on completes in the end; warps that ended are not waited for.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "See which warps should still arrive, and the thread count.",
};
