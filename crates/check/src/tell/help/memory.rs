//! Help for findings about memory of AMDGPU.

use crate::cause::At;
use crate::edit::written::Written;
use crate::scene::Scene;
use crate::tell::memory::{follow, marks};
use crate::tell::names::{brief, list};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Why a wait must complete more than the copy of the witness.
const MORE: &str = "another access, path or iteration requires more complete copies";

/// For an access of bytes that a copy of the first revision makes.
pub(crate) fn within_agent(scene: &Scene, agent: usize, wait: At) -> String {
    format!(
        "access the copied bytes in {} after {} and before its release, or use the second revision",
        scene.agent_name(agent),
        brief(scene, wait)
    )
}

/// For a drop between two accesses.
pub(crate) fn release_before_drop(scene: &Scene, agent: usize) -> String {
    format!("make {} release and arrive before it drops the barrier", scene.agent_name(agent))
}

/// For two accesses whose fences are sufficient.
pub(crate) fn synchronise(scene: &Scene, giver: usize, taker: usize) -> String {
    format!(
        "synchronise {} with {} at one barrier: release, arrive; wait, acquire",
        scene.agent_name(giver),
        scene.agent_name(taker)
    )
}

/// Adds a statement before or after a line.
pub(crate) fn add(statement: &str, before: bool, line: u32) -> String {
    format!("add `{statement}` {} line {line}", if before { "before" } else { "after" })
}

/// Changes a line to a statement.
pub(crate) fn change(line: u32, statement: &str) -> String {
    format!("change line {line} to `{statement}`")
}

/// Some changes together.
pub(crate) fn together(parts: &[String]) -> String {
    list(parts)
}

/// Adds a mark after a copy, and a wait before another line if there is none.
pub(crate) fn mark(written: Written<'_>, after: u32, wait_before: Option<u32>) -> String {
    let said = |words: &str| written.spelled(words).unwrap_or_else(|| words.to_owned());
    let mark = said("asyncmark");
    match wait_before {
        Some(line) => {
            let zero = said("wait_asyncmark 0");
            format!("add `{mark}` after line {after} and `{zero}` before line {line}")
        }
        None => format!("add `{mark}` after line {after}"),
    }
}

/// Adds a wait that leaves `most` marks outstanding, where the copy allows `safe`.
pub(crate) fn wait(written: Written<'_>, most: u16, safe: u16, line: u32) -> String {
    let plain = format!("wait_asyncmark {most}");
    let statement = written.spelled(&plain).unwrap_or(plain);
    let why = match most < safe {
        true => MORE.to_owned(),
        false if statement.contains("asyncmark") => format!("{} that of the copy", follow(safe)),
        false if safe == 1 => "1 copy follows this one".to_owned(),
        false => format!("{safe} copies follow this one"),
    };
    format!("add `{statement}` before line {line}: {why}")
}

/// Lowers the number of marks that a wait leaves outstanding, where the copy allows `safe`.
pub(crate) fn lower(line: u32, less: u16, safe: u16) -> String {
    let more = if less < safe { format!(": {MORE}") } else { String::new() };
    format!("change line {line} to allow {}{more}", marks(less))
}

/// Raises the number of marks that a wait leaves outstanding.
pub(crate) fn allow(line: u32, marks: u16) -> String {
    format!("change line {line} to allow {marks}")
}

/// Adds a mark and a wait for everything before a line.
pub(crate) fn mark_and_wait(
    written: Written<'_>,
    all: &str,
    line: u32,
    other_body: bool,
) -> String {
    let statement = quoted(written, &written.spelled(all).unwrap_or_else(|| all.to_owned()));
    match other_body {
        true => {
            format!("mark and wait in one function body: add {statement} before line {line}")
        }
        false => format!(
            "add {statement} before line {line}: not every copy has a mark that a wait there completes"
        ),
    }
}

/// For two accesses of agents that share a barrier; `copy` if the first is a copy.
pub(crate) fn hand_over(
    scene: &Scene,
    (giver, copy): (At, bool),
    taker: At,
    cluster: bool,
) -> String {
    let first = match copy {
        true => "a wait for a mark".to_owned(),
        false => brief(scene, giver),
    };
    format!(
        "make {} release and arrive at {} after {first}, and make {} wait there and acquire before {}",
        scene.agent_name(giver.0),
        barrier(cluster),
        scene.agent_name(taker.0),
        brief(scene, taker)
    )
}

/// For two accesses in different clusters.
pub(crate) fn one_cluster() -> String {
    "put both workgroups into one cluster and use the cluster barrier, or use atomics (not modelled)".to_owned()
}

/// For two accesses in different workgroups without a common barrier.
pub(crate) fn one_workgroup() -> String {
    "access the bytes in one workgroup, or use atomics (not modelled)".to_owned()
}

/// Adds a round of a barrier between two accesses; each part is a statement, whether it is after a line, and the line.
pub(crate) fn round(
    scene: &Scene,
    cluster: bool,
    [giver, taker]: [At; 2],
    parts: &[(&str, bool, u32)],
) -> String {
    let written = Written::of(scene.text());
    let said = |(statement, after, line): &(&str, bool, u32)| {
        format!(
            "{} {} line {line}",
            quoted(written, statement),
            if *after { "after" } else { "before" }
        )
    };
    let said: Vec<String> = parts.iter().map(said).collect();
    format!(
        "add a round of {} after {} and before {}: {}",
        barrier(cluster),
        brief(scene, giver),
        brief(scene, taker),
        list(&said)
    )
}

/// For a redundant wait.
pub(crate) fn remove_wait() -> String {
    "remove the wait, or add a mark before it in the same function body".to_owned()
}

/// For a redundant mark that a wait counts.
pub(crate) fn remove_mark() -> String {
    "wait for it, or remove it and decrement the count of later waits".to_owned()
}

const fn barrier(cluster: bool) -> &'static str {
    if cluster { "the cluster barrier" } else { "the workgroup barrier" }
}

/// Statements separated by `; `, in the layout of the text.
fn quoted(written: Written<'_>, statements: &str) -> String {
    match written.is_by_lines() {
        true => list(&statements.split("; ").map(|it| format!("`{it}`")).collect::<Vec<String>>()),
        false => format!("`{statements}`"),
    }
}
