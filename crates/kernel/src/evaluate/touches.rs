//! The bytes that the threads of a warp access.

use super::offsets::Shift;
use crate::hash::WordHasher;
use crate::value::WARP;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::hash::{Hash, Hasher};
use tidegate_model::ordered::OrderedSet;

/// The maximum number of comparisons of two accesses in a search for conflicting sets.
const MOST_COMPARISONS: usize = 1 << 20;

/// A value that all lanes store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stored {
    /// The number, for the values of the arguments with which the agent is evaluated.
    pub(super) number: u64,
    /// Its bytes; a store of more bytes repeats it.
    pub(super) bytes: u32,
    /// How it is computed from arguments; 0 if it does not depend on them.
    pub(super) term: u64,
}

/// An access of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// If data are stored: lanes with the same number here store the same in one execution of the instruction.
    pub(super) class: Option<u8>,
    /// The number of the shift by which arguments move it: see [`Touches::shift`].
    pub(super) shift: u32,
}

impl Touch {
    /// Whether both store the same number to the same bytes.
    fn is_same_store(self, other: Self) -> bool {
        Self { lane: 0, ..self } == Self { lane: 0, ..other }
    }

    /// Whether accesses of two lanes conflict. `at_once` says that one execution of an instruction performs both.
    fn conflicts(self, other: Self, at_once: bool) -> bool {
        let is_same = self.number.is_some() || at_once && self.class.is_some();
        let same = |one| other.object.is_none_or(|other| other == one);
        self.lane != other.lane
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(is_same && self.is_same_store(other))
            && self.object.is_none_or(same)
            && self.start < other.end
            && other.start < self.end
    }
}

/// No argument moves an access.
const NONE: &Shift = &Vec::new();

/// For each lane, the lanes whose accesses conflict with its own.
pub(super) type Against = [u32; WARP];

/// Results for two sets, by their numbers and whether one execution of an instruction performs both.
type Compared = (BTreeMap<u64, u32>, Vec<Option<Box<Against>>>);

/// The bounds of all accesses of a set.
#[derive(Clone, Copy)]
struct Extent {
    /// The object, if there is only one.
    object: Option<(u32, Option<u32>)>,
    start: u64,
    end: u64,
    writes: bool,
}

impl Extent {
    fn of(set: &[Touch]) -> Self {
        let first = set.first().and_then(|touch| touch.object);
        let one = set.iter().all(|touch| touch.object == first);
        Self {
            object: first.filter(|_| one),
            start: set.iter().map(|touch| touch.start).min().unwrap_or(0),
            end: set.iter().map(|touch| touch.end).max().unwrap_or(0),
            writes: set.iter().any(|touch| touch.writes),
        }
    }

    fn may_conflict(self, other: Self) -> bool {
        let apart = self.object.zip(other.object).is_some_and(|(one, other)| one != other);
        !apart && (self.writes || other.writes) && self.start < other.end && other.start < self.end
    }
}

/// Sets of accesses by number; equal sets have one number.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    pub(super) sets: Vec<Vec<Touch>>,
    /// The number of each set by its hash, or by a larger number if sets have the same hash.
    known: BTreeMap<u64, u32>,
    /// The set of the operation that is being evaluated.
    pub(super) current: Option<u32>,
    /// The lanes that perform each of its parts.
    pub(super) lanes: Vec<u32>,
    /// For each part of a store, the value that all lanes store; `None` if it is not known.
    pub(super) stored: Vec<Option<Stored>>,
    /// The cached results of [`Self::against`].
    compared: RefCell<Compared>,
    /// The shifts by which arguments move accesses, by number.
    shifts: Vec<Shift>,
}

impl Touches {
    /// Takes the set of the operation that was evaluated last.
    pub(crate) fn take(&mut self) -> Option<u32> {
        self.current.take()
    }

    /// Starts an operation of which nothing is known yet.
    pub(crate) fn clear(&mut self) {
        self.current = None;
        self.stored.clear();
        self.lanes.clear();
    }

    /// The number of a shift; 0 if arguments do not move the access.
    pub(super) fn number(&mut self, shift: Shift) -> u32 {
        if shift.is_empty() {
            return 0;
        }
        let known = self.shifts.iter().position(|known| *known == shift);
        1 + known.unwrap_or_else(|| {
            self.shifts.push(shift);
            self.shifts.len() - 1
        }) as u32
    }

    /// The shift with a number.
    fn shift(&self, number: u32) -> &Shift {
        number.checked_sub(1).map_or(NONE, |at| &self.shifts[at as usize])
    }

    /// The sets with an access that may move towards an access in any of the sets, and would conflict with it. `may_overlap` says
    /// whether two shifts of accesses to an object allow that.
    pub(super) fn moving(
        &self,
        sets: &OrderedSet<u32>,
        may_overlap: impl Fn(u32, [&Shift; 2]) -> bool,
    ) -> Vec<u32> {
        let ways = |set: &u32| {
            let all = self.sets[*set as usize].iter();
            all.filter_map(|one| Some((one.object?.0, one.shift, one.writes, one.atomic)))
        };
        let mut all: Vec<(u32, u32, bool, bool)> = Vec::new();
        for one in sets.iter().flat_map(ways) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        let overlaps = |one: &(u32, u32, bool, bool)| {
            all.iter().any(|other| {
                one.0 == other.0
                    && (one.2 || other.2)
                    && !(one.3 && other.3)
                    && may_overlap(one.0, [one.1, other.1].map(|number| self.shift(number)))
            })
        };
        let moving: Vec<(u32, u32, bool, bool)> =
            all.iter().copied().filter(|one| overlaps(one)).collect();
        if moving.is_empty() {
            return Vec::new();
        }
        sets.iter().copied().filter(|set| ways(set).any(|one| moving.contains(&one))).collect()
    }

    /// For each lane of a set, the lanes whose accesses in another set may move towards its own and would conflict with it;
    /// `None` if there are none. `may_overlap` says whether two shifts of accesses to an object allow that.
    pub(super) fn moved(
        &self,
        [one, other]: [u32; 2],
        may_overlap: impl Fn(u32, [&Shift; 2]) -> bool,
    ) -> Option<Against> {
        let [one, other] = [one, other].map(|set| &self.sets[set as usize]);
        let mut against = [0; WARP];
        for touch in one {
            let conflicts = |other: &&Touch| {
                let shifts = [touch.shift, other.shift].map(|number| self.shift(number));
                let anywhere = Touch { start: 0, end: u64::MAX, ..**other };
                touch.object == other.object
                    && touch.conflicts(anywhere, false)
                    && touch.object.is_some_and(|(object, _)| may_overlap(object, shifts))
            };
            for other in other.iter().filter(conflicts) {
                against[usize::from(touch.lane) % WARP] |= 1 << (other.lane % WARP as u8);
            }
        }
        (against != [0; WARP]).then_some(against)
    }

    pub(super) fn set(&mut self, set: Vec<Touch>) {
        if set.is_empty() {
            return;
        }
        let mut hasher = WordHasher::new();
        set.hash(&mut hasher);
        let mut key = hasher.finish();
        let number = loop {
            let number = *self.known.entry(key).or_insert(self.sets.len() as u32);
            match self.sets.get(number as usize) {
                Some(known) if *known != set => key = key.wrapping_add(1),
                Some(_) => break number,
                None => {
                    self.sets.push(set);
                    break number;
                }
            }
        };
        self.current = Some(number);
    }

    /// The values that all lanes store in the parts of the operation that was evaluated last.
    pub(crate) fn stored(&mut self) -> Vec<Option<Stored>> {
        core::mem::take(&mut self.stored)
    }

    /// The lanes that perform each operation of the instruction that was evaluated last.
    pub(crate) fn performed(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.lanes)
    }

    /// The sets in which an access of a lane conflicts with an access of another lane in any of the sets. All sets, if there is
    /// too much to compare or an object is not known.
    pub(super) fn conflicting(&self, sets: impl Iterator<Item = u32>) -> OrderedSet<u32> {
        let sets: OrderedSet<u32> = sets.collect();
        let of = |&set: &u32| self.sets[set as usize].iter().map(move |touch| (*touch, set));
        let mut touches: Vec<(Touch, u32)> = sets.iter().flat_map(of).collect();
        if touches.iter().any(|(touch, _)| touch.object.is_none()) {
            return sets;
        }
        touches.sort_unstable_by_key(|(touch, set)| (touch.object, touch.start, *set));
        let mut found = OrderedSet::new();
        let mut open: Vec<(Touch, u32)> = Vec::new();
        let mut left = MOST_COMPARISONS;
        for (touch, set) in touches {
            open.retain(|(other, _)| other.object == touch.object && other.end > touch.start);
            let Some(rest) = left.checked_sub(open.len()) else { return sets };
            left = rest;
            for (other, others) in &open {
                if touch.conflicts(*other, false) {
                    found.extend([set, *others]);
                }
            }
            open.push((touch, set));
        }
        found
    }

    /// For each lane of a set, the lanes whose accesses in another one conflict with its own; `None` if there are none. `at_once`
    /// says that one execution of an instruction performs both.
    pub(super) fn against(&self, one: u32, other: u32, at_once: bool) -> Option<Against> {
        let (numbers, found) = &mut *self.compared.borrow_mut();
        let key = u64::from(one) << 32 | u64::from(other) << 1 | u64::from(at_once);
        let number = *numbers.entry(key).or_insert(found.len() as u32) as usize;
        if number == found.len() {
            found.push(self.compare(one, other, at_once));
        }
        found[number].as_deref().copied()
    }

    fn compare(&self, one: u32, other: u32, at_once: bool) -> Option<Box<Against>> {
        let [one, other] = [one, other].map(|set| &self.sets[set as usize]);
        if !Extent::of(one).may_conflict(Extent::of(other)) {
            return None;
        }
        let mut against = [0; WARP];
        for touch in one {
            for other in other.iter().filter(|other| touch.conflicts(**other, at_once)) {
                against[usize::from(touch.lane) % WARP] |= 1 << (other.lane % WARP as u8);
            }
        }
        (against != [0; WARP]).then(|| Box::new(against))
    }
}
