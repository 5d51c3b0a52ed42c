//! Phases, found by counting through a *barrier-modification-order*.
//!
//! `amdgpu-execution-synchronization`, "Barrier-participates-in": the operations that participate in a wait are an interval
//! of the order from arrive count zero to completion, without a completion inside. The start of a phase among the drops
//! before its first arrive is ambiguous (reading `amd.A10`), so these drops are stored separately.

use super::event::{Event, Kind};
use super::relation::{Events, one};
use super::text::Text;
use crate::barrier::{Effect, Modification};
use crate::instance::InstanceId;
use alloc::vec::Vec;

/// A completed phase: its operations, in *barrier-modification-order*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The object.
    pub instance: InstanceId,
    /// Its number among the completed phases of the object, from 0.
    pub number: usize,
    /// Drops before the first arrive, in order.
    pub leading: Vec<usize>,
    /// The first arrive and everything after it, as a set.
    pub rest: Events,
    /// The operation that completes it.
    pub last: usize,
}

impl Phase {
    /// All operations that can participate.
    #[must_use]
    pub fn all(&self) -> Events {
        self.leading.iter().fold(self.rest, |set, &event| set | one(event))
    }
}

/// The operations that participate in one wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The wait.
    pub wait: usize,
    /// The operations that participate in it.
    pub set: Events,
    /// The number of the phase of its object, from 0.
    pub phase: usize,
}

/// An operation as a modification of an object's counts; `None` if it modifies none.
#[must_use]
pub const fn modification(kind: Kind) -> Option<Modification> {
    match kind {
        Kind::Init(expected) => Some(Modification::Init(expected)),
        Kind::Arrive(expected) => Some(Modification::Arrive(expected)),
        Kind::Drop => Some(Modification::Drop),
        Kind::Wait | Kind::Join => None,
    }
}

/// The completed phases of an object, from its *barrier-modification-order*. Operations after an undefined modification are in no phase.
#[must_use]
pub fn phases(
    (events, order): (&[Event], &[usize]),
    text: &Text,
    instance: InstanceId,
) -> Vec<Phase> {
    let mut phases = Vec::new();
    let (mut leading, mut rest) = (Vec::new(), 0);
    let mut barrier = text.launched(instance);
    for &event in order {
        let Some(modification) = modification(events[event].kind) else { continue };
        let before = barrier.arrived;
        let Ok((next, effect)) = barrier.apply(modification, text.readings) else {
            return phases;
        };
        barrier = next;
        match effect {
            Effect::Outside => continue,
            Effect::Abandons => {
                (leading, rest) = (Vec::new(), 0);
                continue;
            }
            Effect::Joins | Effect::Completes
                if before == 0 && modification == Modification::Drop =>
            {
                leading.push(event);
            }
            Effect::Joins | Effect::Completes => rest |= one(event),
        }
        if effect == Effect::Completes {
            let number = phases.len();
            let leading = core::mem::take(&mut leading);
            phases.push(Phase { instance, number, leading, rest, last: event });
            rest = 0;
        }
    }
    phases
}
