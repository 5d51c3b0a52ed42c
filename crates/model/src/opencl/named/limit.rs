//! `opencl.named.limit`: Every implementation has at least eight named barriers for each work-group; more may not be there.
//!
//! `opencl-cpp-synchronization`, Named barriers.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.limit",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Every implementation has at least eight named barriers for each work-group; more may not be there.",
    document: "opencl-cpp-synchronization",
    section: "Named barriers",
    remedy: "Use eight at most, or query CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR.",
};

/// Named barriers that every implementation has for a work-group.
pub const PORTABLE: usize = 8;

/// Whether so many named barriers are more than every implementation has.
#[must_use]
pub const fn exceeds(objects: usize) -> bool {
    objects > PORTABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_are_portable() {
        assert!(!exceeds(8) && exceeds(9));
    }
}
