//! Nodes, and the named barriers that can follow them.

use crate::opencl::action::{Action, Group};
use crate::operation;
use crate::program::{Node, successors};
use alloc::vec::Vec;

/// The action of a node, if it is one of OpenCL.
#[must_use]
pub fn action_of(node: &Node) -> Option<Action> {
    match node {
        Node::Operation { operation, .. } => match operation.action {
            operation::Action::Opencl(action) => Some(action),
            _ => None,
        },
        _ => None,
    }
}

/// The bit of a declared named barrier; those from 127 on share one.
pub(super) fn bit(object: u16) -> u128 {
    1 << object.min(127)
}

/// By node the named barriers that can be waited on from there before the next barrier of the work-group.
pub(super) fn ahead(nodes: &[Node]) -> Vec<u128> {
    let mut ahead = alloc::vec![0_u128; nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for id in (0..nodes.len()).rev() {
            let action = action_of(&nodes[id]);
            let following =
                || successors(&nodes[id]).iter().fold(0, |set, &next| set | ahead[next as usize]);
            let set = match action {
                Some(Action::Barrier { group: Group::Work, .. }) => 0,
                Some(Action::Wait { object, .. }) => bit(object) | following(),
                _ => following(),
            };
            changed |= set != ahead[id];
            ahead[id] = set;
        }
    }
    ahead
}

/// By node the named barriers that can be constructed from there on.
pub(super) fn makes(nodes: &[Node]) -> Vec<u128> {
    let mut makes = alloc::vec![0_u128; nodes.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for id in (0..nodes.len()).rev() {
            let own = match action_of(&nodes[id]) {
                Some(Action::Construct { object, .. }) => bit(object),
                _ => 0,
            };
            let after =
                successors(&nodes[id]).iter().fold(own, |set, &next| set | makes[next as usize]);
            changed |= after != makes[id];
            makes[id] = after;
        }
    }
    makes
}
