//! A race of a copy that no mbarrier object tracks: its group is to be waited for by the thread that started it.

use crate::explain;
use crate::nvidia::replay::{Done, Replay, done_action, node_action, told};
use crate::nvidia::stuck::reachable;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use tidegate_model::ptx::action::{Action, Queue};

/// A copy, and which of its accesses races.
pub(super) struct Copy {
    /// Who started it.
    pub(super) starter: usize,
    /// At which node.
    pub(super) node: u32,
    /// Whose groups track it.
    pub(super) queue: Queue,
    /// Whether what it writes races, else what it reads.
    pub(super) writes: bool,
}

/// What the agent that started a copy did about its group, and what would mend it.
pub(super) fn tell(
    scene: &Scene,
    replay: &Replay,
    Copy { starter, node, queue, writes }: Copy,
    here: &str,
) -> (String, String) {
    let last = replay.done.len() - 1;
    let own = |done: &Done| done.note.copy.is_none() && done.step.agent == starter;
    let started = replay.done.iter().rposition(|done| own(done) && done.node == node);
    let steps = &replay.done[started.map_or(0, |at| at + 1).min(last)..last];
    let action = |done: &Done| done_action(&replay.machine, done).filter(|_| own(done));
    let who = scene.agent_name(starter);
    let family = match queue {
        Queue::Thread => "cp.async",
        Queue::Bulk => "cp.async.bulk",
        Queue::Tensor => "wgmma",
    };
    let noun = if queue == Queue::Tensor { "operation" } else { "copy" };
    let commits = |done: &&Done| matches!(action(done), Some(Action::Commit { queue: which }) if which == queue);
    let waits = |done: &&Done| matches!(action(done), Some(Action::WaitGroup { queue: which, .. }) if which == queue);
    let same = replay.done[last].step.agent == starter;
    let behind = if same {
        format!("before {here}")
    } else {
        format!("and let a barrier or an arrive and a wait order that before {here}")
    };
    let wait_for =
        |what: &str| format!("Wait for {what} with `{family}.wait_group 0` in {who} {behind}.");
    let waited = steps.iter().rev().find(waits);
    let ahead = reachable(&replay.machine, starter, replay.state().agents[starter].node);
    let comes = |&node: &u32| {
        let action = node_action(&replay.machine, starter, node);
        matches!(action, Some(Action::WaitGroup { queue: which, read, .. }) if which == queue && !(read && writes))
    };
    if let (None, Some(wait)) = (waited, ahead.into_iter().find(comes)) {
        let wait = explain::operation(scene, starter, wait);
        return (
            format!("{who} comes to {wait} only after that."),
            if same {
                format!("Move {wait} before {here}.")
            } else {
                format!("Let a barrier, or an arrive and a wait, order {wait} before {here}.")
            },
        );
    }
    match waited.and_then(|wait| Some((wait, action(wait)?))) {
        Some((wait, Action::WaitGroup { read: true, .. })) if writes => (
            format!(
                "{} is `.read`: it covers the source of the {noun} only, which has been read by then; what the {noun} writes is not known to be there.",
                told(scene, wait)
            ),
            format!("Wait without `.read` in {who} {behind}."),
        ),
        Some((wait, _))
            if steps
                .iter()
                .take_while(|done| !core::ptr::eq(*done, wait))
                .all(|done| !commits(&done))
                && !waits_for_all(replay, wait) =>
        {
            (
                format!(
                    "{} waits for groups, and the {noun} is in none: no commit_group of {who} came between.",
                    told(scene, wait)
                ),
                format!("Put a `{family}.commit_group` between the {noun} and that wait."),
            )
        }
        Some((wait, Action::WaitGroup { most: Some(most @ 1..), .. })) if same => (
            format!(
                "{} leaves up to {most} group{} incomplete, and the {noun}'s may be one of them.",
                told(scene, wait),
                if most == 1 { "" } else { "s" }
            ),
            wait_for(&format!("the {noun}'s group")),
        ),
        Some((wait, _)) => (
            format!(
                "{} says in {who} that the {noun} is complete; nothing orders that before {here}.",
                told(scene, wait)
            ),
            format!(
                "Let a barrier, or an arrive and a wait, order {} before {here}.",
                told(scene, wait)
            ),
        ),
        None => {
            let group = match steps.iter().find(commits) {
                Some(commit) => format!("{} puts it into a group of {who}", told(scene, commit)),
                None => format!("No commit_group of {who} has put it into a group"),
            };
            (
                format!("{group}, and {who} has not waited for that group."),
                if steps.iter().any(|done| commits(&done)) {
                    wait_for("the group")
                } else {
                    format!(
                        "Commit the {noun} to a group, and wait for it with `{family}.wait_group 0` in {who} {behind}."
                    )
                },
            )
        }
    }
}

/// Whether a wait is for every copy of its thread, in a group or not.
fn waits_for_all(replay: &Replay, wait: &Done) -> bool {
    matches!(done_action(&replay.machine, wait), Some(Action::WaitGroup { most: None, .. }))
}
