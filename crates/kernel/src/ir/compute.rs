//! Computation.

/// A value that the launch gives to an agent or lane. The unit of sizes is one work-item or workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// The number of the work-item in its workgroup, by dimension 0 to 2.
    Thread(u8),
    /// The number of the workgroup, by dimension.
    Group(u8),
    /// The number of work-items of a workgroup, by dimension.
    Threads(u8),
    /// The number of workgroups, by dimension.
    Groups(u8),
    /// The number of work-items of the whole launch, by dimension.
    AllThreads(u8),
    /// The number of the workgroup in its cluster, by dimension.
    GroupInCluster(u8),
    /// The number of workgroups of a cluster, by dimension.
    GroupsOfCluster(u8),
    /// The number of the cluster, by dimension.
    Cluster(u8),
    /// The number of clusters, by dimension.
    Clusters(u8),
    /// The number of the workgroup in its cluster, in one dimension.
    RankInCluster,
    /// The number of workgroups of a cluster, in one dimension.
    RanksOfCluster,
    /// The number of dimensions of the launch.
    Dimensions,
    /// The number of the lane in its wave, warp or sub-group.
    Lane,
    /// The number of lanes of a wave.
    Lanes,
    /// The number of the wave in its workgroup.
    Wave,
    /// The number of waves of a workgroup.
    Waves,
    /// The mask of the active lanes.
    ActiveMask,
    /// The work-item ids of the three dimensions in one value, ten bits each (the packed `v0` of AMDGPU).
    PackedThread,
}

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is the predicate of LLVM with that name
pub enum Comparison {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// An operation on integers of the width of its result, unless it says otherwise. It wraps around.
///
/// Operands are registers of the same width; where a register is wider it is truncated, where it is narrower it is
/// zero-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// The operand itself, truncated or zero-extended.
    Copy,
    /// Sign-extends the operand from this many bits.
    SignExtend(u8),
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product, low half.
    Mul,
    /// High half of the unsigned product of two integers of this width.
    MulHighUnsigned,
    /// High half of the signed product.
    MulHighSigned,
    /// Unsigned quotient. Division by zero gives data.
    DivUnsigned,
    /// Signed quotient.
    DivSigned,
    /// Unsigned remainder.
    RemUnsigned,
    /// Signed remainder.
    RemSigned,
    /// Shift left. A shift by the width or more gives 0.
    Shl,
    /// Logical shift right.
    ShrUnsigned,
    /// Arithmetic shift right.
    ShrSigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise complement.
    Not,
    /// Unsigned minimum.
    MinUnsigned,
    /// Unsigned maximum.
    MaxUnsigned,
    /// Signed minimum.
    MinSigned,
    /// Signed maximum.
    MaxSigned,
    /// Bits of operand 0. Operand 1 is the position of the lowest bit, operand 2 the number of bits.
    ExtractUnsigned,
    /// As `ExtractUnsigned`, sign-extended.
    ExtractSigned,
    /// Operand 0 with low bits of operand 1 inserted. Operand 2 is the position, operand 3 the number of bits.
    Insert,
    /// Operand 0 is the low half, operand 1 the high half of the result.
    Concat,
    /// The two operands concatenated (operand 0 high) and shifted right by operand 2: the low half (`alignbit`, `shf.r`).
    Funnel,
    /// The number of set bits.
    CountOnes,
    /// The number of leading zeros.
    CountLeadingZeros,
    /// The number of trailing zeros.
    CountTrailingZeros,
    /// The bits in reverse order.
    Reverse,
    /// Any function of three bits, by its truth table (`lop3`, `bitop3`).
    Logic(u8),
    /// Selects bytes of operands 0 (bytes 0 to 3) and 1 (bytes 4 to 7) by the nibbles of operand 2 (`prmt`).
    Permute,
    /// Compares operands 0 and 1, which have this width; the result has 1 bit.
    Compare(Comparison, u8),
    /// Operand 1 where operand 0 (1 bit) is true, otherwise operand 2.
    Select,
    /// The carry of the sum of operands 0, 1 and 2 (1 bit), of this width; the result has 1 bit.
    Carry(u8),
    /// The borrow of operand 0 minus operand 1 minus operand 2 (1 bit), of this width; the result has 1 bit.
    Borrow(u8),
    /// The value of operand 0 in the first active lane, in all lanes.
    ReadFirst,
    /// The value of operand 0 in the lane that operand 1 names, in all lanes.
    ReadLane,
    /// Operand 0, with operand 1 in the lane that operand 2 names.
    WriteLane,
    /// The mask of the active lanes in which operand 0 (1 bit) is true, in all lanes.
    Ballot,
    /// The bit of operand 0, a mask, that belongs to the lane; the result has 1 bit.
    LaneBit,
    /// Operand 0 of the lane whose number is operand 1 of the own lane (`shfl.idx`, `ds_bpermute`).
    Shuffle,
    /// The number of set bits of operand 0 below the lane, plus operand 1 (`mbcnt` of both halves).
    CountBelow,
    /// Whether the lane is the first active one; the result has 1 bit (`elect.sync`).
    Elect,
    /// A function of the operands that is not modelled, with a number that identifies it. The result is data. If the function
    /// is symmetric, the order of operands 0 and 1 does not matter.
    Function(u32, bool),
    /// A symmetric function of operand 0 and of operand 0 in the lane whose number is operand 1.
    Exchange(Symmetric),
}

/// A function of two operands whose order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is the operation with that name
pub enum Symmetric {
    Add,
    Mul,
    And,
    Or,
    Xor,
    MinUnsigned,
    MaxUnsigned,
    MinSigned,
    MaxSigned,
    Function(u32),
}

impl Symmetric {
    /// The symmetric function of an operation; `None` if it has none.
    #[must_use]
    pub const fn of(op: Op) -> Option<Self> {
        Some(match op {
            Op::Add => Self::Add,
            Op::Mul => Self::Mul,
            Op::And => Self::And,
            Op::Or => Self::Or,
            Op::Xor => Self::Xor,
            Op::MinUnsigned => Self::MinUnsigned,
            Op::MaxUnsigned => Self::MaxUnsigned,
            Op::MinSigned => Self::MinSigned,
            Op::MaxSigned => Self::MaxSigned,
            Op::Function(number, true) => Self::Function(number),
            _ => return None,
        })
    }

    /// The operation that computes it.
    #[must_use]
    pub const fn op(self) -> Op {
        match self {
            Self::Add => Op::Add,
            Self::Mul => Op::Mul,
            Self::And => Op::And,
            Self::Or => Op::Or,
            Self::Xor => Op::Xor,
            Self::MinUnsigned => Op::MinUnsigned,
            Self::MaxUnsigned => Op::MaxUnsigned,
            Self::MinSigned => Op::MinSigned,
            Self::MaxSigned => Op::MaxSigned,
            Self::Function(number) => Op::Function(number, true),
        }
    }
}
