//! States.

use super::memory::Memory;
use crate::ptx::action::Reduce;
use crate::ptx::cluster::arrive_once::Standing;
use crate::ptx::object::Mbarrier;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The barrier that holds an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Held {
    /// Nothing.
    #[default]
    Free,
    /// It has arrived at a barrier of its CTA and waits for the generation to complete.
    Bar(u8),
    /// A lane that waits for its warp at an aligned barrier instruction.
    Gathering,
    /// A lane that waits at `bar.warp.sync`.
    Warp,
    /// It waits at the cluster barrier without having arrived.
    Forever,
}

/// The contents of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The object, by index.
    pub object: u32,
    /// The phase before the arrive.
    pub phase: u32,
    /// Whether the arrive was marked .noComplete.
    pub no_complete: bool,
    /// The pending count before the arrive, if the program reads it; for another register, its number.
    pub count: Option<u32>,
}

impl Token {
    /// A register that holds a number.
    #[must_use]
    pub const fn number(count: Option<u32>) -> Self {
        Self { object: u32::MAX, phase: 0, no_complete: false, count }
    }
}

/// The state of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Its node.
    pub node: u32,
    /// Whether it has ended.
    pub ended: bool,
    /// The barrier that holds it.
    pub held: Held,
    /// The barriers of its CTA at which it has arrived in the incomplete generation, one bit each.
    pub bars: u16,
    /// Its state at the cluster barrier.
    pub cluster: Standing,
    /// Tokens by register.
    pub tokens: Vec<Option<Token>>,
}

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bar {
    /// Threads that arrived in the current generation.
    pub arrived: u32,
    /// The thread count, after the first arrival.
    pub threads: Option<u32>,
    /// Whether it is a reduction, after the first arrival.
    pub red: Option<bool>,
    /// The aligned instruction of the first arrival.
    pub site: Option<u32>,
    /// The predicates of the threads that arrived.
    pub votes: Votes,
}

/// The predicates of a reduction so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Votes {
    /// Threads whose predicate is true.
    pub yes: u32,
    /// Threads whose predicate is false.
    pub no: u32,
    /// Threads whose predicate is unknown.
    pub unknown: u32,
}

impl Votes {
    /// The votes with the predicate of this many more threads.
    #[must_use]
    pub const fn with(self, predicate: Option<bool>, threads: u32) -> Self {
        match predicate {
            Some(true) => Self { yes: self.yes.saturating_add(threads), ..self },
            Some(false) => Self { no: self.no.saturating_add(threads), ..self },
            None => Self { unknown: self.unknown.saturating_add(threads), ..self },
        }
    }

    /// The result of a reduction, if it is known.
    #[must_use]
    pub const fn reduced(self, reduce: Reduce) -> Option<u32> {
        match (reduce, self) {
            (Reduce::Count, Self { yes, unknown: 0, .. }) => Some(yes),
            (Reduce::All, Self { no: 1.., .. }) => Some(0),
            (Reduce::All, Self { unknown: 0, .. }) => Some(1),
            (Reduce::Any, Self { yes: 1.., .. }) => Some(1),
            (Reduce::Any, Self { unknown: 0, .. }) => Some(0),
            _ => None,
        }
    }
}

/// A copy or a scheduled arrive in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Copy {
    /// The object that it completes, by index in [`State::mbarriers`].
    pub object: u32,
    /// Bytes left to copy; `None` for a scheduled arrive.
    pub left: Option<u32>,
    /// The agent that started it.
    pub agent: u32,
    /// Its node.
    pub node: u32,
}

/// A state of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By agent.
    pub agents: Vec<At>,
    /// By CTA, then declared object.
    pub mbarriers: Vec<Mbarrier>,
    /// By CTA, then number.
    pub bars: Vec<Bar>,
    /// Copies in flight.
    pub copies: Vec<Copy>,
    /// Happens-before, if the program accesses memory.
    pub memory: Option<Box<Memory>>,
    /// Rules broken so far, by number.
    pub broken: u64,
    /// Whether behaviour is undefined from here on.
    pub stopped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_predicates_are_reduced() {
        let of = |predicates: &[Option<bool>]| {
            let votes = predicates.iter().fold(Votes::default(), |votes, &one| votes.with(one, 32));
            [Reduce::Count, Reduce::All, Reduce::Any].map(|reduce| votes.reduced(reduce))
        };
        assert_eq!(of(&[Some(true), Some(false)]), [Some(32), Some(0), Some(1)]);
        assert_eq!(of(&[Some(true), Some(true)]), [Some(64), Some(1), Some(1)]);
        assert_eq!(of(&[Some(false)]), [Some(0), Some(0), Some(0)]);
        assert_eq!(of(&[Some(true), None]), [None, None, Some(1)]);
        assert_eq!(of(&[Some(false), None]), [None, Some(0), None]);
    }
}
