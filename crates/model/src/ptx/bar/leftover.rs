//! `ptx.bar.leftover`: When a CTA ends, no barrier may hold arrivals of an incomplete phase: the next use of that ID would count them.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.leftover",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "When a CTA ends, no barrier may hold arrivals of an incomplete phase: the next use of that ID would count them.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Pair each arrive with a sync of the same generation.",
};
