//! Races of copies without an mbarrier object: the thread that started the copy must wait for its group.

use crate::explain;
use crate::nvidia::replay::{Done, Replay, done_action, node_action, told};
use crate::nvidia::stuck::reachable;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use tidegate_model::ptx::action::{Action, Queue};

/// A copy and its racing access.
pub(super) struct Copy {
    /// The agent that started it.
    pub(super) starter: usize,
    /// Its node.
    pub(super) node: u32,
    /// The queue of its groups.
    pub(super) queue: Queue,
    /// Whether its write races, or else its read.
    pub(super) writes: bool,
}

/// The note on the group of a copy, and the help.
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
        format!("and order that before {here} with a barrier, or an arrive and a wait")
    };
    let wait_for =
        |what: &str| format!("wait for {what} with `{family}.wait_group 0` in {who} {behind}");
    let waited = steps.iter().rev().find(waits);
    let ahead = reachable(&replay.machine, starter, replay.state().agents[starter].node);
    let comes = |&node: &u32| {
        let action = node_action(&replay.machine, starter, node);
        matches!(action, Some(Action::WaitGroup { queue: which, read, .. }) if which == queue && !(read && writes))
    };
    if let (None, Some(wait)) = (waited, ahead.into_iter().find(comes)) {
        let wait = explain::operation(scene, starter, wait);
        return (
            format!("{who} reaches {wait} only after that"),
            if same {
                format!("move {wait} before {here}")
            } else {
                format!("order {wait} before {here} with a barrier, or an arrive and a wait")
            },
        );
    }
    match waited.and_then(|wait| Some((wait, action(wait)?))) {
        Some((wait, Action::WaitGroup { read: true, .. })) if writes => (
            format!(
                "{} is `.read`: it covers only the source of the {noun}, not its destination",
                told(scene, wait)
            ),
            format!("wait without `.read` in {who} {behind}"),
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
                    "{} covers no group with the {noun}: {who} has no commit_group in between",
                    told(scene, wait)
                ),
                format!("add `{family}.commit_group` between the {noun} and that wait"),
            )
        }
        Some((wait, Action::WaitGroup { most: Some(most @ 1..), .. })) if same => (
            format!(
                "{} leaves up to {most} group{} incomplete, possibly that of the {noun}",
                told(scene, wait),
                if most == 1 { "" } else { "s" }
            ),
            wait_for(&format!("the group of the {noun}")),
        ),
        Some((wait, _)) => (
            format!(
                "{} completes the {noun} for {who}, but is not ordered before {here}",
                told(scene, wait)
            ),
            format!(
                "order {} before {here} with a barrier, or an arrive and a wait",
                told(scene, wait)
            ),
        ),
        None => {
            let group = match steps.iter().find(commits) {
                Some(commit) => format!("{} commits the {noun} to a group", told(scene, commit)),
                None => format!("no commit_group of {who} covers the {noun}"),
            };
            (
                format!("{group}, and {who} has not waited for it"),
                if steps.iter().any(|done| commits(&done)) {
                    wait_for("the group")
                } else {
                    format!(
                        "commit the {noun} to a group, and wait for it with `{family}.wait_group 0` in {who} {behind}"
                    )
                },
            )
        }
    }
}

/// Whether a wait covers every copy of its thread, in a group or not.
fn waits_for_all(replay: &Replay, wait: &Done) -> bool {
    matches!(done_action(&replay.machine, wait), Some(Action::WaitGroup { most: None, .. }))
}
