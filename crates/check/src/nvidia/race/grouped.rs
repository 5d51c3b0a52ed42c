//! Races of copies without an mbarrier object: the thread that started the copy must wait for its group.

use crate::cause::{At, PtxRace};
use crate::nvidia::coming::reachable;
use crate::nvidia::replay::{Done, Replay, act, done_action, node_action};
use crate::scene::Scene;
use crate::tell::help::ptx::{Group, Instructions};
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

/// The fact about the group of a copy, and the help.
pub(super) fn tell(scene: &Scene, replay: &Replay, copy: Copy, access: At) -> (PtxRace, String) {
    let Copy { starter: agent, node, queue, writes } = copy;
    let last = replay.done.len() - 1;
    let own = |done: &Done| done.note.copy.is_none() && done.step.agent == agent;
    let started = replay.done.iter().rposition(|done| own(done) && done.node == node);
    let steps = &replay.done[started.map_or(0, |at| at + 1).min(last)..last];
    let action = |done: &Done| done_action(&replay.machine, done).filter(|_| own(done));
    let is_tlx = scene.source(agent, node).text.contains("tlx.");
    // Each product and each store of TLX is a group by itself.
    let commits_itself = is_tlx && queue != Queue::Thread;
    let tensor = queue == Queue::Tensor;
    let instructions = instructions(queue, is_tlx);
    let help = Group { scene, instructions, tensor, agent, access };
    let commits = |done: &&Done| matches!(action(done), Some(Action::Commit { queue: which }) if which == queue);
    let waits = |done: &&Done| matches!(action(done), Some(Action::WaitGroup { queue: which, .. }) if which == queue);
    let waited = steps.iter().rev().find(waits);
    let ahead = reachable(&replay.machine, agent, replay.state().agents[agent].node);
    let comes = |&node: &u32| {
        let action = node_action(&replay.machine, agent, node);
        matches!(action, Some(Action::WaitGroup { queue: which, read, .. }) if which == queue && !(read && writes))
    };
    if let (None, Some(wait)) = (waited, ahead.into_iter().find(comes)) {
        let operation = (agent, wait);
        return (PtxRace::Later { agent, operation }, help.earlier(operation));
    }
    let Some((wait, waiting)) = waited.and_then(|wait| Some((wait, action(wait)?))) else {
        let own = started.and_then(|at| replay.done.get(at)).filter(|_| commits_itself);
        let commit = own.or_else(|| steps.iter().find(commits)).map(act);
        let help = if commit.is_some() { help.wait(false) } else { help.commit_and_wait() };
        return (PtxRace::GroupUnwaited { commit, tensor, agent }, help);
    };
    let before = steps.iter().take_while(|done| !core::ptr::eq(*done, wait));
    let committed = before.into_iter().any(|done| commits(&done));
    let (wait, all) = (act(wait), waits_for_all(replay, wait));
    match waiting {
        Action::WaitGroup { read: true, .. } if writes => {
            (PtxRace::ReadOnly { wait, tensor }, help.without_read())
        }
        _ if !committed && !all && !commits_itself => {
            (PtxRace::NoGroup { wait, tensor, agent }, help.commit())
        }
        Action::WaitGroup { most: Some(most @ 1..), .. } if access.0 == agent || commits_itself => {
            let groups = i64::from(most);
            (PtxRace::LeavesGroups { wait, groups, tensor }, help.wait(true))
        }
        _ => (PtxRace::WaitUnordered { wait, tensor, agent, access }, help.order(wait)),
    }
}

/// The instructions that commit a group and wait for all groups.
const fn instructions(queue: Queue, is_tlx: bool) -> Instructions {
    let (commit, wait) = match (queue, is_tlx) {
        (Queue::Thread, false) => ("cp.async.commit_group", "cp.async.wait_group 0"),
        (Queue::Bulk, false) => ("cp.async.bulk.commit_group", "cp.async.bulk.wait_group 0"),
        (Queue::Tensor, false) => ("wgmma.commit_group", "wgmma.wait_group 0"),
        (Queue::Thread, true) => {
            ("tlx.async_load_commit_group(…)", "tlx.async_load_wait_group(0, …)")
        }
        (Queue::Bulk, true) => ("", "tlx.async_descriptor_store_wait(0)"),
        (Queue::Tensor, true) => ("", "tlx.async_dot_wait(0, …)"),
    };
    Instructions { commit, wait }
}

/// Whether a wait covers every copy of its thread, in a group or not.
fn waits_for_all(replay: &Replay, wait: &Done) -> bool {
    matches!(done_action(&replay.machine, wait), Some(Action::WaitGroup { most: None, .. }))
}
