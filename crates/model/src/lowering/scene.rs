//! What a lowering gets, and what it gives.

use super::instruction::Instruction;
use super::kinds::Kinds;
use crate::mem::operation::Buffer;
use crate::operation::Action;
use crate::program::{Node, NodeId, Program};
use crate::target::Target;

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
