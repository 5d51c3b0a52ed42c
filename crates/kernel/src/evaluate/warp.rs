//! Conflicting accesses of the threads of one warp.
//!
//! A warp is one agent, so its threads are not judged against each other. PTX orders them only at a barrier, not by the
//! instruction that they share. A warp with conflicting accesses between two barriers keeps the verdict open.

use super::graph::Recorded;
use super::memory::{Objects, Spot};
use super::run::Run;
use crate::ir::{Access, Content, Machine, Place, Space};
use crate::value::Value;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use tidegate_model::operation::Action;
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::{Action as Ptx, Bar};
use tidegate_model::reach::successors;

/// Largest number of steps of the comparison; beyond it, the accesses count as conflicting.
const MOST_STEPS: u32 = 2_000_000;

/// What one lane accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    lane: u8,
    /// `None` is any object.
    object: Option<u32>,
    start: u64,
    end: u64,
    writes: bool,
    atomic: bool,
}

impl Touch {
    fn conflicts(self, other: Self) -> bool {
        let same = |one: u32| other.object.is_none_or(|other| other == one);
        self.lane != other.lane
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && self.object.is_none_or(same)
            && self.start < other.end
            && other.start < self.end
    }
}

/// Sets of accesses by number; equal sets have one number.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    sets: Vec<Vec<Touch>>,
    known: BTreeMap<Vec<Touch>, u32>,
    /// The set of the operation that is being evaluated.
    current: Option<u32>,
}

impl Touches {
    /// The set of the operation that was evaluated last, once.
    pub(crate) fn take(&mut self) -> Option<u32> {
        self.current.take()
    }

    fn set(&mut self, set: Vec<Touch>) {
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

    /// Whether lanes of two sets conflict.
    fn conflict(&self, one: u32, other: u32) -> bool {
        let [one, other] = [one, other].map(|set| &self.sets[set as usize]);
        one.iter().any(|touch| other.iter().any(|other| touch.conflicts(*other)))
    }
}

impl Run<'_> {
    /// Records which bytes each lane accesses, where lanes are threads of a warp.
    pub(super) fn touch(&self, access: &Access, address: &Value, to: Option<&Value>, mask: u64) {
        if self.world.module.machine != Machine::Nvidia || self.standing.lanes < 2 {
            return;
        }
        let mut set = Vec::new();
        for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
            let source = access.writes && to.is_none();
            set.extend(self.touched(access, (address, access.space), lane, source));
            if let Some(to) = to {
                set.extend(self.touched(access, (to, Space::Local), lane, true));
            }
        }
        self.world.touches.borrow_mut().set(set);
    }

    fn touched(
        &self,
        access: &Access,
        (address, space): (&Value, Space),
        lane: usize,
        writes: bool,
    ) -> Option<Touch> {
        let module = self.world.module;
        let spot = match address.known_in(lane) {
            Some(at) => {
                let (space, at) = Objects::resolve(space, at);
                if space == Space::Private {
                    return None;
                }
                self.world.objects.spot(module, space, at, address.origin)
            }
            None => Objects::unknown(module, space, address.origin),
        };
        let (object, start, end) = match spot {
            Spot::At(id, _) | Spot::In(id) if access.anywhere => (Some(id), 0, u64::MAX),
            Spot::At(id, at) => (Some(id), at, at + u64::from(access.bytes)),
            Spot::In(id) => (Some(id), 0, u64::MAX),
            Spot::Anywhere(Space::Private) | Spot::Nowhere => return None,
            Spot::Anywhere(_) => (None, 0, u64::MAX),
        };
        let fixed = |id: u32| {
            let object = &module.objects[id as usize];
            matches!(object.space, Space::Private | Space::Constant)
                || object.content != Content::Data
                || object.read_only && !writes
        };
        let touch = Touch { lane: lane as u8, object, start, end, writes, atomic: access.atomic };
        (!object.is_some_and(fixed)).then_some(touch)
    }
}

/// The places of two accesses of one warp that conflict without a barrier between them, if there are any.
pub(crate) fn unordered(made: &Recorded, touches: &Touches) -> Option<(Place, Place)> {
    let mut steps = MOST_STEPS;
    let mut compared: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    let place = |node: NodeId| made.places[node as usize];
    for (from, &set) in &made.touches {
        let (mut open, mut seen) = (alloc::vec![*from], BTreeSet::new());
        while let Some(node) = open.pop() {
            steps = steps.saturating_sub(1);
            if steps == 0 {
                return Some((place(*from), place(node)));
            }
            if let Some(&other) = made.touches.get(&node) {
                let conflict = || touches.conflict(set, other);
                if *compared.entry((set, other)).or_insert_with(conflict) {
                    return Some((place(*from), place(node)));
                }
            }
            if orders(&made.nodes[node as usize]) {
                continue;
            }
            let next = successors(&made.nodes[node as usize]).iter();
            open.extend(next.filter(|&&next| made.is_known(next) && seen.insert(next)));
        }
    }
    None
}

/// Whether a node orders all threads of a warp.
fn orders(node: &Node) -> bool {
    let Node::Operation { operation, .. } = node else { return false };
    let Action::Ptx(action, _) = operation.action else { return false };
    matches!(action, Ptx::Bar { kind: Bar::Sync | Bar::Red, .. })
}
