//! The actions of nodes.

use crate::operation::Action as Any;
use crate::program::Node;
use crate::ptx::action::Action;

/// The action of an operation, if this machine handles it.
#[must_use]
pub fn action_of(node: &Node) -> Option<Action> {
    match node {
        Node::Operation { operation, .. } => match operation.action {
            Any::Ptx(action, _) => Some(action),
            _ => Some(Action::Nothing),
        },
        _ => None,
    }
}

/// Whether a node only waits or does nothing.
pub(super) fn is_idle(node: &Node) -> bool {
    let Node::Operation { operation, .. } = node else { return false };
    match operation.action {
        Any::Ptx(action, _) => {
            matches!(action, Action::Nothing | Action::FenceInit | Action::Fence { .. })
        }
        Any::Memory(memory) => memory.accesses() == (None, None),
        _ => true,
    }
}
