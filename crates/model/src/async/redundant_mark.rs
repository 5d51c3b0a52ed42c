//! `async.redundant-mark`: Every mark can be completed by some later wait of its function body, or counts in one that completes
//! others.
//!
//! amdgpu-async-operations, "Optimization": only what no wait count includes may go. A mark that a wait lets run is in its
//! count: without it the wait would complete one mark less, as in the first example of the document.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "async.redundant-mark",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Every mark can be completed by some later wait of its function body, or counts in one that completes others.",
    document: "amdgpu-async-operations",
    section: "Optimization",
    remedy: "Remove the mark, or wait for it.",
};
