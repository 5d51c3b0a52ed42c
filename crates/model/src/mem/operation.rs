//! Operations on memory: accesses, fences, waits for counters, asynchronous copies and their marks.

/// Index of a declared memory in [`crate::program::Program::buffers`].
pub type BufferId = u16;

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Space {
    /// LDS: each workgroup has its own instance of a declared memory.
    Local,
    /// Global memory: one instance for all agents.
    Global,
}

/// A set of address spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spaces(u8);

impl Spaces {
    /// Every address space.
    pub const ALL: Self = Self(0b11);
    /// No address space.
    pub const NONE: Self = Self(0);

    /// The set with one more address space.
    #[must_use]
    pub const fn with(self, space: Space) -> Self {
        Self(self.0 | 1 << space as u8)
    }

    /// Whether the set contains the address space.
    #[must_use]
    pub const fn contains(self, space: Space) -> bool {
        self.0 >> space as u8 & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A declared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Buffer {
    /// Its address space.
    pub space: Space,
    /// Its size in bytes, at least 1.
    pub size: u32,
    /// Whether it is an image, which OpenCL orders separately; elsewhere it is like any other memory.
    pub image: bool,
    /// The CTA whose shared memory it is, where CTAs access shared memory of each other.
    pub owner: Option<u32>,
    /// The memory of which it is the instance of its owner; `None`: it is a memory by itself.
    pub instance_of: Option<BufferId>,
}

/// Bytes of a declared memory: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Range {
    /// The memory.
    pub buffer: BufferId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Range {
    /// An empty range at the start of this one; it overlaps no range.
    #[must_use]
    pub const fn emptied(self) -> Self {
        Self { start: 0, end: 0, ..self }
    }

    /// Whether both ranges contain a common byte of one memory.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.buffer == other.buffer && self.start < other.end && other.start < self.end
    }

    /// Whether it has all bytes of another one.
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        self.buffer == other.buffer && self.start <= other.start && other.end <= self.end
    }
}

/// One access of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Access {
    /// The bytes.
    pub range: Range,
    /// Whether it writes.
    pub write: bool,
}

impl Access {
    /// Whether both touch a common byte and one of them writes. Does not compare instances of LDS.
    #[must_use]
    pub const fn conflicts(self, other: Self) -> bool {
        (self.write || other.write) && self.range.overlaps(other.range)
    }
}

/// The scope of a fence: the agents in the same instance of the scope. Ordered from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // each is the scope of that name
pub enum Scope {
    Wavefront,
    Workgroup,
    Cluster,
    Agent,
    System,
}

/// A memory fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fence {
    /// Whether it releases earlier operations.
    pub release: bool,
    /// Whether it acquires for later operations.
    pub acquire: bool,
    /// Its scope.
    pub scope: Scope,
    /// Whether it orders each address space only separately (`one-as`).
    pub one_as: bool,
    /// The address spaces that it names.
    pub spaces: Spaces,
}

/// A counter of outstanding memory operations of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // each is the counter of that name
pub enum Counter {
    Vm,
    Exp,
    Lgkm,
    Vs,
    Load,
    Store,
    Ds,
    Km,
    Sample,
    Bvh,
    X,
    Async,
    Tensor,
}

impl Counter {
    /// Every counter.
    pub const ALL: [Self; 13] = [
        Self::Vm,
        Self::Exp,
        Self::Lgkm,
        Self::Vs,
        Self::Load,
        Self::Store,
        Self::Ds,
        Self::Km,
        Self::Sample,
        Self::Bvh,
        Self::X,
        Self::Async,
        Self::Tensor,
    ];

    /// Its name: `vmcnt`, `loadcnt`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vm => "vmcnt",
            Self::Exp => "expcnt",
            Self::Lgkm => "lgkmcnt",
            Self::Vs => "vscnt",
            Self::Load => "loadcnt",
            Self::Store => "storecnt",
            Self::Ds => "dscnt",
            Self::Km => "kmcnt",
            Self::Sample => "samplecnt",
            Self::Bvh => "bvhcnt",
            Self::X => "xcnt",
            Self::Async => "asynccnt",
            Self::Tensor => "tensorcnt",
        }
    }
}

/// For each counter, the largest value at which a wait returns; `None` if the wait ignores the counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waits([Option<u16>; Counter::ALL.len()]);

impl Waits {
    /// The same wait, which also waits until a counter is at most `most`.
    #[must_use]
    pub const fn with(mut self, counter: Counter, most: u16) -> Self {
        self.0[counter as usize] = Some(most);
        self
    }

    /// The largest value of the counter at which the wait returns, if it waits for it.
    #[must_use]
    pub const fn most(self, counter: Counter) -> Option<u16> {
        self.0[counter as usize]
    }

    /// Decodes the immediate of `s_waitcnt` on GFX6 to GFX10: vmcnt in bits 3:0 and 15:14, expcnt in bits 6:4, lgkmcnt
    /// in bits 13:8.
    #[must_use]
    pub const fn of_immediate(bits: u16) -> Self {
        Self([None; Counter::ALL.len()])
            .with(Counter::Vm, bits & 0xf | (bits >> 14 & 3) << 4)
            .with(Counter::Exp, bits >> 4 & 7)
            .with(Counter::Lgkm, bits >> 8 & 0x3f)
    }
}

/// A memory operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Memory {
    /// A non-atomic read.
    Load(Range),
    /// A non-atomic write.
    Store(Range),
    /// A fence.
    Fence(Fence),
    /// A wait for counters.
    Wait(Waits),
    /// Starts an asynchronous copy: a separate actor that reads one range and writes the other.
    Copy {
        /// The written range.
        to: Range,
        /// The read range.
        from: Range,
    },
    /// Appends an async mark to the sequence of the function body.
    Mark,
    /// Waits until at most this many marks of the sequence of the function body are outstanding.
    WaitMarks(u16),
    /// Enters a function body with its own marks or waits.
    Enter,
    /// Leaves that function body.
    Leave,
}

impl Memory {
    /// Whether it is asynchronous, including calls.
    #[must_use]
    pub const fn is_asynchronous(self) -> bool {
        matches!(
            self,
            Self::Copy { .. } | Self::Mark | Self::WaitMarks(_) | Self::Enter | Self::Leave
        )
    }

    /// The ranges that it reads and writes.
    #[must_use]
    pub const fn accesses(self) -> (Option<Range>, Option<Range>) {
        match self {
            Self::Load(range) => (Some(range), None),
            Self::Store(range) => (None, Some(range)),
            Self::Copy { to, from } => (Some(from), Some(to)),
            _ => (None, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_overlap_by_bytes() {
        let range = |start, end| Range { buffer: 0, start, end };
        assert!(range(0, 4).overlaps(range(3, 8)));
        assert!(!range(0, 4).overlaps(range(4, 8)));
        assert!(!range(0, 4).overlaps(Range { buffer: 1, ..range(0, 4) }));
    }

    #[test]
    fn the_immediate_of_s_waitcnt() {
        let all = Waits::of_immediate(0);
        assert_eq!(
            [Counter::Vm, Counter::Exp, Counter::Lgkm].map(|counter| all.most(counter)),
            [Some(0); 3]
        );
        // vmcnt(1) expcnt(7) lgkmcnt(0)
        let some = Waits::of_immediate(0x71);
        assert_eq!((some.most(Counter::Vm), some.most(Counter::Exp)), (Some(1), Some(7)));
        assert_eq!((some.most(Counter::Lgkm), some.most(Counter::Vs)), (Some(0), None));
    }

    #[test]
    fn sets_of_address_spaces() {
        let local = Spaces::default().with(Space::Local);
        assert!(local.contains(Space::Local) && !local.contains(Space::Global));
        assert_eq!(local.with(Space::Global), Spaces::ALL);
    }
}
