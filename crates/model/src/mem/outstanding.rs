//! Accesses that a later one can still race with, as tokens, and the operations in flight of each wave.

use super::operation::{Counter, Space, Waits};
use super::order::Tokens;
use crate::r#async::sequence::Sequence;
use crate::program::NodeId;
use alloc::vec::Vec;

/// Largest number of tokens of a state.
pub const MAX_TOKENS: usize = 128;

/// Indistinguishable accesses of one agent to one address space: those between two release fences, or one copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The agent.
    pub agent: usize,
    /// Whether these are accesses of asynchronous copies.
    pub copy: bool,
    /// The address space of the accesses.
    pub space: Space,
    /// The nodes that made them, ascending; for each node the latest access.
    pub nodes: Vec<NodeId>,
    /// Whether the agent's next access is added to it.
    pub open: bool,
    /// Other tokens that happen-before this one but not before the agent's next operation (revision v1).
    pub under: Tokens,
}

/// Counters of a wave, each an upper bound of the hardware's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// Loads and stores of global memory.
    pub vector: u8,
    /// Copies to LDS.
    pub copies: u8,
    /// Accesses to LDS.
    pub local: u8,
    /// Stores whose data has not been read yet (GFX6).
    pub export: u8,
}

impl Counts {
    /// Increments a counter, up to the largest value of six bits.
    pub const fn more(count: &mut u8) {
        *count = if *count < 63 { *count + 1 } else { 63 };
    }

    /// Waits for counters. The data of a completed store has been read.
    pub fn wait(&mut self, waits: Waits) {
        let lower = |count: &mut u8, counter: Counter| {
            if let Some(most) = waits.most(counter) {
                *count = (*count).min(most.min(63) as u8);
            }
        };
        lower(&mut self.vector, Counter::Vm);
        lower(&mut self.copies, Counter::Vm);
        lower(&mut self.local, Counter::Lgkm);
        lower(&mut self.export, Counter::Exp);
        lower(&mut self.export, Counter::Vm);
    }

    /// Whether every counter is certainly zero.
    #[must_use]
    pub fn are_zero(self) -> bool {
        self == Self::default()
    }
}

/// The operations in flight of one wave.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flight {
    /// Copies and marks.
    pub sequence: Sequence,
    /// Completed copies that only an overlapping access of the wave orders (revision v1).
    pub done: Tokens,
    /// Counters, if they are tracked.
    pub counts: Counts,
}

/// The outstanding operations of all agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// The tokens; their index is their bit in sets.
    pub tokens: Vec<Token>,
    /// By agent.
    pub flights: Vec<Flight>,
}

impl Outstanding {
    /// An empty state for this many agents.
    #[must_use]
    pub fn nothing(agents: usize) -> Self {
        Self { tokens: Vec::new(), flights: alloc::vec![Flight::default(); agents] }
    }

    /// The tokens that satisfy a test.
    pub fn select(&self, test: impl Fn(&Token) -> bool) -> Tokens {
        let holds = |(_, token): &(usize, &Token)| test(token);
        self.tokens.iter().enumerate().filter(holds).fold(0, |set, (index, _)| set | 1 << index)
    }

    /// The tokens of a node of an agent.
    #[must_use]
    pub fn of(&self, agent: usize, node: NodeId) -> Tokens {
        self.select(|token| token.agent == agent && token.nodes.binary_search(&node).is_ok())
    }

    /// Repeats a node: only its latest access is kept. Tokens can remain without nodes.
    pub fn repeat(&mut self, agent: usize, node: NodeId) {
        for token in self.tokens.iter_mut().filter(|token| token.agent == agent) {
            if let Ok(at) = token.nodes.binary_search(&node) {
                token.nodes.remove(at);
            }
        }
    }

    /// Adds an access to the open token of its kind, or as a new one; returns its index, or `None` if there are too
    /// many tokens.
    pub fn add(
        &mut self,
        agent: usize,
        copy: bool,
        space: Space,
        node: NodeId,
        alone: bool,
    ) -> Option<usize> {
        let joins = |token: &Token| {
            token.open && !alone && (token.agent, token.copy, token.space) == (agent, copy, space)
        };
        let index = self.tokens.iter().position(joins).unwrap_or(self.tokens.len());
        if index == MAX_TOKENS {
            return None;
        }
        if index == self.tokens.len() {
            self.tokens.push(Token {
                agent,
                copy,
                space,
                nodes: Vec::new(),
                open: !alone,
                under: 0,
            });
        }
        let nodes = &mut self.tokens[index].nodes;
        if let Err(at) = nodes.binary_search(&node) {
            nodes.insert(at, node);
        }
        Some(index)
    }

    /// Closes tokens of an agent: its later accesses are distinguished from those so far.
    pub fn close(&mut self, agent: usize, which: impl Fn(&Token) -> bool) {
        self.tokens
            .iter_mut()
            .filter(|token| token.agent == agent && which(token))
            .for_each(|token| token.open = false);
    }

    /// A token, and all tokens that happen-before it independent of the agent.
    #[must_use]
    pub fn with_under(&self, mut tokens: Tokens) -> Tokens {
        loop {
            let more = crate::spec::choice::indices(tokens)
                .fold(tokens, |set, index| set | self.tokens[index].under);
            if more == tokens {
                return tokens;
            }
            tokens = more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_between_two_releases_are_one_token() {
        let mut all = Outstanding::nothing(2);
        assert_eq!(all.add(0, false, Space::Local, 3, false), Some(0));
        assert_eq!(all.add(0, false, Space::Local, 1, false), Some(0));
        assert_eq!(all.add(0, false, Space::Global, 2, false), Some(1));
        assert_eq!(all.add(1, false, Space::Local, 1, false), Some(2));
        all.close(0, |token| token.space == Space::Local);
        assert_eq!(all.add(0, false, Space::Local, 4, false), Some(3));
        assert_eq!((all.tokens[0].nodes.clone(), all.of(0, 4)), (alloc::vec![1, 3], 0b1000));
    }

    #[test]
    fn only_the_latest_access_of_a_node_is_kept() {
        let mut all = Outstanding::nothing(1);
        all.add(0, false, Space::Local, 3, false);
        all.close(0, |_| true);
        all.repeat(0, 3);
        all.add(0, false, Space::Local, 3, false);
        assert_eq!(all.of(0, 3), 0b10);
    }

    #[test]
    fn only_waits_decrement_counters() {
        let mut counts = Counts { vector: 3, copies: 2, local: 1, export: 1 };
        counts.wait(Waits::default().with(Counter::Lgkm, 0));
        assert_eq!((counts.local, counts.vector), (0, 3));
        counts.wait(Waits::default().with(Counter::Vm, 1));
        assert!(!counts.are_zero());
        counts.wait(Waits::default().with(Counter::Vm, 0));
        assert!(counts.are_zero());
    }
}
