//! `ptx.bar.never-completes`: Every barrier on which a warp is blocked must eventually complete. A barrier that counts all threads of the CTA does not wait for exited warps; a barrier with another count waits for that many arrivals.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "Every barrier on which a warp is blocked must eventually complete. A barrier that counts all threads of the CTA does not wait for exited warps; a barrier with another count waits for that many arrivals.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Check which warps have not arrived, and the thread count.",
};
