//! Removal of choices that another one subsumes.
//!
//! A choice *subsumes* a second one if every continuation of the second is also one of the first, step by step with the
//! same phases and the same broken rules. Removing the second then changes neither the waits that can pass nor the rules
//! that are broken under every choice or under some choice.
//!
//! This holds if both agree on the sets that decide broken rules (`broken`, `racy`, `waited`, `joins`, `arrived`, and
//! `has_wait` of the phases in `arrived`), and the first has no additional constraints (`used`, `dead`, `pairs`, `forbidden`,
//! and `took_part` and `has_wait`, from which constraints derive). The comparison covers only phases that a wait can still
//! depend on under the second choice, or for which a later drop still owes a wait: the second choice takes no further step
//! on others.
//!
//! A phase `h` may have its first wait under the second choice only. The second has then replaced its pairs `(g, h)` by `g` in
//! `dead`. A pair that the first still has is thus implied, and becomes the same `dead` when `h` gets its wait there.

use super::choice::{Bits, Choice, Known, Standing, bit};
use alloc::vec::Vec;

/// Removes the choices that another one subsumes, and keeps the order of the others. Returns the number of comparisons.
pub(super) fn subsume(choices: &mut Vec<Choice>) -> u64 {
    let mut comparisons = 0;
    let mut kept: Vec<Choice> = Vec::with_capacity(choices.len());
    for choice in choices.drain(..) {
        let known = kept.iter().position(|other| stands_for(other, &choice));
        comparisons += known.map_or(2 * kept.len(), |at| at + 1) as u64;
        if known.is_some() {
            continue;
        }
        kept.retain(|other| !stands_for(&choice, other));
        kept.push(choice);
    }
    *choices = kept;
    comparisons
}

/// Whether `first` subsumes `second`.
fn stands_for(first: &Choice, second: &Choice) -> bool {
    let live = !second.forbidden;
    let owed = owed(first) | owed(second);
    let seen = Seen { live, owed, forbidden: second.forbidden };
    first.broken == second.broken
        && first.forbidden & live == 0
        && first.has_wait & !second.has_wait & live == 0
        && (first.has_wait ^ second.has_wait) & owed == 0
        && (first.racy ^ second.racy) & live == 0
        && first.agents.iter().zip(&second.agents).all(|(first, second)| seen.agent(first, second))
        && first
            .phases
            .iter()
            .zip(&second.phases)
            .enumerate()
            .all(|(slot, (first, second))| live & bit(slot) == 0 || seen.known(first, second))
}

/// Phases in which some agent arrived that can still drop the object, and for which it knows no wait.
fn owed(choice: &Choice) -> Bits {
    choice.agents.iter().fold(0, |set, standing| set | standing.arrived)
}

/// The phases that the second choice can still distinguish.
struct Seen {
    live: Bits,
    owed: Bits,
    forbidden: Bits,
}

impl Seen {
    fn agent(&self, first: &Standing, second: &Standing) -> bool {
        (first.arrived ^ second.arrived) & (self.live | self.owed) == 0
            && first.used & self.live & !(second.used | second.known.dead) == 0
            && self.known(&first.known, &second.known)
    }

    fn known(&self, first: &Known, second: &Known) -> bool {
        first.joins == second.joins
            && first.ordered == second.ordered
            && first.waited & self.owed == second.waited & self.owed
            && first.took_part & self.live & !second.took_part == 0
            && first.dead & self.live & !second.dead == 0
            && first.pairs.iter().all(|pair| self.implied(*pair, second))
    }

    /// A pair constrains no more than the second choice does: it has the pair, or one of the two stays without a wait anyway.
    fn implied(&self, pair: (u8, u8), second: &Known) -> bool {
        let (g, h) = (bit(usize::from(pair.0)), bit(usize::from(pair.1)));
        (second.dead | self.forbidden) & g != 0
            || self.forbidden & h != 0
            || second.pairs.binary_search(&pair).is_ok()
    }
}

/// Whether removal is worthwhile: there are several choices, but not so many that the comparison costs more than it saves.
pub(super) fn is_worthwhile(choices: &[Choice]) -> bool {
    (2..=1024).contains(&choices.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(used: Bits, dead: Bits) -> Choice {
        let known = Known { dead, ..Known::default() };
        let standing = Standing { known, used, ..Standing::default() };
        Choice {
            agents: alloc::vec![standing],
            phases: alloc::vec![Known::default(); 3],
            ..Choice::default()
        }
    }

    #[test]
    fn fewer_constraints_subsume_more() {
        assert!(stands_for(&choice(0b001, 0), &choice(0b011, 0)));
        assert!(!stands_for(&choice(0b011, 0), &choice(0b001, 0)));
        assert!(stands_for(&choice(0b001, 0), &choice(0, 0b001)));
        assert!(!stands_for(&choice(0, 0b001), &choice(0b001, 0)));
    }

    #[test]
    fn broken_rules_must_be_equal() {
        let broken = Choice { broken: 4, ..choice(0, 0) };
        assert!(!stands_for(&choice(0, 0), &broken));
        assert!(!stands_for(&broken, &choice(0, 0)));
    }

    #[test]
    fn a_phase_without_a_wait_is_less_constrained_than_one_with_a_wait() {
        let with_pair = |has_wait: Bits, dead: Bits, pairs: &[(u8, u8)]| {
            let mut choice = choice(0, dead);
            choice.has_wait = has_wait;
            choice.agents[0].known.pairs = pairs.to_vec();
            choice
        };
        let (without, with) = (with_pair(0, 0, &[(0, 1)]), with_pair(0b010, 0b001, &[]));
        assert!(stands_for(&without, &with));
        assert!(!stands_for(&with, &without));
        assert!(!stands_for(&without, &with_pair(0b010, 0, &[])));
        let mut owed = with;
        owed.agents[0].arrived = 0b010;
        let mut without = without;
        without.agents[0].arrived = 0b010;
        assert!(!stands_for(&without, &owed));
    }

    #[test]
    fn only_the_stronger_stays() {
        let mut choices = alloc::vec![choice(0b011, 0), choice(0b001, 0), choice(0b100, 0)];
        subsume(&mut choices);
        assert_eq!(choices, [choice(0b001, 0), choice(0b100, 0)]);
    }
}
