//! SASS: recognised by its shape, not judged yet.
//!
//! To add an instruction: 1. give this module a table of rows as in `amdgpu.rs`, with the instruction's full name, its
//! operands in order, its effect; 2. add the effect and its meaning to `effect.rs`, and the action to the model; 3. take
//! the shape out of [`recognises`], and add a scenario that uses the instruction, and a wrong one with its diagnostic,
//! to `tests/diagnostics.txt`.

/// Whether an instruction with this head is one of SASS.
pub(crate) fn recognises(head: &str) -> bool {
    head.starts_with("SYNCS.")
}
