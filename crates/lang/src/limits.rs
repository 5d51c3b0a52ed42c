//! Limits that several parts of the language share.

/// Largest value tried for a 64-bit argument: sums and small multiples of it do not overflow.
pub(crate) const MOST_TRIED: i64 = 1 << 60;
/// Largest number of bytes of a work-group's memory: more than any processor has.
pub(crate) const MOST_LOCAL: i64 = 1 << 20;
