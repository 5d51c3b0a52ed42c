//! Lowers a body to machine code of a target that supports all of its operations.
//!
//! Rows of the document's code-sequence tables give the code of each operation (`rows.rs`). Fences, which that document
//! does not cover, follow LLVM (`fence.rs`). If a scenario has memory operations, waits cover only those that may be
//! outstanding; otherwise any operation may be outstanding (`flow.rs`).

pub mod fence;
mod flow;
pub mod instruction;
pub mod kinds;
mod layout;
mod marks;
mod rows;

pub use rows::{fence_code, mnemonic_of};

use crate::mem::operation::Buffer;
use crate::operation::Action;
use crate::program::{Body, Node, NodeId, Program};
use crate::reading::Readings;
use crate::target::Target;
use alloc::vec::Vec;
use instruction::Instruction;
use kinds::Kinds;

/// Knowledge about memory operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: any operation may be outstanding anywhere.
    Nothing,
    /// The scenario contains all of them, and some of these kinds are outstanding at launch.
    Outstanding(Kinds),
}

impl Known {
    /// The knowledge that a program gives: `Nothing` unless one of its bodies accesses memory.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let accesses = |node: &Node| {
            matches!(node, Node::Operation { operation, .. }
                if matches!(operation.action, Action::Memory(memory) if memory.accesses() != (None, None)))
        };
        let mut nodes = program.bodies.iter().flat_map(|body| &body.nodes);
        if nodes.any(accesses) { Self::Outstanding(Kinds::NONE) } else { Self::Nothing }
    }
}

/// The context of a lowering.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The target.
    pub target: &'a Target,
    /// The memories of the program.
    pub buffers: &'a [Buffer],
    /// Knowledge about memory operations.
    pub known: Known,
    /// Number of distinguished lanes of a wave.
    pub lanes: u32,
}

/// One line of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The label of a node.
    Label(NodeId),
    /// An instruction and its node.
    Line {
        /// The node.
        node: NodeId,
        /// The instruction.
        instruction: Instruction,
    },
}

/// The reason that an operation which the target supports has no machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A `choose` that each lane decides separately.
    Choice,
    /// Lanes of a wave are at different nodes.
    Divergent,
    /// The object has no barrier ID.
    NoId,
    /// A count that m0 cannot hold.
    Count(i64),
    /// A *drop* of an object that is not certainly the last joined one: `s_barrier_leave` has no operand.
    NotJoined,
    /// The outcome of an operation that sets no condition code.
    Outcome,
    /// An atomic access: the text of the lowered code would be a plain one.
    Atomic,
    /// A call of a function with its own async marks: inlined, the marks would be its caller's, and some wait would
    /// complete different copies.
    Function,
}

/// Returns the machine code of a body on a target.
///
/// # Errors
///
/// Every node without code, with the reason. Check [`crate::support::lacking`] first for operations that the target
/// does not support.
pub fn lower(
    body: &Body,
    scene: Scene<'_>,
    readings: Readings,
) -> Result<Vec<Item>, Vec<(NodeId, Refusal)>> {
    layout::lay_out(body, scene, readings)
}

#[cfg(test)]
mod tests;
