//! `opencl.named.limit`: Every implementation provides at least eight named barriers per work-group; it need not provide more.
//!
//! `opencl-cpp-synchronization`, Named barriers.

use crate::rule::{Force, Rule};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.named.limit",
    class: Some(Class::Lint),
    force: Force::Requires,
    statement: "Every implementation provides at least eight named barriers per work-group; it need not provide more.",
    document: "opencl-cpp-synchronization",
    section: "Named barriers",
    remedy: "Use at most eight, or query CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR.",
};

/// Named barriers that every implementation provides for a work-group.
pub const PORTABLE: usize = 8;

/// Whether this number of named barriers exceeds what every implementation provides.
#[must_use]
pub const fn exceeds(objects: usize) -> bool {
    objects > PORTABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_named_barriers_are_portable() {
        assert!(!exceeds(8) && exceeds(9));
    }
}
