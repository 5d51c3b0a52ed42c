//! `amd.drop.race`: An agent that arrived at an object may drop it only after a wait that its arrive participates in. An arrive that no wait ever depends on is exempt.
//!
//! amdgpu-execution-synchronization, "Barrier drop races".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.drop.race",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "An agent that arrived at an object may drop it only after a wait that its arrive participates in. An arrive that no wait ever depends on is exempt.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier drop races",
    remedy: "Wait for the phase between the arrive and the drop.",
};
