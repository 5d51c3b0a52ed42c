//! `ptx.operation.unsupported`: The target has the instruction.
//!
//! PTX ISA 9.1, "Target ISA notes".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.operation.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "The target has the instruction.",
    document: "PTX ISA 9.1",
    section: "Target ISA notes",
    remedy: "Choose a target that has it.",
};
