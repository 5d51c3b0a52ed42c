//! `ptx.mbarrier.parity-alias`: A wait by parity cannot distinguish a phase from the phase two later. A wait that can see either returns too early or never.
//!
//! PTX ISA 9.1, "mbarrier.test_wait, phaseParity".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.mbarrier.parity-alias",
    class: Some(Class::Hazard),
    force: Force::Requires,
    statement: "A wait by parity cannot distinguish a phase from the phase two later. A wait that can see either returns too early or never.",
    document: "PTX ISA 9.1",
    section: "mbarrier.test_wait, phaseParity",
    remedy: "Order each wait before the end of the phase that follows the one it waits for.",
};
