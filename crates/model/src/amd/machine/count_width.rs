//! `amd.machine.count-width`: Counts fit the seven bits that the hardware keeps: at most 127.
//!
//! The one-bit machine, as publicly modelled and not measured by us: see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.count-width",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "Counts fit the seven bits that the hardware keeps: at most 127.",
    document: "one-bit machine",
    section: "as publicly modelled, not measured by us",
    remedy: "Use a count of at most 127.",
};
