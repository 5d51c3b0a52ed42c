//! `ptx.async-copy.access`: The destination of an asynchronous copy must not be read, nor its source written, before the copy is known to be complete.
//!
//! PTX ISA 9.1, "Async proxy, cp.async.bulk".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.async-copy.access",
    class: Some(Class::Race),
    force: Force::Requires,
    statement: "The destination of an asynchronous copy must not be read, nor its source written, before the copy is known to be complete.",
    document: "PTX ISA 9.1",
    section: "Async proxy, cp.async.bulk",
    remedy: "Wait for the phase that the copied bytes complete before accessing the data.",
};
