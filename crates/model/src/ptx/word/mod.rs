//! The known layout of the 64-bit word of an mbarrier object (`sm_90` and later).
//!
//! NVIDIA documents the word as opaque. The layout is inferred from the words that initialisation writes (`sass-syncs`,
//! "MBarrier Initialization") and from the parity checks of compiled code. Two 20-bit fields hold the pending and the
//! expected count, negated. Initialisation writes equal counts, so it does not show which field is which; a [`Layout`] is
//! one hypothesis. Every function here is total: any 64 bits decode, and encode back.

mod layout;
mod step;

pub use layout::{Certainty, Fields, Layout, MOST, Shown, decode, describe, encode, initial};
pub use step::{Operation, Stepped, passes, step};

#[cfg(test)]
mod tests;
