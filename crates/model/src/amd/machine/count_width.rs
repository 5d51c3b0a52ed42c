//! `amd.machine.count-width`: Counts fit the seven bits that the hardware keeps: at most 127.
//!
//! amdgpu-execution-synchronization, "one-bit machine, as publicly modelled".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.machine.count-width",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "Counts fit the seven bits that the hardware keeps: at most 127.",
    document: "amdgpu-execution-synchronization",
    section: "one-bit machine, as publicly modelled",
    remedy: "Use a count of at most 127.",
};
