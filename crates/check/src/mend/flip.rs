//! Parities that do not change between the iterations of a loop, or begin with the wrong phase.

use super::assigned::{Value, assigned, is_name, with_last_operand};
use super::search::{Search, plain};
use super::spelled::turned;
use super::tally::{Barrier, Effect, Kind};
use super::units::{Unit, words_of};
use crate::tell::help::edit::{self, Said, Side};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::rule::RuleId;

/// The likelihood of an edit for a parity that stays the same.
const STUCK: i32 = 24;
/// The likelihood that a wait for a free slot must return at launch.
const FREE: i32 = 22;
/// The likelihood that a parity must begin with the other phase, in other cases.
const LATER: i32 = 6;
/// The maximum number of places of a missing update.
const PLACES: usize = 3;
/// The maximum number of parities of other waits.
const PARITIES: usize = 4;

/// A list and a place in it.
type At = (usize, usize);

/// An update of a variable that may be missing.
struct Update {
    /// How alike the neighbours are to those of its mirror.
    fits: i32,
    new: String,
    at: At,
    /// The line of its mirror.
    mirror: Option<u32>,
}

impl<'a> Search<'a> {
    /// Updates of parities that are missing, and parities that begin with the wrong phase.
    pub(super) fn parities(&mut self) {
        let units = self.units;
        for unit in units.all.iter().filter(|unit| unit.class == 'w' && !unit.agents.is_empty()) {
            let said = &self.scene.text()[unit.range.clone()];
            let Some(operand) = self.operand(unit) else { continue };
            if operand.parse::<i64>().is_ok() {
                self.constant(unit, said);
            }
            let names = words_of(operand).filter(|(_, word)| is_name(word));
            let register = |at: usize| operand[..at].ends_with('%');
            for (at, _) in names {
                let start = at - usize::from(register(at));
                let end = operand[at..].find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let name = &operand[start..end.map_or(operand.len(), |it| at + it)];
                self.stuck(unit, name);
                self.begins(unit, name, operand == name);
            }
            if self.is_free_slot(unit)
                && let Some(new) = turned(said)
            {
                self.corrected(unit, &new, FREE);
                self.freed();
            }
        }
    }

    /// The statements of a block that assign a variable.
    fn assignments(&self, block: usize, name: &str) -> Vec<(&'a Unit, Value)> {
        let units = self.units;
        let own = units.all.iter().filter(|it| it.block == block && it.class == '.');
        let named = own.filter_map(|it| Some((it, assigned(&it.words)?)));
        named.filter(|(_, (known, _))| *known == name).map(|(it, (_, value))| (it, value)).collect()
    }

    /// The parity of a wait in a loop is a number: it can be that of other waits.
    fn constant(&mut self, unit: &Unit, said: &str) {
        let units = self.units;
        if units.loops[unit.list] == 0 {
            return;
        }
        let text = self.scene.text();
        let others = units.all.iter().filter(|it| it.class == 'w' && units.loops[it.list] > 0);
        let others: OrderedSet<String> = others
            .filter_map(|it| self.operand(it))
            .filter(|parity| parity.parse::<i64>().is_err())
            .map(str::to_owned)
            .collect();
        let counter = self.iterated(unit).map(|within| &text[within]);
        let counter = counter.and_then(|it| it.strip_prefix("for ")?.split_whitespace().next());
        let counter = counter.map(|name| format!("{name} & 1"));
        for parity in others.into_iter().take(PARITIES).chain(counter) {
            let Some(new) = with_last_operand(said, &parity) else { continue };
            let both = [turned(&new), Some(new)];
            for new in both.into_iter().flatten() {
                self.corrected(unit, &new, STUCK / 2);
            }
        }
    }

    /// A variable in the parity of a wait has only its first value: its update is missing, or its value is that of another
    /// block.
    fn stuck(&mut self, wait: &Unit, name: &str) {
        let own = self.assignments(wait.block, name);
        let &[(first, Value::Number(_))] = &*own else { return };
        if self.units.loops[first.list] > 0 {
            return self.valued(first, name);
        }
        let Some(within) = self.iterated(wait) else { return };
        let mut all = self.mirrored(&self.places(wait, &within), name);
        if all.is_empty() && !name.starts_with('%') {
            let at = (wait.list, self.units.lists[wait.list].len());
            all.push(Update { fits: 0, new: format!("{name} ^= 1"), at, mirror: None });
        }
        all.sort_by_key(|it| (Reverse(it.fits), Reverse(it.at)));
        all.dedup_by(|one, other| one.new == other.new && one.at == other.at);
        for update in all.into_iter().take(PLACES) {
            self.update(&update);
        }
    }

    /// The value of a variable that each iteration of a loop sets to a number is that of another block.
    fn valued(&mut self, first: &Unit, name: &str) {
        let units = self.units;
        let others = units.all.iter().filter(|it| it.block != first.block && it.class == '.');
        let new: OrderedSet<&str> = others
            .filter(|it| units.loops[it.list] > 0)
            .filter(|it| assigned(&it.words) == Some((name, Value::Other)))
            .map(|it| &*it.words)
            .collect();
        for new in new.into_iter().take(PARITIES) {
            self.corrected(first, new, STUCK);
        }
    }

    /// The neighbours of a place.
    fn near(&self, (list, place): At) -> [Option<&'a Unit>; 2] {
        let units = self.units;
        [place.checked_sub(1).and_then(|at| units.at(list, at)), units.at(list, place)]
    }

    /// The places in a range of statements that contains a wait.
    fn places(&self, wait: &Unit, within: &Range<usize>) -> Vec<At> {
        let units = self.units;
        let is_inside =
            |unit: &Unit| within.start <= unit.range.start && unit.range.end <= within.end;
        let lists = (0..units.lists.len())
            .filter(|&list| units.at(list, 0).is_some_and(is_inside) || list == wait.list);
        let places =
            lists.flat_map(|list| (0..=units.lists[list].len()).map(move |place| (list, place)));
        places.filter(|&at| self.near(at).into_iter().flatten().any(is_inside)).collect()
    }

    /// The updates of other variables, for this one and at these places.
    fn mirrored(&self, places: &[At], name: &str) -> Vec<Update> {
        let mirrors = self.updates();
        let all = mirrors.iter().flat_map(|(mirror, other)| {
            let [before, _] = self.near((mirror.list, mirror.place));
            let after = self.units.at(mirror.list, mirror.place + 1);
            places.iter().map(move |&at| {
                let [own, next] = self.near(at);
                Update {
                    fits: resembles(before, own) + resembles(after, next),
                    new: with_other_name(&mirror.words, other, name),
                    at,
                    mirror: Some(mirror.line),
                }
            })
        });
        all.collect()
    }

    /// Adds an update.
    fn update(&mut self, Update { fits, new, at, mirror }: &Update) -> Option<()> {
        let [before, after] = self.near(*at);
        let beside = before.or(after)?;
        let side = if before.is_some() { Side::After } else { Side::Before };
        let message = edit::add(new, side, beside.said());
        let reason = edit::missing(new, side, beside.said(), *mirror);
        let edit = self.beside(beside, before.is_some(), new);
        self.add(STUCK + fits, message, reason, [edit].into());
        Some(())
    }

    /// The statements that update a variable in the parity of a wait, with the variable.
    fn updates(&self) -> Vec<(&'a Unit, &'a str)> {
        let units = self.units;
        let waits = units.all.iter().filter(|it| it.class == 'w');
        let parities: Vec<&str> = waits.filter_map(|it| self.operand(it)).collect();
        let is_parity = |name: &str| {
            let name = name.trim_start_matches('%');
            parities.iter().any(|it| words_of(it).any(|(_, word)| word == name))
        };
        let own = units.all.iter().filter(|it| it.class == '.');
        let updates = own.filter_map(|it| match assigned(&it.words)? {
            (name, Value::Update) if is_parity(name) => Some((it, name)),
            _ => None,
        });
        updates.collect()
    }

    /// The statements that run again after a wait: the innermost loop around it, or the list from the wait on.
    fn iterated(&self, wait: &Unit) -> Option<Range<usize>> {
        let units = self.units;
        let loops = units.loops[wait.list];
        let around = units.all.iter().filter(|it| {
            it.class == '{'
                && it.range.start < wait.range.start
                && wait.range.end <= it.range.end
                && units.loops[it.list] < loops
        });
        let inner = around.map(|it| it.range.clone()).min_by_key(|it| it.end - it.start);
        let last = units.lists[wait.list].last().map(|&index| units.all[index].range.end);
        match loops {
            0 => {
                last.map(|end| wait.range.start..end).filter(|_| self.scene.text().contains("bra"))
            }
            _ => inner,
        }
    }

    /// A variable that is a whole parity begins with the other phase.
    fn begins(&mut self, wait: &Unit, name: &str, is_whole: bool) {
        let own = self.assignments(wait.block, name);
        let mut numbers = own.iter().filter_map(|(it, value)| match value {
            Value::Number(number @ 0..=1) => Some((*it, *number)),
            _ => None,
        });
        let (Some((first, number)), None) = (numbers.next(), numbers.next()) else { return };
        let updates = own.iter().filter(|(_, value)| *value == Value::Update).count();
        if !is_whole || updates + 1 != own.len() || number == 0 && !self.is_free_slot(wait) {
            return;
        }
        let said = &self.scene.text()[first.range.clone()];
        let Some(at) = said.rfind(|c: char| c.is_ascii_digit()) else { return };
        let new = [&said[..at], &(1 - number).to_string(), &said[at + 1..]].concat();
        let (was, is) = (plain(said), plain(&new));
        let old = Said { words: was.trim_end_matches(';'), line: first.line };
        let is = is.trim_end_matches(';');
        let edit = self.instead(&first.range, &new);
        let score = match number {
            0 => FREE - 4,
            // No term can be written in the wait.
            _ if name.starts_with('%') => FREE / 2,
            _ => LATER,
        };
        self.add(score, edit::write(is, old), edit::wrong(is, old), [edit].into());
        if number == 0 {
            self.freed();
        }
    }

    /// Whether a wait that blocks for the first phase protects a slot that is free at launch: the next
    /// statement writes the slot, the agents that arrive wait for these writes, and they arrive as often as the agent waits.
    fn is_free_slot(&self, unit: &Unit) -> bool {
        let units = self.units;
        let mut next = (unit.place + 1..).map_while(|at| units.at(unit.list, at));
        let next = next.find(|it| "LST".contains(it.class) || it.words.contains("expect"));
        let writes = next.is_some_and(|it| it.class != 'L');
        if !writes || self.rule != RuleId::PtxMbarrierNeverCompletes {
            return false;
        }
        let is_first = |wait: &&Effect| {
            let mut own = self.tally.at(wait.barrier).filter(|it| it.agent == wait.agent);
            let first = own.find(|it| matches!(it.kind, Kind::Wait(_)));
            first.is_some_and(|it| it.start == wait.start && it.kind == Kind::Wait(false))
        };
        let waits = self.tally.by(unit).filter(|it| it.kind == Kind::Wait(false));
        let firsts: Vec<&Effect> = waits.filter(is_first).collect();
        let barriers: OrderedSet<Barrier> = firsts.iter().map(|it| it.barrier).collect();
        let own: OrderedSet<usize> = firsts.iter().map(|it| it.agent).collect();
        let all = || self.tally.effects.iter();
        let feeds = |it: &&Effect| {
            own.contains(&it.agent) && matches!(it.kind, Kind::Arrive(_) | Kind::Complete(_))
        };
        let fed: OrderedSet<Barrier> = all().filter(feeds).map(|it| it.barrier).collect();
        let awaits = |it: &&Effect| matches!(it.kind, Kind::Wait(_)) && fed.contains(&it.barrier);
        let readers: OrderedSet<usize> = all().filter(awaits).map(|it| it.agent).collect();
        let arrives =
            |it: &&Effect| matches!(it.kind, Kind::Arrive(_)) && barriers.contains(&it.barrier);
        let arrive: OrderedSet<usize> = all().filter(arrives).map(|it| it.agent).collect();
        !barriers.is_empty()
            && barriers.iter().all(|barrier| self.tally.suffices(*barrier))
            && arrive.is_subset(&readers)
            && arrive.is_disjoint(&own)
    }
}

/// A statement with one variable or register instead of another.
fn with_other_name(words: &str, old: &str, new: &str) -> String {
    let (old, new) = (old.trim_start_matches('%'), new.trim_start_matches('%'));
    let mut rest = 0;
    let mut all = String::new();
    for (at, word) in words_of(words).filter(|(_, word)| *word == old) {
        all.push_str(&words[rest..at]);
        all.push_str(new);
        rest = at + word.len();
    }
    all + &words[rest..]
}

/// How alike two neighbours of a place are.
fn resembles(one: Option<&Unit>, other: Option<&Unit>) -> i32 {
    match (one, other) {
        (None, None) => 2,
        (Some(one), Some(other)) if one.words == other.words => 3,
        (Some(one), Some(other)) if one.class == other.class && one.class != '.' => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_as_a_whole_word() {
        assert_eq!(with_other_name("p = p ^ step", "p", "q"), "q = q ^ step");
        let update = with_other_name("xor.b32 %r6, %r6, %r61", "%r6", "%r7");
        assert_eq!(update, "xor.b32 %r7, %r7, %r61");
    }
}
