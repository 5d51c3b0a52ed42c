//! `amd.machine.never-completes`: On the modelled machine every wait finds its completion bit set in the end.
//!
//! The one-bit machine, as publicly modelled and not measured by us: see [`crate::onebit`].

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.never-completes",
    class: Some(Class::Deadlock),
    force: Force::Requires,
    statement: "On the modelled machine every wait finds its completion bit set in the end.",
    document: "one-bit machine",
    section: "as publicly modelled, not measured by us",
    remedy: "Make sure that every wave waits for a completion before the next one can come, and that it joins before the completion it waits for.",
};
