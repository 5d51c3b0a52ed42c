//! Happens-before between memory accesses.
//!
//! A barrier has a release fence before it and an acquire fence after it, in the address spaces of its flags and at its
//! scope. The knowledge that a work-item releases passes to the work-items that the barrier releases, and through further
//! barriers without fences, until an acquire fence acquires it. Each scope must include the other work-item. In a split
//! barrier, the arrive is the release and the wait is the acquire.
//!
//! An access is stored only while a work-item that does not know of it has a conflicting access ahead.

use crate::bitset::BitSet;
use crate::leb128::{put, take};
use crate::mem::operation::{Access, Range};
use crate::opencl::action::Reach;
use crate::operation::Alike;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The accesses that work-items of one sub-group have released, with their scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The sub-group, counted over all work-groups.
    pub from: usize,
    /// Its scope.
    pub reach: Reach,
    /// The work-items that released it.
    pub released: BitSet,
    /// The work-items whose arrivals, through barriers, precede it.
    pub come: BitSet,
    /// Whether an arrive of the running phase of the split barrier takes it along.
    pub open: bool,
    /// Whether a completed phase of the split barrier has taken it along.
    pub done: bool,
}

/// An access that later ones can race with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The access.
    pub access: Access,
    /// The work-item that made it.
    pub agent: usize,
    /// Whether it is atomic, or made by a copy of the work-group.
    pub alike: Alike,
    /// The condition on data under which it happens: see [`crate::operation::Operation::when`].
    pub when: u16,
    /// The other work-items for which it happens before.
    pub known: BitSet,
    /// Releases that have not been acquired, sorted.
    pub channels: Vec<Channel>,
}

/// The accesses of a state, sorted; in a machine that keeps all, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The accesses. States share them.
    pub tokens: Vec<Rc<Token>>,
}

impl Token {
    /// Whether it happens before the next operation of an agent.
    #[must_use]
    pub fn is_known(&self, agent: usize) -> bool {
        self.agent == agent || self.known.contains(agent)
    }

    /// A release fence of agents of a sub-group, as far as they know it.
    pub(super) fn release(&mut self, agents: &BitSet, from: usize, reach: Reach) {
        let own = agents.contains(self.agent);
        if !own && !self.known.intersects(agents) {
            return;
        }
        let known = self.channels.binary_search_by_key(&(from, reach), |one| (one.from, one.reach));
        let at = known.unwrap_or_else(|at| {
            let (released, come) = Default::default();
            self.channels
                .insert(at, Channel { from, reach, released, come, open: false, done: false });
            at
        });
        let released = &mut self.channels[at].released;
        released.add_common(&self.known, agents);
        if own {
            released.insert(self.agent);
        }
    }

    /// An acquire fence of agents of a sub-group.
    pub(super) fn acquire(&mut self, agents: &BitSet, at: usize, reach: Reach) {
        for channel in &self.channels {
            let all = channel.reach == Reach::WorkGroup && reach == Reach::WorkGroup;
            if channel.from == at || all {
                self.known.add_common(&channel.come, agents);
            }
        }
    }
}

impl Channel {
    pub(super) fn is_with(&self, agents: &BitSet) -> bool {
        self.released.intersects(agents) || self.come.intersects(agents)
    }
}

impl Memory {
    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        put(out, self.tokens.len() as u64);
        for token in &self.tokens {
            put(out, token.agent as u64);
            let range = token.access.range;
            let write = u64::from(token.access.write);
            put(out, token.alike.pack() << 17 | u64::from(range.buffer) << 1 | write);
            put(out, u64::from(range.start));
            put(out, u64::from(range.end));
            put(out, u64::from(token.when));
            token.known.pack(out);
            put(out, token.channels.len() as u64);
            for channel in &token.channels {
                put(
                    out,
                    (channel.from as u64) << 3
                        | (channel.reach as u64) << 2
                        | u64::from(channel.open) << 1
                        | u64::from(channel.done),
                );
                channel.released.pack(out);
                channel.come.pack(out);
            }
        }
    }

    pub(super) fn unpack(rest: &mut &[u8]) -> Self {
        Self { tokens: (0..take(rest)).map(|_| Rc::new(unpack_token(rest))).collect() }
    }
}

fn unpack_token(rest: &mut &[u8]) -> Token {
    let agent = take(rest) as usize;
    let head = take(rest);
    let (start, end) = (take(rest) as u32, take(rest) as u32);
    let range = Range { buffer: (head >> 1) as u16, start, end };
    let access = Access { range, write: head & 1 != 0 };
    let alike = Alike::unpack(head >> 17);
    let when = take(rest) as u16;
    let known = BitSet::unpack(rest);
    let channels = (0..take(rest)).map(|_| unpack_channel(rest)).collect();
    Token { access, agent, alike, when, known, channels }
}

fn unpack_channel(rest: &mut &[u8]) -> Channel {
    let head = take(rest);
    let reach = if head >> 2 & 1 == 0 { Reach::SubGroup } else { Reach::WorkGroup };
    Channel {
        from: (head >> 3) as usize,
        reach,
        open: head >> 1 & 1 != 0,
        done: head & 1 != 0,
        released: BitSet::unpack(rest),
        come: BitSet::unpack(rest),
    }
}
