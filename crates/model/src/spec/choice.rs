//! One assignment of phases to the waits that have passed.
//!
//! A choice stores only what later operations can distinguish. Phases are *slots*: the current phase of each object, and
//! its completed phases that a wait can still depend on. All knowledge is stored as sets of slots.
//!
//! The rule on phase separation is maintained incrementally. Let `A(g)` be an operation that participates in phase `g` of an
//! object, and `X(h)` any operation of another phase `h` of it that has a wait. If `A(g)` is before `X(h)` and `X(h)` is
//! before a wait, the wait cannot depend on `g`:
//! * `dead` holds such phases `g`, as seen by an agent;
//! * `pairs` holds `(g, h)` for phases `h` without a wait so far: one of the two stays without;
//! * `forbidden` holds phases `h` that must stay without a wait because a wait already depends on such a `g`.

use crate::mem::order::Ordered;
use crate::rule::RuleId;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A set of slots or of agents, by index.
pub type Bits = u128;

/// The set of one index.
#[must_use]
pub const fn bit(index: usize) -> Bits {
    1 << index
}

/// The indices in a set, ascending.
pub fn indices(mut set: Bits) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let index = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            index
        })
    })
}

/// The operations *barrier-executes-before* a point: the next operation of an agent, or the completion of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Known {
    /// Phases of which an arrive or drop is before this point.
    pub took_part: Bits,
    /// Phases on which no wait after this point can depend.
    pub dead: Bits,
    /// Phases of which a wait is before this point.
    pub waited: Bits,
    /// Agents whose last *join* is before this point.
    pub joins: Bits,
    /// Pairs `(g, h)` of phases of one object, sorted: one of the two must stay without a wait seen from here.
    pub pairs: Vec<(u8, u8)>,
    /// The accesses that happen before this point, if memory is tracked.
    pub ordered: Option<Box<Ordered>>,
}

impl Known {
    /// Adds the knowledge of another point.
    pub fn merge(&mut self, other: &Self) {
        self.took_part |= other.took_part;
        self.dead |= other.dead;
        self.waited |= other.waited;
        self.joins |= other.joins;
        for &pair in &other.pairs {
            self.add_pair(pair);
        }
        if let Some(ordered) = &other.ordered {
            self.ordered.get_or_insert_default().merge(ordered);
        }
    }

    fn add_pair(&mut self, pair: (u8, u8)) {
        if let Err(at) = self.pairs.binary_search(&pair) {
            self.pairs.insert(at, pair);
        }
    }

    /// Phase `h` has got a wait: every pair `(g, h)` makes `g` dead.
    fn gets_wait(&mut self, slot: usize) {
        let dead = &mut self.dead;
        self.pairs.retain(|&(g, h)| {
            let fulfilled = usize::from(h) == slot;
            *dead |= if fulfilled { bit(usize::from(g)) } else { 0 };
            !fulfilled
        });
    }
}

/// The knowledge of one agent, and the phases that it used.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Standing {
    /// The knowledge before its next operation.
    pub known: Known,
    /// Phases that a wait of this agent already depends on.
    pub used: Bits,
    /// Phases in which this agent arrived and for which no wait is known to be before its next operation.
    pub arrived: Bits,
}

/// One consistent choice of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// Rules broken so far under this choice, by number.
    pub broken: u64,
    /// Phases that some wait depends on.
    pub has_wait: Bits,
    /// Phases that must stay without a wait.
    pub forbidden: Bits,
    /// Phases whose first wait breaks the rule on drop races.
    pub racy: Bits,
    /// By agent.
    pub agents: Vec<Standing>,
    /// By slot: the knowledge before the completion of the phase.
    pub phases: Vec<Known>,
}

impl Choice {
    /// An arrive or drop of `agent` participates in the phase of `slot`; `same` are the slots of the same object.
    pub fn take_part(&mut self, agent: usize, slot: usize, same: Bits, is_arrive: bool) {
        let standing = &mut self.agents[agent];
        for g in indices(standing.known.took_part & same & !bit(slot)) {
            standing.known.add_pair((g as u8, slot as u8));
        }
        standing.known.took_part |= bit(slot);
        standing.arrived |= if is_arrive { bit(slot) } else { 0 };
        self.phases[slot].merge(&standing.known);
    }

    /// A drop of `agent` on the object with the slots `same`: see `amd.drop.race`.
    pub fn drops(&mut self, agent: usize, same: Bits) {
        let standing = &mut self.agents[agent];
        let unwaited = standing.arrived & same & !standing.known.waited;
        standing.arrived &= !same;
        if unwaited & self.has_wait != 0 {
            self.broken |= RuleId::AmdDropRace.bit();
        }
        self.racy |= unwaited & !self.has_wait;
    }

    /// Whether a wait of `agent` can depend on the completed phase of `slot`.
    #[must_use]
    pub fn can_wait(&self, agent: usize, slot: usize) -> bool {
        let standing = &self.agents[agent];
        let dead = standing.known.dead | self.phases[slot].dead;
        (standing.used | dead | self.forbidden) & bit(slot) == 0
    }

    /// A wait of `agent` depends on the completed phase of `slot`; `same` are the slots of the same object.
    pub fn wait(&mut self, agent: usize, slot: usize, same: Bits) {
        if self.racy & bit(slot) != 0 {
            self.broken |= RuleId::AmdDropRace.bit();
        }
        let Self { agents, phases, .. } = self;
        let standing = &mut agents[agent];
        standing.known.merge(&phases[slot]);
        standing.known.took_part |= bit(slot);
        for &(g, h) in &standing.known.pairs {
            self.forbidden |= if usize::from(g) == slot { bit(usize::from(h)) } else { 0 };
        }
        standing.known.dead |= standing.known.took_part & same & !bit(slot);
        standing.known.waited |= bit(slot);
        standing.used |= bit(slot);
        if self.has_wait & bit(slot) == 0 {
            self.has_wait |= bit(slot);
            self.each_known(|known| known.gets_wait(slot));
        }
    }

    /// `agent` joins an object: its earlier joins are no longer its last.
    pub fn joins(&mut self, agent: usize, joiner: usize) {
        self.each_known(|known| known.joins &= !bit(joiner));
        self.agents[agent].known.joins |= bit(joiner);
    }

    fn each_known(&mut self, mut change: impl FnMut(&mut Known)) {
        self.agents.iter_mut().for_each(|standing| change(&mut standing.known));
        self.phases.iter_mut().for_each(change);
    }
}
