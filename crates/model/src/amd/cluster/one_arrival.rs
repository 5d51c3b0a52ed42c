//! `amd.cluster.one-arrival`: In each phase of the cluster barrier one wave of a workgroup arrives for the whole workgroup.
//!
//! amdgpu-execution-synchronization, "s_barrier GFX12: arrive".

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "amd.cluster.one-arrival",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "In each phase of the cluster barrier one wave of a workgroup arrives for the whole workgroup.",
    document: "amdgpu-execution-synchronization",
    section: "s_barrier GFX12: arrive",
    remedy: "Let one wave of the workgroup arrive; any wave may wait.",
};
