//! The accesses that *happen-before* a point of an execution, as sets of outstanding accesses.
//!
//! A release fence before an *arrive* and an acquire fence after a *wait* synchronize in an address space when the
//! arrive *barrier-executes-before* the wait, both scopes include both agents, neither fence is `one-as`, and both name
//! the address space. The next arrive of the agent (not a *drop*) therefore publishes the accesses that happen-before a
//! release fence. They propagate along *barrier-executes-before*, and an acquire fence adds the published ones to its
//! agent.

use super::operation::{Scope, Spaces};
use alloc::vec::Vec;

/// A set of tokens, by index.
pub type Tokens = u128;

/// The distance of two agents, which is also the scope that a fence needs to order them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// In one workgroup.
    Workgroup,
    /// In one cluster.
    Cluster,
    /// Anywhere.
    Agent,
}

impl Reach {
    /// Every distance, the nearest first.
    pub const ALL: [Self; 3] = [Self::Workgroup, Self::Cluster, Self::Agent];

    /// The reach of a fence with that scope beyond its own wave.
    #[must_use]
    pub const fn of(scope: Scope) -> Option<Self> {
        match scope {
            Scope::Wavefront => None,
            Scope::Workgroup => Some(Self::Workgroup),
            Scope::Cluster => Some(Self::Cluster),
            Scope::Agent | Scope::System => Some(Self::Agent),
        }
    }
}

/// The position of an agent in the instances of the scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat {
    /// Its workgroup.
    pub workgroup: u32,
    /// Its cluster.
    pub cluster: u32,
}

impl Seat {
    /// The distance of two agents at these positions.
    #[must_use]
    pub const fn apart(self, other: Self) -> Reach {
        if self.workgroup == other.workgroup {
            Reach::Workgroup
        } else if self.cluster == other.cluster {
            Reach::Cluster
        } else {
            Reach::Agent
        }
    }
}

/// Accesses that agents at one position have released for agents up to a distance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The position of the releasing agents.
    pub from: Seat,
    /// The distance that it reaches.
    pub reach: Reach,
    /// The released accesses.
    pub tokens: Tokens,
}

/// The accesses ordered before a point: the next operation of an agent, or the completion of a phase, which only has
/// `published`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordered {
    /// The accesses that happen-before the point.
    pub known: Tokens,
    /// The accesses that happen-before the agent's release fences, by minimum reach.
    pub released: [Tokens; 3],
    /// The accesses that were released and then published by an arrive that barrier-executes-before the point. Sorted;
    /// no channel is empty.
    pub published: Vec<Channel>,
}

impl Ordered {
    /// A release fence. `named` are the tokens in the address spaces that it names.
    pub fn release(&mut self, reach: Reach, named: Tokens) {
        for nearer in Reach::ALL.into_iter().filter(|nearer| *nearer <= reach) {
            self.released[nearer as usize] |= self.known & named;
        }
    }

    /// An *arrive* of an agent at this position; `furthest` is the largest distance of two agents.
    pub fn arrive(&mut self, from: Seat, furthest: Reach) {
        for reach in Reach::ALL.into_iter().filter(|reach| *reach <= furthest) {
            self.add(from, reach, self.released[reach as usize]);
        }
    }

    /// An acquire fence of an agent at this position. `named` are the tokens in the address spaces that it names.
    pub fn acquire(&mut self, at: Seat, reach: Reach, named: Tokens) {
        let reaches =
            |channel: &&Channel| channel.reach <= reach && channel.from.apart(at) == channel.reach;
        let taken =
            self.published.iter().filter(reaches).fold(0, |set, channel| set | channel.tokens);
        self.known |= taken & named;
    }

    /// Adds the accesses published at another point that is before this one in *barrier-executes-before*.
    pub fn merge(&mut self, other: &Self) {
        other
            .published
            .iter()
            .for_each(|channel| self.add(channel.from, channel.reach, channel.tokens));
    }

    fn add(&mut self, from: Seat, reach: Reach, tokens: Tokens) {
        if tokens == 0 {
            return;
        }
        match self
            .published
            .binary_search_by_key(&(from, reach), |channel| (channel.from, channel.reach))
        {
            Ok(at) => self.published[at].tokens |= tokens,
            Err(at) => self.published.insert(at, Channel { from, reach, tokens }),
        }
    }

    /// Applies a change to every set and drops channels that become empty.
    pub fn each(&mut self, change: impl Fn(Tokens) -> Tokens) {
        let Self { known, released, published } = self;
        for set in [known]
            .into_iter()
            .chain(released)
            .chain(published.iter_mut().map(|channel| &mut channel.tokens))
        {
            *set = change(*set);
        }
        published.retain(|channel| channel.tokens != 0);
    }

    /// Whether no access is ordered before the point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether a fence can order anything beyond its own wave through a barrier.
#[must_use]
pub fn reach(scope: Scope, one_as: bool, spaces: Spaces) -> Option<Reach> {
    if one_as || spaces.is_empty() { None } else { Reach::of(scope) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Seat = Seat { workgroup: 0, cluster: 0 };
    const NEXT: Seat = Seat { workgroup: 1, cluster: 0 };
    const FAR: Seat = Seat { workgroup: 2, cluster: 1 };

    /// Whether an agent at `to` knows of token 0 after a release, an arrive and an acquire.
    fn handed(release: Reach, acquire: Reach, to: Seat) -> bool {
        let mut giver = Ordered { known: 1, ..Ordered::default() };
        giver.release(release, 1);
        giver.arrive(HERE, Reach::Agent);
        let mut taker = Ordered::default();
        taker.merge(&giver);
        taker.acquire(to, acquire, 1);
        taker.known == 1
    }

    #[test]
    fn both_scopes_must_include_both_agents() {
        for release in Reach::ALL {
            for acquire in Reach::ALL {
                for to in [HERE, NEXT, FAR] {
                    let wanted = HERE.apart(to) <= release.min(acquire);
                    assert_eq!(
                        handed(release, acquire, to),
                        wanted,
                        "{release:?} {acquire:?} {to:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_an_arrive_nothing_is_published() {
        let mut giver = Ordered { known: 1, ..Ordered::default() };
        giver.release(Reach::Agent, 1);
        assert_eq!(giver.published, []);
        giver.arrive(HERE, Reach::Agent);
        assert_eq!(giver.published.len(), 3);
    }

    #[test]
    fn an_access_after_the_release_is_not_released() {
        let mut giver = Ordered { known: 1, ..Ordered::default() };
        giver.release(Reach::Workgroup, !0);
        giver.known |= 2;
        giver.arrive(HERE, Reach::Agent);
        assert_eq!(giver.published[0].tokens, 1);
    }

    #[test]
    fn only_named_address_spaces_are_released_and_acquired() {
        let mut giver = Ordered { known: 0b11, ..Ordered::default() };
        giver.release(Reach::Workgroup, 0b01);
        giver.arrive(HERE, Reach::Agent);
        assert_eq!(giver.published[0].tokens, 0b01);
        let mut taker = giver.clone();
        taker.known = 0;
        taker.acquire(HERE, Reach::Workgroup, 0b10);
        assert_eq!(taker.known, 0);
    }

    #[test]
    fn a_one_as_fence_orders_no_other_agent() {
        assert_eq!(reach(Scope::System, true, Spaces::ALL), None);
        assert_eq!(reach(Scope::Wavefront, false, Spaces::ALL), None);
        assert_eq!(reach(Scope::System, false, Spaces::ALL), Some(Reach::Agent));
    }
}
