//! States.

use super::memory::Memory;
use crate::ptx::action::Reduce;
use crate::ptx::cluster::arrive_once::Standing;
use crate::ptx::transition::Mbarrier;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What keeps an agent where it stands, other than its next operation.
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

/// What a token holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The object, by index.
    pub object: u32,
    /// The phase before the arrive.
    pub phase: u32,
    /// Whether the arrive was marked .noComplete.
    pub no_complete: bool,
    /// The pending count before the arrive, where the program asks for it; of another register the number in it.
    pub count: Option<u32>,
}

impl Token {
    /// A register that holds a number and no token.
    #[must_use]
    pub const fn number(count: Option<u32>) -> Self {
        Self { object: u32::MAX, phase: 0, no_complete: false, count }
    }
}

/// Where an agent stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Its node.
    pub node: u32,
    /// Whether it has ended.
    pub ended: bool,
    /// What keeps it there.
    pub held: Held,
    /// The barriers of its CTA at which it has arrived in a generation that runs, one bit each.
    pub bars: u16,
    /// Where it stands with the cluster barrier.
    pub cluster: Standing,
    /// Tokens by register.
    pub tokens: Vec<Option<Token>>,
}

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bar {
    /// Threads that arrived in the running generation.
    pub arrived: u32,
    /// Threads that it waits for, once someone has arrived.
    pub threads: Option<u32>,
    /// Whether it is a reduction, once someone has arrived.
    pub red: Option<bool>,
    /// The aligned instruction at which the first arrived.
    pub site: Option<u32>,
    /// The predicates that were brought to it.
    pub votes: Votes,
}

/// The predicates of a reduction so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Votes {
    /// Threads whose predicate holds.
    pub yes: u32,
    /// Threads whose predicate does not hold.
    pub no: u32,
    /// Threads whose predicate is not known.
    pub unknown: u32,
}

impl Votes {
    /// Those with the predicate of so many threads more.
    #[must_use]
    pub const fn with(self, predicate: Option<bool>, threads: u32) -> Self {
        match predicate {
            Some(true) => Self { yes: self.yes.saturating_add(threads), ..self },
            Some(false) => Self { no: self.no.saturating_add(threads), ..self },
            None => Self { unknown: self.unknown.saturating_add(threads), ..self },
        }
    }

    /// What a reduction makes of them, where that is known.
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

/// What is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Copy {
    /// The object that it completes, by index in [`State::mbarriers`].
    pub object: u32,
    /// Bytes left to be copied; `None` for an arrive that is to come.
    pub left: Option<u32>,
    /// Who started it.
    pub agent: u32,
    /// At which node.
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
    /// What happens before what, where the program accesses memory.
    pub memory: Option<Box<Memory>>,
    /// Rules broken so far, by number.
    pub broken: u64,
    /// Whether what follows is not defined.
    pub stopped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_reduced_as_far_as_they_are_known() {
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
