//! Help for findings on OpenCL programs.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// For a work-item that returns before a barrier.
pub(crate) fn no_return() -> String {
    "use a conditional instead of the return, so that the work-item reaches every barrier"
        .to_owned()
}

/// For a statement that races with itself.
pub(crate) fn one_item(statement: &str) -> String {
    format!(
        "execute `{statement}` in one work-item, give each work-item its own element, or use an atomic operation"
    )
}

/// For a statement that reads and writes one element in several work-items.
pub(crate) fn atomic(statement: &str) -> String {
    format!(
        "use an atomic operation for `{statement}`: no barrier can order its read and its write"
    )
}

/// For a barrier without the flag of a memory.
pub(crate) fn flag(flag: &str, barrier: &str, line: u32) -> String {
    format!("add {flag} to the flags of `{barrier}` (line {line})")
}

/// For accesses of two work-groups.
pub(crate) fn other_groups() -> String {
    "end the kernel between the two accesses, or give each work-group its own bytes: no barrier spans work-groups".to_owned()
}

/// For two accesses of one work-group.
pub(crate) fn barrier(flag: &str) -> String {
    format!(
        "add a barrier between the two accesses that both work-items reach, with {flag} in its flags and a scope that includes both"
    )
}
