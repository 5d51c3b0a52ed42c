//! Lowering: the machine code of a body on a target that has every operation of it.
//!
//! Rows of the document's code-sequence tables give the code of each operation (`rows.rs`); fences, of which that document
//! does not speak, become what LLVM makes of them (`fence.rs`). Where a scenario speaks of memory, waits are put only for
//! what may be outstanding; where it does not, anything may be outstanding (`flow.rs`).

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

/// What is known of memory operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: any operation may be outstanding anywhere.
    Nothing,
    /// All of them are in the scenario, and of these kinds some are outstanding at launch.
    Outstanding(Kinds),
}

impl Known {
    /// What a program lets know: nothing, unless one of its bodies accesses memory.
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

/// What a body is lowered in.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The target.
    pub target: &'a Target,
    /// The memories of the program.
    pub buffers: &'a [Buffer],
    /// What is known of memory operations.
    pub known: Known,
    /// Lanes of a wave that are told apart.
    pub lanes: u32,
}

/// One line of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The label of a node.
    Label(NodeId),
    /// An instruction, and the node that it stands for.
    Line {
        /// The node.
        node: NodeId,
        /// The instruction.
        instruction: Instruction,
    },
}

/// Why an operation that the target has becomes no machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A `choose` of lanes, each of which chooses for itself.
    Choice,
    /// Lanes of a wave stand at different places.
    Divergent,
    /// The object has no barrier ID.
    NoId,
    /// A count that m0 cannot say.
    Count(i64),
    /// A *drop* of an object that is not surely the one joined last: `s_barrier_leave` names none.
    NotJoined,
    /// The outcome of an operation that no condition code shows.
    Outcome,
    /// A call of a function with async marks of its own: in one piece of code they would be its caller's, and some wait would
    /// complete something else.
    Function,
}

/// The machine code of a body on a target.
///
/// # Errors
///
/// Every node that has none, with the reason. What the target lacks ([`crate::support::lacking`]) must be asked for first.
pub fn lower(
    body: &Body,
    scene: Scene<'_>,
    readings: Readings,
) -> Result<Vec<Item>, Vec<(NodeId, Refusal)>> {
    layout::lay_out(body, scene, readings)
}

#[cfg(test)]
mod tests;
