//! `amd.machine.never-completes`: On the hardware model, every wait must eventually find its completion bit set.
//!
//! The hardware model (public, not measured): see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "On the hardware model, every wait must eventually find its completion bit set.",
    document: "hardware model",
    section: "public, not measured",
    remedy: "Make every wave join before the completion that it waits for, and wait for it before the next one can occur.",
};
