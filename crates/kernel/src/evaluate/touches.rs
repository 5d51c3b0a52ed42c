//! The bytes that the threads of a warp access.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Threads of a warp.
pub(super) const WARP: usize = 32;

/// What one lane accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    pub(super) lane: u8,
    /// An object, with its workgroup where instances of local objects are distinct memories; `None` is any object.
    pub(super) object: Option<(u32, Option<u32>)>,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) writes: bool,
    pub(super) atomic: bool,
    /// The number that is stored, if it is known.
    pub(super) number: Option<u64>,
}

impl Touch {
    /// Whether both store the same number to the same bytes.
    fn is_same_store(self, other: Self) -> bool {
        Self { lane: 0, ..self } == Self { lane: 0, ..other }
    }

    fn conflicts(self, other: Self) -> bool {
        let same = |one| other.object.is_none_or(|other| other == one);
        self.lane != other.lane
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(self.number.is_some() && self.is_same_store(other))
            && self.object.is_none_or(same)
            && self.start < other.end
            && other.start < self.end
    }
}

/// Sets of accesses by number; equal sets have one number.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    pub(super) sets: Vec<Vec<Touch>>,
    known: BTreeMap<Vec<Touch>, u32>,
    /// The set of the operation that is being evaluated.
    pub(super) current: Option<u32>,
    /// The lanes that perform each of its parts.
    pub(super) lanes: Vec<u32>,
    /// The number that all lanes store, and its bytes.
    pub(super) number: Option<(u64, u32)>,
}

impl Touches {
    /// The set of the operation that was evaluated last, once.
    pub(crate) fn take(&mut self) -> Option<u32> {
        self.current.take()
    }

    /// Nothing is known of the operation that is being evaluated.
    pub(crate) fn clear(&mut self) {
        (self.current, self.number) = (None, None);
        self.lanes.clear();
    }

    pub(super) fn set(&mut self, set: Vec<Touch>) {
        if set.is_empty() {
            return;
        }
        let number = self.sets.len() as u32;
        let number = *self.known.entry(set.clone()).or_insert(number);
        if number as usize == self.sets.len() {
            self.sets.push(set);
        }
        self.current = Some(number);
    }

    /// The number that all lanes store in the operation that was evaluated last, if it is one.
    pub(crate) const fn stored(&mut self) -> Option<(u64, u32)> {
        self.number.take()
    }

    /// The lanes that perform each operation of the instruction that was evaluated last.
    pub(crate) fn performed(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.lanes)
    }

    /// For each lane of a set, the lanes whose accesses in another one conflict with its own; `None` if there are none.
    pub(super) fn against(&self, one: u32, other: u32) -> Option<[u32; WARP]> {
        let [one, other] = [one, other].map(|set| &self.sets[set as usize]);
        let mut against = [0; WARP];
        for touch in one {
            for other in other.iter().filter(|other| touch.conflicts(**other)) {
                against[usize::from(touch.lane) % WARP] |= 1 << (other.lane % WARP as u8);
            }
        }
        (against != [0; WARP]).then_some(against)
    }
}
