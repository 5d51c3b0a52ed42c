//! `amd.machine.count-width`: Counts must fit in the seven bits of the hardware counter: at most 127.
//!
//! The hardware model (public, not measured): see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.count-width",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "Counts must fit in the seven bits of the hardware counter: at most 127.",
    document: "hardware model",
    section: "public, not measured",
    remedy: "Use a count of at most 127.",
};
