//! Operations of OpenCL C++: one step of one work-item. Operands are values.

use crate::hash::Fnv;
use crate::mem::operation::{Buffer, Space};
use core::hash::{Hash, Hasher};

/// The flags of a barrier (`mem_fence`): the address spaces that it orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Flags(u8);

impl Flags {
    /// `mem_fence::local`
    pub const LOCAL: Self = Self(1);
    /// `mem_fence::global`
    pub const GLOBAL: Self = Self(2);
    /// `mem_fence::image`
    pub const IMAGE: Self = Self(4);
    /// What copies of the work-group have accessed: the flag of `wait_group_events`.
    pub const COPIES: Self = Self(8);

    /// The flags of a number; bits above the fourth are dropped.
    #[must_use]
    pub const fn new(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// Both flags.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of the other flags is set.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the image flag is set.
    #[must_use]
    pub const fn image(self) -> bool {
        self.intersects(Self::IMAGE)
    }

    /// Whether nothing is ordered.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The flag that a memory is ordered by.
    #[must_use]
    pub const fn of(buffer: Buffer) -> Self {
        match (buffer.image, buffer.space) {
            (true, _) => Self::IMAGE,
            (false, Space::Local) => Self::LOCAL,
            (false, Space::Global) => Self::GLOBAL,
        }
    }
}

/// The scope of a barrier (`memory_scope`), from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Scope {
    /// `memory_scope_work_item`
    WorkItem,
    /// `memory_scope_sub_group`
    SubGroup,
    /// `memory_scope_work_group`
    WorkGroup,
    /// `memory_scope_device`
    Device,
    /// `memory_scope_all_svm_devices`
    AllDevices,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] =
        [Self::WorkItem, Self::SubGroup, Self::WorkGroup, Self::Device, Self::AllDevices];
}

/// The scope of an order, if it is wider than the work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Reach {
    /// To the sub-group.
    SubGroup,
    /// To the work-group. No barrier synchronises two work-groups, so a wider scope has no further effect.
    WorkGroup,
}

/// The arguments of a barrier call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Arguments {
    /// The address spaces that it orders.
    pub flags: Flags,
    /// Its scope.
    pub scope: Scope,
    /// Whether the scope is written, or the default.
    pub given: bool,
    /// The other arguments, by [`Self::identify`], of a call that all work-items must make with the same ones: an
    /// asynchronous copy, a wait for copies, a function of the group. 0 for a barrier.
    pub others: u32,
}

impl Arguments {
    /// A hash of values, never 0; 0 if there are none.
    #[must_use]
    pub fn identify(values: impl IntoIterator<Item: Hash>) -> u32 {
        let mut hash = Fnv::new();
        let count = values.into_iter().map(|value| value.hash(&mut hash)).count();
        if count == 0 { 0 } else { hash.finish() as u32 | 1 }
    }

    /// The scope at which accesses to memory of a flag are ordered; `None` if they are not. Local memory is always ordered for
    /// the work-group, independent of the scope.
    #[must_use]
    pub fn reach(self, memory: Flags) -> Option<Reach> {
        if memory.intersects(Flags::COPIES) && self.flags.intersects(Flags::COPIES) {
            Some(Reach::WorkGroup)
        } else if !self.flags.intersects(memory) {
            None
        } else if memory.intersects(Flags::LOCAL) || self.scope >= Scope::WorkGroup {
            Some(Reach::WorkGroup)
        } else {
            (self.scope == Scope::SubGroup).then_some(Reach::SubGroup)
        }
    }
}

/// A dynamic instance of a call. Two work-items execute the same instance only if all fields are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instance {
    /// The call in the scenario, and the function calls that lead to it.
    pub site: u32,
    /// The iterations of the loops around it and around those calls, as far as work-items can differ in them.
    pub round: u32,
}

/// Whose barrier it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Group {
    /// The work-group's.
    Work,
    /// The sub-group's.
    Sub,
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// `work_group_barrier` and `sub_group_barrier`.
    Barrier {
        /// Whose.
        group: Group,
        /// Flags and scope.
        arguments: Arguments,
        /// Its dynamic instance.
        at: Instance,
    },
    /// The constructor of a `work_group_named_barrier`.
    Construct {
        /// The declaration, by number.
        object: u16,
        /// Sub-groups of a phase.
        count: u32,
        /// Its dynamic instance.
        at: Instance,
    },
    /// `wait` on a named barrier.
    Wait {
        /// The declaration, by number.
        object: u16,
        /// Flags and scope.
        arguments: Arguments,
        /// Its dynamic instance.
        at: Instance,
    },
    /// `intel_work_group_barrier_arrive`.
    Arrive {
        /// Flags and scope.
        arguments: Arguments,
        /// Its dynamic instance.
        at: Instance,
    },
    /// `intel_work_group_barrier_wait`.
    Await {
        /// Flags and scope.
        arguments: Arguments,
        /// Its dynamic instance.
        at: Instance,
    },
}

impl Action {
    /// Whether it is a barrier of the whole work-group.
    #[must_use]
    pub const fn is_of_work_group(self) -> bool {
        matches!(self, Self::Barrier { group: Group::Work, .. })
    }

    /// Flags and scope, if it has any.
    #[must_use]
    pub const fn arguments(self) -> Option<Arguments> {
        match self {
            Self::Barrier { arguments, .. }
            | Self::Wait { arguments, .. }
            | Self::Arrive { arguments, .. }
            | Self::Await { arguments, .. } => Some(arguments),
            Self::Construct { .. } => None,
        }
    }

    /// Its instance.
    #[must_use]
    pub const fn instance(self) -> Instance {
        match self {
            Self::Barrier { at, .. }
            | Self::Construct { at, .. }
            | Self::Wait { at, .. }
            | Self::Arrive { at, .. }
            | Self::Await { at, .. } => at,
        }
    }

    /// Whether it blocks its work-item until others arrive.
    #[must_use]
    pub const fn gathers(self) -> bool {
        matches!(self, Self::Barrier { .. } | Self::Wait { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_memory_is_ordered_for_the_work_group() {
        for scope in Scope::ALL {
            let arguments = Arguments { flags: Flags::new(3), scope, given: true, others: 0 };
            assert_eq!(arguments.reach(Flags::LOCAL), Some(Reach::WorkGroup));
            assert_eq!(arguments.reach(Flags::IMAGE), None);
            let global = match scope {
                Scope::WorkItem => None,
                Scope::SubGroup => Some(Reach::SubGroup),
                _ => Some(Reach::WorkGroup),
            };
            assert_eq!(arguments.reach(Flags::GLOBAL), global);
        }
    }
}
