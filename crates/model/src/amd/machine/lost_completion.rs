//! `amd.machine.lost-completion`: On the hardware model, a wave must wait for each completion before the next one sets its completion bit.
//!
//! The hardware model (public, not measured): see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.lost-completion",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "On the hardware model, a wave must wait for each completion before the next one sets its completion bit.",
    document: "hardware model",
    section: "public, not measured",
    remedy: "Wait for each phase before the next one can complete.",
};
