//! PTX: recognised by its shape, not judged yet.
//!
//! To add an instruction: 1. give this module a table of rows as in `amdgpu.rs`, with the instruction's name without
//! type and state-space suffixes, its operands in order, its effect; 2. add the effect and its meaning to `effect.rs`,
//! and the action to the model; 3. take the shape out of [`recognises`], and add a scenario that uses the instruction,
//! and a wrong one with its diagnostic, to `tests/diagnostics.txt`.

/// What the instructions on barriers and asynchronous copies begin with.
const HEADS: [&str; 8] =
    ["mbarrier.", "bar.", "barrier.", "cp.async", "cp.reduce.async", "fence.", "membar.", "elect."];

/// Whether an instruction with this head is one of PTX.
pub(crate) fn recognises(head: &str) -> bool {
    head == "bra" || head.starts_with("bra.") || HEADS.iter().any(|start| head.starts_with(start))
}
