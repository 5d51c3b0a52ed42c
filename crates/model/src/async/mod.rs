//! Asynchronous operations and their marks.
//!
//! `amdgpu-async-operations`. Each function body has its own sequence of marks. A mark covers every operation initiated before
//! it in program order, in whichever function; a wait removes marks from the front of the sequence of its own body, and what
//! they cover is completed.

pub mod sequence;
pub mod walk;

use crate::mem::operation::Memory;
use crate::operation::Action;
use crate::program::Node;
use crate::reach::successors;
use alloc::vec::Vec;

/// By node, for at most how many marks a wait from there on waits.
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
