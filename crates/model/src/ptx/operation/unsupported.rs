//! `ptx.operation.unsupported`: A program may use only instructions and barriers that its target supports.
//!
//! PTX ISA 9.1, "Target ISA notes".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.operation.unsupported",
    class: Some(Class::Unsupported),
    force: Force::Requires,
    statement: "A program may use only instructions and barriers that its target supports.",
    document: "PTX ISA 9.1",
    section: "Target ISA notes",
    remedy: "Use a target that supports the operation.",
};
