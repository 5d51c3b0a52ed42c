//! `amd.init.first`: The first modification of a barrier object is an init: arriving at or dropping an object that was never initialised is undefined.
//!
//! amdgpu-execution-synchronization, "Barrier-modification-order".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.init.first",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "The first modification of a barrier object is an init: arriving at or dropping an object that was never initialised is undefined.",
    document: "amdgpu-execution-synchronization",
    section: "Barrier-modification-order",
    remedy: "Initialise the object and order the init before every other use, for example with a workgroup barrier.",
};
