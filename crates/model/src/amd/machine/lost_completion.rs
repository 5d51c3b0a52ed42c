//! `amd.machine.lost-completion`: On the modelled machine a completion is not lost: its bit is clear when it comes, because each earlier completion was waited for.
//!
//! The one-bit machine, as publicly modelled and not measured by us: see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.lost-completion",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "On the modelled machine a completion is not lost: its bit is clear when it comes, because each earlier completion was waited for.",
    document: "one-bit machine",
    section: "as publicly modelled, not measured by us",
    remedy: "Wait for each phase before the next one can complete.",
};
