//! Static facts on a body.

use super::node::{action_of, is_idle};
use crate::program::successors;
use crate::program::{Body, Node};
use crate::ptx::action::{Action, Patience};
use alloc::vec::Vec;

/// Facts by node.
#[derive(Clone, Debug)]
pub(super) struct BodyFacts {
    /// Token registers that are read from the node on, the first 64.
    pub(super) tokens: Vec<u64>,
    /// Whether a wait that fails leads back only to itself.
    pub(super) spins: Vec<bool>,
    /// Whether the node can be performed more than once, other than by waiting.
    pub(super) repeats: Vec<bool>,
}

impl BodyFacts {
    pub(super) fn of(body: &Body) -> Self {
        let spins: Vec<bool> = (0..body.nodes.len()).map(|node| spins(&body.nodes, node)).collect();
        Self { tokens: live_tokens(&body.nodes), repeats: repeats(&body.nodes, &spins), spins }
    }
}

fn token_bit(register: Option<u16>) -> u64 {
    register.map_or(0, |register| 1_u64.checked_shl(u32::from(register)).unwrap_or(0))
}

fn live_tokens(nodes: &[Node]) -> Vec<u64> {
    let mut live = alloc::vec![0; nodes.len()];
    let uses = |node: &Node| {
        action_of(node).map_or((0, 0), |action| {
            (token_bit(action.reads_token()), token_bit(action.writes_token()))
        })
    };
    if nodes.iter().all(|node| uses(node) == (0, 0)) {
        return live;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (id, node) in nodes.iter().enumerate().rev() {
            let (reads, writes) = uses(node);
            let following = successors(node).iter().fold(0, |set, &next| set | live[next as usize]);
            let now = reads | following & !writes;
            changed |= now != live[id];
            live[id] = now;
        }
    }
    live
}

fn spins(nodes: &[Node], start: usize) -> bool {
    let Node::Operation { next, .. } = &nodes[start] else { return false };
    if !matches!(
        action_of(&nodes[start]),
        Some(Action::Wait { patience: Patience::Test | Patience::Try, .. })
    ) {
        return false;
    }
    let mut at = next[0] as usize;
    for _ in 0..nodes.len() {
        if at == start {
            return true;
        }
        match &nodes[at] {
            node @ Node::Operation { next, .. } if is_idle(node) => at = next[0] as usize,
            _ => return false,
        }
    }
    false
}

/// Nodes on a cycle, excluding spinning: the nodes that remain after repeatedly removing nodes without a remaining
/// predecessor or successor.
fn repeats(nodes: &[Node], spins: &[bool]) -> Vec<bool> {
    let ways = |id: usize| -> &[u32] {
        let all = successors(&nodes[id]);
        if spins[id] { &all[1..] } else { all }
    };
    if is_forward(nodes, spins) {
        return alloc::vec![false; nodes.len()];
    }
    let mut left = alloc::vec![true; nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        let mut entered = alloc::vec![false; nodes.len()];
        for id in (0..nodes.len()).filter(|&id| left[id]) {
            ways(id).iter().for_each(|&next| entered[next as usize] = true);
        }
        for id in (0..nodes.len()).rev() {
            let stays = left[id] && entered[id] && ways(id).iter().any(|&next| left[next as usize]);
            changed |= left[id] != stays;
            left[id] = stays;
        }
    }
    left
}

/// Whether every step except spinning leads to a node with a higher number, so that nothing repeats.
fn is_forward(nodes: &[Node], spins: &[bool]) -> bool {
    nodes.iter().enumerate().all(|(id, node)| {
        let all = successors(node);
        let ways = if spins[id] { &all[1..] } else { all };
        ways.iter().all(|&next| next as usize > id)
    })
}
