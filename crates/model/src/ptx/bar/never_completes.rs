//! `ptx.bar.never-completes`: Every barrier that a warp is blocked on completes in the end. One that counts all threads of the CTA does not wait for warps that ended; one with another count waits for as many arrivals.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every barrier that a warp is blocked on completes in the end. One that counts all threads of the CTA does not wait for warps that ended; one with another count waits for as many arrivals.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "See which warps should still arrive, and the thread count.",
};
