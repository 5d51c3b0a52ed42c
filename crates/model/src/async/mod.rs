//! Asynchronous operations and their marks.
//!
//! Source: `amdgpu-async-operations`. Each function body has its own sequence of marks. A mark covers every operation
//! that is initiated before it in program order, in any function. A wait removes marks from the front of the sequence
//! of its own body and completes the operations that they cover.

pub mod sequence;
pub mod walk;

use crate::mem::operation::Memory;
use crate::operation::Action;
use crate::program::Node;
use crate::program::successors;
use alloc::vec::Vec;

/// For each node, the largest mark count that a wait from there on allows.
#[must_use]
pub fn useful(nodes: &[Node]) -> Vec<Option<u16>> {
    let own = |node: &Node| match node {
        Node::Operation { operation, .. } => match operation.action {
            Action::Memory(Memory::WaitMarks(most)) => Some(most),
            _ => None,
        },
        _ => None,
    };
    let mut useful: Vec<Option<u16>> = nodes.iter().map(own).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for id in (0..nodes.len()).rev() {
            let ahead = successors(&nodes[id]).iter().map(|&next| useful[next as usize]).max();
            if let Some(ahead) = ahead.filter(|ahead| *ahead > useful[id]) {
                (useful[id], changed) = (ahead, true);
            }
        }
    }
    useful
}
