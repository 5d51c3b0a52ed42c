//! Merges indistinguishable accesses.
//!
//! Two tokens of one agent in one address space are merged if every set of tokens in a state contains both or neither. Every
//! later step then treats them identically, because steps distinguish tokens only by agent, address space and kind, and
//! otherwise move whole sets. Only a copy in flight is distinguished, by the wait that completes it; in revision v1 every
//! copy is, by the accesses that overlap it.

use super::Spec;
use super::choice::indices;
use super::state::State;
use crate::r#async::sequence::Item;
use crate::mem::order::Tokens;
use crate::mem::outstanding::{Outstanding, Token};
use alloc::vec::Vec;

impl Spec {
    /// Puts the nodes of each such group into its first token; the others are left without nodes.
    pub(super) fn merge_tokens(&self, state: &State, all: &mut Outstanding) {
        let mut alike = self.candidates_to_merge(all);
        if alike.iter().all(|group| group.count_ones() < 2) {
            return;
        }
        let known = state.choices.iter().flat_map(|choice| {
            choice.agents.iter().map(|standing| &standing.known).chain(&choice.phases)
        });
        for ordered in known.filter_map(|known| known.ordered.as_ref()) {
            separate(&mut alike, ordered.known);
            ordered.released.iter().for_each(|&set| separate(&mut alike, set));
            ordered.published.iter().for_each(|channel| separate(&mut alike, channel.tokens));
        }
        all.tokens.iter().for_each(|token| separate(&mut alike, token.under));
        all.flights.iter().for_each(|flight| separate(&mut alike, flight.done));
        for (first, group) in alike.into_iter().enumerate() {
            for index in indices(group).filter(|&index| index > first) {
                let nodes = core::mem::take(&mut all.tokens[index].nodes);
                let joined = &mut all.tokens[first].nodes;
                joined.extend(nodes);
                joined.sort_unstable();
            }
        }
    }

    /// For each token those that are like it by themselves.
    fn candidates_to_merge(&self, all: &Outstanding) -> Vec<Tokens> {
        let settled: Vec<bool> =
            all.tokens.iter().map(|token| self.is_settled(all, token)).collect();
        let group = |(index, token): (usize, &Token)| {
            let like = |other: &usize| {
                let other_token = &all.tokens[*other];
                let own = (token.agent, token.copy, token.space, token.under);
                settled[*other]
                    && own
                        == (
                            other_token.agent,
                            other_token.copy,
                            other_token.space,
                            other_token.under,
                        )
            };
            let others = (0..all.tokens.len()).filter(like);
            if settled[index] { others.fold(0, |set, other| set | 1 << other) } else { 1 << index }
        };
        all.tokens.iter().enumerate().map(group).collect()
    }

    /// Whether no later step can distinguish the nodes of a token.
    fn is_settled(&self, all: &Outstanding, token: &Token) -> bool {
        let in_flight =
            |node| all.flights[token.agent].sequence.items().contains(&Item::Copy(node));
        let landed = || self.orders_at_wait() && !token.nodes.iter().any(|&node| in_flight(node));
        !token.open && !token.nodes.is_empty() && (!token.copy || landed())
    }
}

/// Separates tokens of which a set contains one but not the other.
fn separate(alike: &mut [Tokens], set: Tokens) {
    for (index, group) in alike.iter_mut().enumerate() {
        *group &= if set >> index & 1 == 1 { set } else { !set };
    }
}

#[cfg(test)]
mod tests {
    use super::separate;

    #[test]
    fn a_set_parts_those_in_it_from_those_outside() {
        let mut alike = [0b1111, 0b1111, 0b1111, 0b1111];
        separate(&mut alike, 0b0110);
        assert_eq!(alike, [0b1001, 0b0110, 0b0110, 0b1001]);
        separate(&mut alike, 0b1110);
        assert_eq!(alike, [0b0001, 0b0110, 0b0110, 0b1000]);
    }
}
