//! Memory objects, arguments and accesses.

use super::operand::{ArgumentId, ObjectId, Operand, Place, Reg};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Scope;

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Memory of one work-item: stack slots, spilled registers. Its content is followed exactly.
    Private,
    /// Memory of a workgroup: LDS, `.shared`.
    Local,
    /// Memory of all agents.
    Global,
    /// Memory that no agent writes.
    Constant,
    /// Any of these: an address of 64 bits in the windows of [`window`].
    Generic,
}

/// The address in the generic address space of byte 0 of another one: `generic = window + address`.
///
/// Global and constant memory have the same addresses in both.
#[must_use]
pub const fn window(space: Space) -> u64 {
    match space {
        Space::Private => 0x7e00_0000_0000_0000,
        Space::Local => 0x7f00_0000_0000_0000,
        Space::Global | Space::Constant | Space::Generic => 0,
    }
}

/// Bytes of a named barrier of AMDGPU among the objects of LDS.
pub const BARRIER_BYTES: u64 = 16;

/// What an object holds when the kernel starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Data.
    #[default]
    Data,
    /// These bytes, which no agent changes.
    Bytes(Vec<u8>),
    /// Values of arguments and constants at these offsets in bytes, and how many bytes each has (a kernel argument segment).
    Pieces(Vec<(u32, u8, Operand)>),
}

/// A memory object. A declared named barrier of AMDGPU is one too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name in the text.
    pub name: String,
    /// Where the text declares it.
    pub place: Place,
    /// Its address space.
    pub space: Space,
    /// Its address in that space, in bytes. It is made up: comparisons of addresses of different objects give data.
    pub base: u64,
    /// Its size in bytes, if known; otherwise it reaches up to the next object of the space.
    pub size: Option<u64>,
    /// The size of its elements in bytes, if it is an array.
    pub element: Option<u64>,
    /// What it holds.
    pub content: Content,
    /// Whether it is an argument of the kernel that no agent writes through (`readonly`).
    pub read_only: bool,
    /// Whether it is an image, which OpenCL orders separately.
    pub image: bool,
    /// The ID of the named barrier that it is, if it is one; of an array, that of the first.
    pub barrier: Option<u8>,
}

impl Object {
    /// The name of the 64-bit object at an offset: an element, if there are elements of at least its size, otherwise the offset in
    /// bytes.
    #[must_use]
    pub fn part_name(&self, offset: u64, element: Option<u64>, hexadecimal: bool) -> String {
        let name = &self.name;
        let elements = element.filter(|&bytes| bytes >= 8 && offset.is_multiple_of(bytes));
        match (elements, offset) {
            (Some(bytes), _) => format!("{name}[{}]", offset / bytes),
            (None, 0) => name.clone(),
            (None, _) if hexadecimal => format!("{name}+{offset:#x}"),
            (None, _) => format!("{name}+{offset}"),
        }
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name in the text.
    pub name: String,
    /// Where the text declares it.
    pub place: Place,
    /// Its width in bits.
    pub width: u8,
    /// What the host passes.
    pub passed: Passed,
}

/// What the host passes as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// An integer that is not known. Every value that matters is judged.
    Integer,
    /// The address of an object.
    Object(ObjectId),
    /// Data, such as a floating-point number.
    Data,
}

/// Which part of the hardware performs an access, which decides the counter that shows it (AMDGPU machine code).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// Vector memory and LDS instructions.
    #[default]
    Vector,
    /// Scalar loads.
    Scalar,
    /// Asynchronous copies with a counter of their own (GFX12.5).
    Asynchronous,
    /// Copies of tiles by a descriptor.
    Tensor,
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The address of the first byte.
    pub address: Operand,
    /// Added to the address.
    pub offset: i64,
    /// The address space of the address.
    pub space: Space,
    /// The number of bytes of each lane.
    pub bytes: u32,
    /// How many times as many bytes it accesses, if that is not a constant.
    pub times: Option<Operand>,
    /// The registers that receive what is read, from the lowest address on; each takes as many bytes as its width.
    pub to: Vec<Reg>,
    /// What is written, from the lowest address on: values and their numbers of bytes.
    pub values: Vec<(Operand, u8)>,
    /// Whether it reads memory.
    pub reads: bool,
    /// Whether it writes memory.
    pub writes: bool,
    /// Its scope, if it is atomic: two atomic accesses do not race if the scope of each includes the agent of the other.
    pub atomic: Option<Scope>,
    /// Whether a copy of the work-group makes it, which its wait orders.
    pub copied: bool,
    /// Where the bytes go instead of registers, and in which address space: another memory (LDS-DMA, `cp.async`). The copy takes
    /// place asynchronously.
    pub copies_to: Option<(Operand, Space)>,
    /// Which part of the hardware performs it.
    pub engine: Engine,
    /// Whether it may be atomic, which machine code does not say: a conflict is possible at most.
    pub perhaps_atomic: bool,
    /// Whether the rest of the access is not known: it may touch any byte of the object.
    pub anywhere: bool,
}

impl Access {
    /// A read of a number of bytes.
    #[must_use]
    pub fn load(address: Operand, space: Space, bytes: u32, to: Vec<Reg>) -> Self {
        Self { reads: true, to, ..Self::none(address, space, bytes) }
    }

    /// A write of a number of bytes.
    #[must_use]
    pub fn store(address: Operand, space: Space, bytes: u32, values: Vec<(Operand, u8)>) -> Self {
        Self { writes: true, values, ..Self::none(address, space, bytes) }
    }

    /// An atomic read and write of a number of bytes, for all agents. Its result is data.
    #[must_use]
    pub fn atomic(address: Operand, space: Space, bytes: u32, to: Vec<Reg>) -> Self {
        Self {
            reads: true,
            writes: true,
            atomic: Some(Scope::System),
            to,
            ..Self::none(address, space, bytes)
        }
    }

    const fn none(address: Operand, space: Space, bytes: u32) -> Self {
        Self {
            address,
            offset: 0,
            space,
            bytes,
            times: None,
            to: Vec::new(),
            values: Vec::new(),
            reads: false,
            writes: false,
            atomic: None,
            copied: false,
            copies_to: None,
            engine: Engine::Vector,
            perhaps_atomic: false,
            anywhere: false,
        }
    }
}

/// Names an argument where an operand is wanted.
impl From<ArgumentId> for Operand {
    fn from(argument: ArgumentId) -> Self {
        Self::Argument(argument)
    }
}
