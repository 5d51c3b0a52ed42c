//! Branches that data decide, and whether one execution can certainly contain the sides that all agents take.

use super::buffers::Buffers;
use super::recorded::Recorded;
use crate::ir::{ObjectId, Place};
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::program::Node;

/// The bytes that decide a branch: the object, the first byte and the byte after the last.
type Bytes = (ObjectId, u32, u32);

/// The branches that data decide in a case.
#[derive(Debug, Default)]
pub(crate) struct Decisions {
    /// Each agent, branch and element that decides it, listed once.
    all: Vec<((u32, u32), Place, Bytes)>,
    /// Whether a branch depends on more than one element, or in a way that is not followed.
    guesses: bool,
}

impl Decisions {
    /// Adds a branch of an agent, with the element that decides it; `None` if that is not known.
    pub(super) fn add(&mut self, agent: (u32, u32), place: Place, bytes: Option<Bytes>) {
        let Some(bytes) = bytes else {
            self.guesses = true;
            return;
        };
        if !self.all.contains(&(agent, place, bytes)) {
            self.all.push((agent, place, bytes));
        }
    }

    /// Whether it is uncertain that one execution can contain all these decisions. It can if each decision depends on a
    /// different element, and no agent writes any of them.
    pub(crate) fn are_guesses(&self, agents: &[(u32, Recorded)], buffers: &Buffers) -> bool {
        let overlap =
            |one: &Bytes, other: &Bytes| one.0 == other.0 && one.1 < other.2 && other.1 < one.2;
        let shares = |(at, one): (usize, &((u32, u32), Place, Bytes))| {
            self.all[..at].iter().any(|other| overlap(&one.2, &other.2))
        };
        self.guesses
            || self.all.iter().enumerate().any(shares)
            || !self.all.is_empty() && agents.iter().any(|(_, one)| self.writes(one, buffers))
    }

    /// Whether an agent writes an object that decides a branch.
    fn writes(&self, agent: &Recorded, buffers: &Buffers) -> bool {
        agent.nodes.iter().any(|node| {
            let Node::Operation { operation, .. } = node else { return false };
            accesses(operation.action).filter(|access| access.write).any(|access| {
                let object = buffers.object(access.range.buffer);
                self.all.iter().any(|(.., bytes)| Some(bytes.0) == object)
            })
        })
    }
}
