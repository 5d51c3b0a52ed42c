//! `opencl.named.type`: A named barrier must be a separate variable in local memory, constructed with a count. It must not be a field, pointer, array, return type, program-scope variable, or variable in global, private or constant memory. It has no default constructor, no assignment and no address.
//!
//! `opencl-cpp-synchronization`, Named barriers, Restrictions; Header opencl_synchronization.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.type",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A named barrier must be a separate variable in local memory, constructed with a count. It must not be a field, pointer, array, return type, program-scope variable, or variable in global, private or constant memory. It has no default constructor, no assignment and no address.",
    document: "opencl-cpp-synchronization",
    section: "Named barriers, Restrictions; Header opencl_synchronization",
    remedy: "Declare it in the kernel as local<work_group_named_barrier> NAME(COUNT).",
};
