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
    /// Any of these: a 64-bit address, whose space the windows of [`window`] determine.
    Generic,
}

/// The generic address of byte 0 of another address space: `generic = window + address`.
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

/// The size in bytes of a named barrier of AMDGPU, which is an object in LDS.
pub const BARRIER_BYTES: u64 = 16;

/// The contents of an object when the kernel starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Data.
    #[default]
    Data,
    /// These bytes, which no agent changes.
    Bytes(Vec<u8>),
    /// Arguments and constants (a kernel argument segment): the offset in bytes, the size in bytes and the value of each.
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
    /// Its address in that space, in bytes. It is invented, so comparisons of addresses of different objects give data.
    pub base: u64,
    /// Its size in bytes; `None` if it is not known. The object then extends to the next one of the space.
    pub size: Option<u64>,
    /// The size of its elements in bytes, if it is an array.
    pub element: Option<u64>,
    /// Its contents.
    pub content: Content,
    /// Whether it is an argument of the kernel that no agent writes through (`readonly`).
    pub read_only: bool,
    /// Whether it is an image, which OpenCL orders separately.
    pub image: bool,
    /// The ID of the named barrier, or of the first one of an array; `None` if the object is not a barrier.
    pub barrier: Option<u8>,
}

impl Object {
    /// The name of the 64-bit object at an offset in bytes: an index, if the elements have at least 8 bytes, otherwise the
    /// offset.
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
    /// The value that the host passes.
    pub passed: Passed,
}

/// The kind of value that the host passes as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// An integer that is not known. The evaluation covers all its values.
    Integer,
    /// The address of an object.
    Object(ObjectId),
    /// Data, such as a floating-point number.
    Data,
}

/// The part of the hardware that performs an access. It decides which counter counts the access (AMDGPU machine code).
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
    /// The factor by which the number of bytes is multiplied; `None` for 1.
    pub times: Option<Operand>,
    /// The registers that receive the bytes read, from the lowest address on; each takes as many bytes as its width.
    pub to: Vec<Reg>,
    /// The values that are written, from the lowest address on, with their sizes in bytes.
    pub values: Vec<(Operand, u8)>,
    /// Whether it reads memory.
    pub reads: bool,
    /// Whether it writes memory.
    pub writes: bool,
    /// Its scope, if it is atomic: two atomic accesses do not race if the scope of each includes the agent of the other.
    pub atomic: Option<Scope>,
    /// Whether it is part of a work-group copy (OpenCL), which the wait for the copy orders.
    pub copied: bool,
    /// The destination of an asynchronous copy (LDS-DMA, `cp.async`) and its address space; `None` if the access is not a copy.
    pub copies_to: Option<(Operand, Space)>,
    /// Which part of the hardware performs it.
    pub engine: Engine,
    /// Whether it may be atomic, which machine code does not show. Its conflicts are then possible, not certain.
    pub perhaps_atomic: bool,
    /// Whether the accessed bytes are not known: it may access any byte of the object.
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

/// Converts an argument to an operand.
impl From<ArgumentId> for Operand {
    fn from(argument: ArgumentId) -> Self {
        Self::Argument(argument)
    }
}
