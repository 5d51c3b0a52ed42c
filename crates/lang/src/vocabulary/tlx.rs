//! TLX: recognised by its shape, not judged yet.
//!
//! To add an operation: 1. give this module a table of rows as in `llvm.rs`, with the name behind `tlx.`, its operands in
//! order, its effect; 2. add the effect and its meaning to `effect.rs`, and the action to the model; 3. take the shape
//! out of [`recognises`], and add a scenario that uses the operation, and a wrong one with its diagnostic, to
//! `tests/diagnostics.txt`.

/// Whether an operation with this head is one of TLX.
pub(crate) fn recognises(head: &str) -> bool {
    head.starts_with("tlx.")
}
