//! The check of `opencl.fence.image-alone`.

use crate::opencl::action::Flags;
use crate::rule::RuleId;

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
