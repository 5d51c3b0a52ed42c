//! Rules on the barriers of a CTA.

pub mod aligned;
pub mod aligned_site;
pub mod count_mismatch;
pub mod count_multiple;
pub mod double_arrive;
pub mod id;
pub mod red_mix;
pub mod warp_member;

/// Barriers of a CTA.
pub const BARS: usize = 16;
