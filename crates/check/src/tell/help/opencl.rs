//! Help for findings on OpenCL programs.

use crate::cause::At;
use crate::scene::Scene;
use crate::tell::names::brief;
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

/// For an access of a work-group that races with others.
pub(crate) fn any_barrier(flag: &str) -> String {
    format!(
        "add a barrier with {flag} before the access, where every work-item of the work-group reaches it"
    )
}

/// For two accesses of one work-group, the one that must come first as the first; `later` if the other one is in a later
/// iteration.
pub(crate) fn barrier(scene: &Scene, flag: &str, [first, second]: [At; 2], later: bool) -> String {
    let c = flag.starts_with("CLK") && !scene.text().contains("work_group_barrier(");
    let call = if c { "barrier" } else { "work_group_barrier" };
    let rest = if later { " of a later iteration" } else { "" };
    format!(
        "add `{call}({flag})` after {} and before {}{rest}, where every work-item of the work-group reaches it",
        brief(scene, first),
        brief(scene, second)
    )
}
