//! Leaving out choices that another one stands for.
//!
//! A choice *stands for* a second one when whatever can follow under the second can follow under it too, step by step with
//! the same phases, and breaks the same rules. Leaving the second out then changes neither which waits can pass nor what
//! is broken under every choice or under some choice.
//!
//! That holds when both agree on what decides broken rules (`broken`, `has_wait`, `racy`, `waited`, `joins`, `arrived`) and
//! the first is constrained by no more (`used`, `dead`, `pairs`, `forbidden`, and `took_part`, from which constraints come).
//! Both are compared only on phases that some wait can still depend on under the second choice, or for which a drop to come
//! still owes a wait: on others the second choice takes no further step.

use super::choice::{Bits, Choice, Known, Standing, bit};
use alloc::vec::Vec;

/// Leaves out the choices that another one stands for. The order of the others stays.
pub(super) fn subsume(choices: &mut Vec<Choice>) {
    let mut kept: Vec<Choice> = Vec::with_capacity(choices.len());
    for choice in choices.drain(..) {
        if kept.iter().any(|other| stands_for(other, &choice)) {
            continue;
        }
        kept.retain(|other| !stands_for(&choice, other));
        kept.push(choice);
    }
    *choices = kept;
}

/// Whether everything that can follow under `second` can follow under `first` and breaks the same rules.
fn stands_for(first: &Choice, second: &Choice) -> bool {
    let live = !second.forbidden;
    let owed = owed(first) | owed(second);
    let seen = Seen { live, owed, forbidden: second.forbidden };
    first.broken == second.broken
        && first.forbidden & live == 0
        && (first.has_wait ^ second.has_wait) & (live | owed) == 0
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

/// What the second choice can still tell apart.
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

/// Whether leaving out is worth a look: there are several choices, and not so many that looking costs more than it saves.
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
    fn fewer_constraints_stand_for_more() {
        assert!(stands_for(&choice(0b001, 0), &choice(0b011, 0)));
        assert!(!stands_for(&choice(0b011, 0), &choice(0b001, 0)));
        assert!(stands_for(&choice(0b001, 0), &choice(0, 0b001)));
        assert!(!stands_for(&choice(0, 0b001), &choice(0b001, 0)));
    }

    #[test]
    fn what_is_broken_must_be_the_same() {
        let broken = Choice { broken: 4, ..choice(0, 0) };
        assert!(!stands_for(&choice(0, 0), &broken));
        assert!(!stands_for(&broken, &choice(0, 0)));
    }

    #[test]
    fn only_the_stronger_stays() {
        let mut choices = alloc::vec![choice(0b011, 0), choice(0b001, 0), choice(0b100, 0)];
        subsume(&mut choices);
        assert_eq!(choices, [choice(0b001, 0), choice(0b100, 0)]);
    }
}
