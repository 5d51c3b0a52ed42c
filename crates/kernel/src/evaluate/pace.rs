//! Loops in which agents wait for each other at mbarrier objects, named barriers, or barriers of only some threads.
//!
//! A phase needs all its arrivals. An agent that waits in each period of its loop for a phase at which another one arrives in
//! each period of its own is at most one period ahead. If all agents with such loops wait for each other in this way, directly
//! or through others, they stay together as at a barrier of the workgroup, and the lengths of `evaluate/prove.rs` represent
//! all.

use super::request::Stop;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::ptx::action::{Action, Bar, Patience};

/// An object at which some agents arrive and others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    /// An mbarrier object.
    Object(u16),
    /// A barrier of some threads of the CTA.
    Bar(i64),
    /// A named barrier.
    Named(u8),
}

/// The objects at which an agent arrives and waits in every iteration of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    arrives: OrderedSet<Meeting>,
    waits: OrderedSet<Meeting>,
}

impl Shared {
    /// Adds an operation with its outcome; `false` if loops with such an operation cannot be proved here.
    pub(crate) fn add(&mut self, action: Action, outcome: usize) -> bool {
        match action {
            Action::Arrive { name, .. } | Action::CopyArrive { name, .. } => {
                self.arrives.insert(Meeting::Object(name.index));
            }
            // A wait that does not find its phase complete does nothing.
            Action::Wait { name, patience, .. } if outcome == 1 || patience == Patience::Block => {
                self.waits.insert(Meeting::Object(name.index));
            }
            Action::Bar { id, kind, .. } => {
                self.arrives.insert(Meeting::Bar(id));
                if kind != Bar::Arrive {
                    self.waits.insert(Meeting::Bar(id));
                }
            }
            Action::Init { .. } | Action::Inval { .. } => return false,
            _ => {}
        }
        true
    }

    /// Adds an arrive at a named barrier.
    pub(crate) fn arrive(&mut self, barrier: u8) {
        self.arrives.insert(Meeting::Named(barrier));
    }

    /// Adds a wait at a named barrier.
    pub(crate) fn wait(&mut self, barrier: u8) {
        self.waits.insert(Meeting::Named(barrier));
    }

    /// The objects at which the agent arrives and waits on every path through an iteration; `None` if it does neither on any
    /// path.
    ///
    /// # Errors
    ///
    /// The agent does not wait on every path, so it can run ahead of the others.
    pub(crate) fn of(ways: &[Self]) -> Result<Option<Self>, Stop> {
        if ways.iter().all(|way| *way == Self::default()) {
            return Ok(None);
        }
        let common = |of: fn(&Self) -> &OrderedSet<Meeting>| {
            let mut common = ways.first().map(of).cloned().unwrap_or_default();
            common.retain(|it| ways.iter().all(|way| of(way).contains(it)));
            common
        };
        let shared = Self { arrives: common(|way| &way.arrives), waits: common(|way| &way.waits) };
        if shared.waits.is_empty() { Err(Stop::NoProof) } else { Ok(Some(shared)) }
    }

    /// Whether an agent waits in each iteration for another one.
    fn waits_for(&self, other: &Self) -> bool {
        !self.waits.is_disjoint(&other.arrives)
    }
}

/// The loops of all agents without a barrier of the workgroup.
#[derive(Debug, Default)]
pub(crate) struct Loops(Vec<Loop>);

/// A loop of some agents of a workgroup.
#[derive(Debug)]
struct Loop {
    group: u32,
    shared: Shared,
    agents: OrderedSet<usize>,
}

impl Loops {
    pub(crate) fn add(&mut self, agent: usize, group: u32, shared: Shared) {
        let known = self.0.iter_mut().find(|one| one.group == group && one.shared == shared);
        match known {
            Some(known) => drop(known.agents.insert(agent)),
            None => self.0.push(Loop { group, shared, agents: OrderedSet::from([agent]) }),
        }
    }

    /// Whether each agent waits for all others of its workgroup that have loops. `clusters` says that workgroups may
    /// synchronise.
    pub(crate) fn keep_pace(&self, clusters: bool) -> bool {
        !clusters && self.0.iter().all(|one| self.waits_for_all(one)) || self.0.is_empty()
    }

    fn waits_for_all(&self, first: &Loop) -> bool {
        let mates: Vec<&Loop> = self.0.iter().filter(|one| one.group == first.group).collect();
        let mut reached = alloc::vec![false; mates.len()];
        let mut open = alloc::vec![first];
        while let Some(one) = open.pop() {
            for (at, other) in mates.iter().enumerate() {
                if one.shared.waits_for(&other.shared)
                    && !core::mem::replace(&mut reached[at], true)
                {
                    open.push(other);
                }
            }
        }
        let met = |agent: &usize| {
            let alone = first.agents.len() == 1 && first.agents.contains(agent);
            let mut all = mates.iter().zip(&reached).filter(|(_, reached)| **reached);
            alone || all.any(|(one, _)| one.agents.contains(agent))
        };
        mates.iter().flat_map(|one| &one.agents).all(met)
    }
}
