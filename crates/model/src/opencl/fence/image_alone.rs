//! `opencl.fence.image-alone`: A barrier must not combine the image flag with the local or the global flag.
//!
//! `opencl-cpp-synchronization`, work_group_barrier; sub_group_barrier.

use crate::opencl::action::Flags;
use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opencl.fence.image-alone",
    class: Some(Class::Violation),
    force: Force::Requires,
    statement: "A barrier must not combine the image flag with the local or the global flag.",
    document: "opencl-cpp-synchronization",
    section: "work_group_barrier; sub_group_barrier",
    remedy: "Use two barriers, one for images and one for the other address spaces.",
};

/// Passes if these flags may be combined.
///
/// # Errors
/// This rule, if they may not.
pub fn check(flags: Flags) -> Result<(), RuleId> {
    if flags.image() && flags != Flags::IMAGE { Err(RuleId::OpenclFenceImageAlone) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_flag_is_never_combined() {
        let fine: alloc::vec::Vec<u8> =
            (0..8).filter(|&bits| check(Flags::new(bits)).is_ok()).collect();
        assert_eq!(fine, [0, 1, 2, 3, 4]);
    }
}
