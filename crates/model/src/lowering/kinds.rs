//! Memory operations that a wave may have outstanding, by kind, and the instructions that wait for them.

use super::instruction::Instruction;
use crate::mem::operation::{Counter, Waits};
use crate::operation::Mnemonic;
use crate::target::{Counters, Target};
use alloc::vec::Vec;
use core::ops::BitOr;

/// A set of kinds of memory operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// None.
    pub const NONE: Self = Self(0);
    /// Loads of global memory.
    pub const LOADS: Self = Self(1);
    /// Stores to global memory.
    pub const STORES: Self = Self(2);
    /// Accesses to LDS.
    pub const LOCAL: Self = Self(4);
    /// Exports, and stores whose data has not been read yet.
    pub const EXPORTS: Self = Self(8);
    /// Everything.
    pub const ALL: Self = Self(15);

    /// Whether the sets have a common kind.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The kinds of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The kinds without outstanding operations once these counters have the values waited for.
#[must_use]
pub fn drained_by(waits: Waits, target: &Target) -> Kinds {
    let zero = |counter| waits.most(counter) == Some(0);
    let stores = target.counters == Counters::Waitcnt && zero(Counter::Vm);
    let found = [
        (Kinds::LOADS, zero(Counter::Vm) || zero(Counter::Load)),
        (Kinds::STORES, stores || zero(Counter::Vs) || zero(Counter::Store)),
        (Kinds::LOCAL, zero(Counter::Lgkm) || zero(Counter::Ds)),
        (Kinds::EXPORTS, zero(Counter::Exp)),
    ];
    found.into_iter().filter(|(_, is)| *is).fold(Kinds::NONE, |set, (kind, _)| set | kind)
}

/// The waits until nothing of these kinds is outstanding.
#[must_use]
pub fn waits(kinds: Kinds, target: &Target) -> Vec<Instruction> {
    match target.counters {
        Counters::Waitcnt => joint(kinds, kinds.meets(Kinds::LOADS | Kinds::STORES)),
        Counters::WaitcntVscnt => {
            let mut waits = joint(kinds, kinds.meets(Kinds::LOADS));
            if kinds.meets(Kinds::STORES) {
                waits.push(Instruction::WaitFor(Mnemonic::SWaitcntVscnt, 0));
            }
            waits
        }
        Counters::Split | Counters::SplitAsync => split(kinds),
        Counters::None | Counters::All => Vec::new(),
    }
}

fn joint(kinds: Kinds, vm: bool) -> Vec<Instruction> {
    let counters = [
        (Counter::Vm, vm),
        (Counter::Exp, kinds.meets(Kinds::EXPORTS)),
        (Counter::Lgkm, kinds.meets(Kinds::LOCAL)),
    ];
    let waits = counters
        .into_iter()
        .filter(|(_, waits)| *waits)
        .fold(Waits::default(), |waits, (counter, _)| waits.with(counter, 0));
    (waits != Waits::default()).then_some(Instruction::Waitcnt(waits)).into_iter().collect()
}

fn split(kinds: Kinds) -> Vec<Instruction> {
    let has = |kind| kinds.meets(kind);
    let waits: &[Mnemonic] = match (has(Kinds::LOADS), has(Kinds::STORES), has(Kinds::LOCAL)) {
        (false, false, false) => &[],
        (true, false, false) => &[Mnemonic::SWaitLoadcnt],
        (false, true, false) => &[Mnemonic::SWaitStorecnt],
        (false, false, true) => &[Mnemonic::SWaitDscnt],
        (true, true, false) => &[Mnemonic::SWaitLoadcnt, Mnemonic::SWaitStorecnt],
        (true, false, true) => &[Mnemonic::SWaitLoadcntDscnt],
        (false, true, true) => &[Mnemonic::SWaitStorecntDscnt],
        (true, true, true) => &[Mnemonic::SWaitStorecnt, Mnemonic::SWaitLoadcntDscnt],
    };
    waits.iter().map(|&mnemonic| Instruction::WaitFor(mnemonic, 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::TargetId;

    fn on(target: &str, kinds: Kinds) -> Vec<Instruction> {
        waits(kinds, TargetId::from_name(target).unwrap().get())
    }

    #[test]
    fn stores_have_a_counter_of_their_own_since_gfx10() {
        let vm = Instruction::Waitcnt(Waits::default().with(Counter::Vm, 0));
        assert_eq!(on("gfx900", Kinds::STORES), [vm]);
        assert_eq!(
            on("gfx1030", Kinds::STORES),
            [Instruction::WaitFor(Mnemonic::SWaitcntVscnt, 0)]
        );
        assert_eq!(
            on("gfx1200", Kinds::STORES),
            [Instruction::WaitFor(Mnemonic::SWaitStorecnt, 0)]
        );
    }

    #[test]
    fn every_wait_exists_on_the_targets_that_use_it() {
        for id in TargetId::all() {
            for kinds in 0..16 {
                for wait in waits(Kinds(kinds), id.get()) {
                    let mnemonic = match wait {
                        Instruction::Waitcnt(_) => Mnemonic::SWaitcnt,
                        Instruction::WaitFor(mnemonic, _) => mnemonic,
                        other => panic!("{other:?}"),
                    };
                    assert!(id.get().has(mnemonic), "{} {mnemonic:?}", id.get().name);
                }
            }
        }
    }
}
