//! Limits that several parts of the language share.

/// Largest value tried for a 64-bit argument: sums and small multiples of it do not overflow.
pub(crate) const MOST_TRIED: i64 = 1 << 60;
/// Largest number of bytes of a work-group's memory: more than any processor has.
pub(crate) const MOST_LOCAL: i64 = 1 << 20;
/// The maximum number of work-items of an OpenCL launch that is compiled completely; in larger launches, some work-groups
/// represent others.
pub(crate) const PLAIN: u32 = 256;
/// Largest nesting depth of blocks, parentheses and calls.
pub(crate) const DEEPEST: u32 = 64;
