//! The types of the IR.

mod compute;
mod memory;
mod operand;
mod sync;

pub use compute::{Comparison, Op, Special, Symmetric};
pub use memory::{Access, Argument, BARRIER_BYTES, Content, Engine, Object, Passed, Space, window};
pub use operand::{ArgumentId, BlockId, FunctionId, ObjectId, Operand, Place, Reg};
pub use sync::{Amdgpu, Matrices, Nvidia, NvidiaKind, Opencl};

use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Fence, Memory};
use tidegate_model::operation::Form;
use tidegate_model::target::TargetId;

/// The platform whose synchronisation a module uses. It decides what an agent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Machine {
    /// AMDGPU: agents are waves.
    Amdgpu,
    /// NVIDIA: agents are warps of 32 threads.
    Nvidia,
    /// OpenCL library functions: agents are work-items.
    Opencl,
}

/// The effect of a branch on the lanes of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// Each lane takes its own side; lanes reconverge at the immediate post-dominator (LLVM IR, PTX, SASS).
    Lanes,
    /// The wave takes one side; guards mask lanes (AMDGPU machine code).
    Waves,
}

/// A file of compiled code.
#[derive(Clone, Debug)]
pub struct Module {
    /// The platform whose synchronisation it uses.
    pub machine: Machine,
    /// What a branch does.
    pub style: Style,
    /// The target that the file names, if it names one that is known.
    pub target: Option<TargetId>,
    /// Whether the text writes offsets in hexadecimal.
    pub hexadecimal: bool,
    /// Memory objects. Two objects of one address space never overlap.
    pub objects: Vec<Object>,
    /// Arguments of all kernels.
    pub arguments: Vec<Argument>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Kernels, in the order of the text.
    pub kernels: Vec<Kernel>,
    /// Address spaces in which the text does not say which accesses are atomic.
    pub unmarked: Vec<Space>,
    /// Whether the compiler adds fences of the async proxy that the text does not show.
    pub fences_proxies: bool,
    /// Instructions that the front end does not know but that cannot affect synchronisation: each name once, with its first
    /// place.
    pub ignored: Vec<(String, Place)>,
    /// All places of these instructions.
    pub ignored_at: Vec<Place>,
}

/// A kernel: a function that the host launches.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Where the text names it.
    pub place: Place,
    /// Its function.
    pub function: FunctionId,
    /// The values of the parameters of the function.
    pub arguments: Vec<Operand>,
    /// The names of the parameters that the host passes, in order; none if the text does not declare them.
    pub parameters: Vec<String>,
    /// Whether the text has no source names of parameters.
    pub unnamed: bool,
    /// The facts that the text gives about its launch.
    pub facts: Facts,
}

/// Facts that a text gives about the launch of a kernel. A missing dimension is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Threads of a workgroup in each dimension, exactly.
    pub threads: Option<[u32; 3]>,
    /// The maximum number of threads of a workgroup.
    pub most_threads: Option<u32>,
    /// Workgroups of a cluster in each dimension.
    pub cluster: Option<[u32; 3]>,
    /// Lanes of a wave or sub-group.
    pub lanes: Option<u32>,
    /// Bytes of local memory that are allocated at the launch in addition to the objects of the module.
    pub dynamic_local: u32,
}

/// A control-flow graph over registers. Execution starts in block 0.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the text defines it.
    pub place: Place,
    /// The registers that contain its arguments when it starts.
    pub parameters: Vec<Reg>,
    /// For each register, its width in bits, 1 to 64.
    pub widths: Vec<u8>,
    /// The blocks, at least one.
    pub blocks: Vec<Block>,
    /// The places of all instructions of the text. It is empty if the blocks contain all of them.
    pub read: Vec<Place>,
    /// Where its lanes reconverge and end, if instructions were removed that decide this.
    pub(crate) meetings: Option<Meetings>,
}

/// Where lanes reconverge and end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    /// For each block, the block in which lanes that diverge at its end reconverge.
    pub(crate) joins: Vec<Option<BlockId>>,
    /// For each block, the block in which its lanes end, if they only compute until then.
    pub(crate) lasts: Vec<Option<BlockId>>,
}

impl Function {
    /// The operands of its computations.
    pub fn computed(&self) -> impl Iterator<Item = &Operand> {
        let instructions = self.blocks.iter().flat_map(|block| &block.instructions);
        let operands = instructions.filter_map(|one| match &one.kind {
            Kind::Compute { of, .. } => Some(of),
            _ => None,
        });
        operands.flatten()
    }
}

/// Instructions without control flow, and the end of the block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// How the block ends.
    pub end: End,
    /// Where it ends.
    pub place: Place,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its place in the text.
    pub place: Place,
    /// The active lanes that perform it; `None` for all. The others keep the old values of its results.
    pub guard: Option<Guard>,
    /// What it does.
    pub kind: Kind,
}

/// Which of the active lanes perform an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The lanes in which a register of 1 bit has this value (a predicate).
    Bit(Operand, bool),
    /// The lanes whose bit is set in a register of 32 or 64 bits (EXEC).
    Mask(Operand),
}

/// The operation of an instruction.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Computes a value.
    Compute {
        /// The result.
        to: Reg,
        /// The operation.
        op: Op,
        /// Its operands, as many as the operation needs.
        of: Vec<Operand>,
    },
    /// Computes something that is not modelled: the results are data.
    Opaque {
        /// The results.
        to: Vec<Reg>,
    },
    /// Accesses memory.
    Access(Access),
    /// A fence of the AMDGPU or LLVM memory model.
    Fence(Fence),
    /// Another memory operation that has no operands: counter waits, marks.
    Memory(Memory, Form),
    /// Performs the outstanding accesses of AMDGPU machine code again: those that no wait for counters has completed may also
    /// happen here.
    Outstanding,
    /// Writes back or invalidates caches.
    Caches(Form),
    /// A barrier operation of AMDGPU.
    Amdgpu(Amdgpu, Form),
    /// An operation of NVIDIA.
    Nvidia(Nvidia),
    /// A barrier of OpenCL.
    Opencl(Opencl),
    /// Calls a function of the module.
    Call {
        /// The function.
        function: FunctionId,
        /// The values of its parameters.
        arguments: Vec<Operand>,
        /// The registers that receive what it returns.
        results: Vec<Reg>,
    },
    /// Something that is not modelled and could synchronise or access memory: the verdict is `unknown` if it is reached.
    Unknown {
        /// The reason, as a sentence without the place (`` `s_sendmsg` may synchronise, and is not modelled ``).
        why: String,
        /// Registers that it may write: their values are data.
        to: Vec<Reg>,
    },
}

impl Kind {
    /// Whether it does nothing but write registers.
    pub(crate) const fn computes(&self) -> bool {
        matches!(self, Self::Compute { .. } | Self::Opaque { .. })
    }
}

/// An edge from one block to another.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Edge {
    /// The next block.
    pub to: BlockId,
    /// Registers of the target that receive values on this edge, in parallel (`phi`).
    pub moves: Vec<(Reg, Operand)>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Continues in another block.
    Jump(Edge),
    /// Continues in `then` if the condition (1 bit) holds, otherwise in `other`.
    Branch {
        /// The condition.
        on: Operand,
        /// The edge if it holds.
        then: Edge,
        /// The edge if it does not hold.
        other: Edge,
    },
    /// Continues in the block of the case that equals the value. A finished module has branches instead.
    Switch {
        /// The value.
        on: Operand,
        /// The value and the edge of each case.
        cases: Vec<(u64, Edge)>,
        /// The edge if no case equals the value.
        default: Edge,
    },
    /// Returns from the function; from the function of a kernel, the lanes end.
    Return(Vec<Operand>),
    /// The lanes end.
    Exit,
    /// The execution does not get here: a trap, or undefined behaviour.
    Unreachable,
    /// Continues somewhere that is not known, for this reason: the verdict is `unknown` if it is reached.
    Unknown(String),
}
