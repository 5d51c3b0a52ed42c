//! Edits that follow from the sums of arrivals and bytes over the whole program.

use super::assigned::{Value, assigned, is_name, with_last_operand};
use super::search::{Search, plain};
use super::spelled::returns_at_once;
use super::tally::Kind;
use super::units::{Class, Unit, words_of};
use crate::edit::fix;
use crate::tell::help::edit::{self, Said, Side};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::rule::RuleId;

/// The likelihood of an edit by which sums fit.
const FOUNDED: i32 = 24;

/// The likelihood of a wait that is missing at the start of a list.
const FIRST: i32 = 12;

/// The likelihood that the number of a name is wrong which only the wrong statements use.
const DEFINED: i32 = 48;

/// How much more likely it is that a statement expects the bytes which its own agents copy.
const OWN: i32 = 6;

/// How much more likely an agent arrives at a numbered barrier where others wait that arrive where it waits.
const TURN: i32 = 8;

/// Lanes of a warp.
const LANES: i64 = 32;

/// Arrives without a wait at a numbered barrier.
const ARRIVES: [(&str, &str); 5] = [
    ("tlx.named_barrier_arrive(", ")"),
    ("barrier.cta.arrive ", ""),
    ("barrier.arrive ", ""),
    ("bar.cta.arrive ", ""),
    ("bar.arrive ", ""),
];

impl Search<'_> {
    /// Expected bytes that are not those which the copies complete.
    pub(super) fn bytes(&mut self) {
        let units = self.units;
        let expects = |it: &&Unit| {
            "ae".contains(it.class)
                && ["expect_tx", "expect_bytes"].iter().any(|word| it.words.contains(word))
        };
        let text = self.scene.text();
        let mut named: OrderedMap<&str, Vec<&Unit>> = OrderedMap::new();
        for unit in units.all.iter().filter(expects) {
            let said = &text[unit.range.clone()];
            let Some(operand) = self.operand(unit) else { continue };
            if is_name(operand.trim_start_matches('%')) {
                named.entry(operand).or_default().push(unit);
            }
            if let Some(bytes) = self.tally.bytes_of(&[unit])
                && let Some(new) = with_last_operand(said, &bytes.to_string())
            {
                let own = i32::from(self.tally.copied_by(unit) == Some(bytes));
                self.corrected(unit, &new, FOUNDED + OWN * own);
                let is_race = matches!(self.rule, RuleId::PtxAsyncCopyAccess | RuleId::MemRace);
                let old = operand.parse::<i64>().ok().filter(|old| is_race && *old < bytes);
                let last = self.found.last_mut().filter(|_| unit.words.contains(operand));
                if let Some((old, last)) = old.zip(last) {
                    last.reason = edit::too_few(&unit.object, unit.said(), [old, bytes]);
                }
            }
        }
        for (name, all) in &named {
            if let Some(bytes) = self.tally.bytes_of(all) {
                self.defined(name, all, bytes);
            }
        }
    }

    /// The number of a name that only some statements use.
    fn defined(&mut self, name: &str, users: &[&Unit], new: i64) -> Option<()> {
        let text = self.scene.text();
        let plain_name = name.trim_start_matches('%');
        let uses = words_of(text).filter(|(_, word)| *word == plain_name);
        let other = |at: &usize| !users.iter().any(|unit| unit.range.contains(at));
        let mut others = uses.map(|(at, _)| at).filter(other);
        let at = others.next().filter(|_| others.next().is_none())?;
        let start = text[..at].rfind(['\n', ';', '{']).map_or(0, |it| it + 1);
        let end = text[at..].find(['\n', ';', '#', '}']).map_or(text.len(), |it| at + it);
        let said = text[start..end].trim();
        let (_, Value::Number(old)) = assigned(said).filter(|(known, _)| *known == name)? else {
            return None;
        };
        let start = start + text[start..end].len() - text[start..end].trim_start().len();
        let range = start..start + said.len();
        let words = plain(said);
        let is = [words.strip_suffix(&old.to_string())?, &new.to_string()].concat();
        let line = fix::place(text, start).line;
        let old = Said { words: &words, line };
        let edit = self.instead(&range, &is);
        self.add(DEFINED, edit::write(&is, old), edit::wrong(&is, old), [edit].into());
        Some(())
    }

    /// Arrives that give the first turn at numbered barriers, before the first wait of each agent.
    pub(super) fn primes(&mut self) {
        let units = self.units;
        let missing = self.tally.unprimed();
        let spelled = ARRIVES.iter().find(|(begins, _)| {
            units.all.iter().any(|it| it.class == 'a' && it.words.starts_with(begins))
        });
        let Some((begins, ends)) = spelled.filter(|_| !missing.is_empty()) else { return };
        for &list in &units.outermost {
            let mut first: OrderedMap<usize, OrderedSet<String>> = OrderedMap::new();
            for (id, threads, agents) in &missing {
                let waits = |place: &usize| {
                    let own = units.at(list, *place).into_iter().flat_map(|it| self.tally.by(it));
                    let mut own = own.filter(|it| matches!(it.kind, Kind::Sync(_))).peekable();
                    own.peek().is_some() && own.all(|it| agents.contains(&it.agent))
                };
                if let Some(place) = (0..units.lists[list].len()).find(waits) {
                    let new = format!("{begins}{id}, {threads}{ends}");
                    first.entry(self.before_loop(list, place)).or_default().insert(new);
                }
            }
            for (place, new) in first {
                let Some(first) = units.at(list, place) else { continue };
                let new = new.into_iter().collect::<Vec<String>>().join("; ");
                let message = edit::add(&new, Side::Before, first.said());
                let reason = edit::missing(&new, Side::Before, first.said(), None);
                let edit = self.beside(first, false, &new);
                self.add(FOUNDED, message, reason, [edit].into());
            }
        }
    }

    /// The place of the label before a place to which a later branch leads back, or the place.
    fn before_loop(&self, list: usize, place: usize) -> usize {
        let units = self.units;
        let label = |at: usize| units.at(list, at).and_then(|it| it.words.strip_suffix(':'));
        let labels = (0..place).rev().take_while(|at| label(*at).is_some());
        let later = || (place..).map_while(|at| units.at(list, at));
        let leads_back = |at: &usize| {
            let leads = |it: &Unit| {
                it.words.contains("bra") && it.words.split_whitespace().next_back() == label(*at)
            };
            later().any(leads)
        };
        labels.filter(leads_back).last().unwrap_or(place)
    }

    /// Counts of inits by a name that nothing else uses.
    pub(super) fn named_counts(&mut self) {
        let units = self.units;
        let mut named: OrderedMap<&str, OrderedSet<Option<i64>>> = OrderedMap::new();
        let mut users: OrderedMap<&str, Vec<&Unit>> = OrderedMap::new();
        for unit in units.all.iter().filter(|it| it.class == 'i') {
            let Some(operand) = self.operand(unit) else { continue };
            if is_name(operand.trim_start_matches('%')) {
                let count = self.tally.count_of(&unit.object);
                let count = count.filter(|_| !self.may_lack(&unit.object));
                named.entry(operand).or_default().insert(count);
                users.entry(operand).or_default().push(unit);
            }
        }
        for (name, counts) in &named {
            if let [Some(count)] = &*counts.iter().copied().collect::<Vec<Option<i64>>>() {
                self.defined(name, &users[name], *count);
            }
        }
    }

    /// Whether a count of an init is that of the arrivals of each phase, and no agent that may have to arrive does not.
    pub(super) fn is_summed(&self, unit: &Unit, old: i64, new: i64) -> bool {
        // The lanes of warps may arrive.
        let by_lanes = !unit.words.contains("tlx.") && new.checked_mul(LANES) == Some(old);
        let drops = |it: &Unit| it.object == unit.object && it.words.contains("drop");
        let fits = match self.tally.is_repeated(&unit.object) {
            Some(true) => true,
            // One arrive of one phase shows only that a count of two is too high.
            Some(false) => (old, new) == (2, 1) && !self.units.all.iter().any(drops),
            None => false,
        };
        let agents = self.scene.context().map_or(0, |it| it.program.agents.len());
        unit.class == 'i'
            && agents > 1
            && !by_lanes
            && fits
            && self.tally.count_of(&unit.object) == Some(new)
            && !self.may_lack(&unit.object)
    }

    /// Whether an agent that does not use an object may be one that should arrive there: it has no part in other
    /// barriers, or it waits for what an agent waits for that arrives.
    pub(super) fn may_lack(&self, object: &str) -> bool {
        let units = self.units;
        let own = |agent: usize, classes: &str| -> OrderedSet<&str> {
            let all = units.all.iter().filter(|it| classes.contains(it.class));
            let all =
                all.filter(|it| it.agents.contains(&agent) && self.names.contains(&it.object));
            all.map(|it| &*it.object).collect()
        };
        let (present, arrive) = (units.agents(object, "abwde"), units.agents(object, "abd"));
        let waited: OrderedSet<&str> = arrive.iter().flat_map(|&agent| own(agent, "w")).collect();
        let all = self.scene.context().map_or(0, |it| it.program.agents.len());
        let mut absent = (0..all).filter(|agent| !present.contains(agent));
        absent.any(|agent| own(agent, "awe").is_empty() || !own(agent, "w").is_disjoint(&waited))
    }

    /// How likely a wait is the missing first one of a list: no agent waits at the object, or agents that arrive at an
    /// object of this block wait there, and this block neither arrives nor waits there.
    pub(super) fn leads(
        &self,
        class: Class,
        (text, object): (&str, &str),
        (list, place): (usize, usize),
    ) -> i32 {
        let units = self.units;
        let here = || units.lists[list].iter().map(|&index| &units.all[index]);
        let is_plain = |it: &&Unit| {
            it.class == '.' && (assigned(&it.words).is_some() || it.words.ends_with(':'))
        };
        let plain = here().take_while(is_plain).count();
        let mut arrive = units.all.iter().filter(|it| it.class == 'a' && it.object == object);
        let is_deeper = arrive.all(|it| units.loops[it.list] != units.loops[list]);
        let (Some(next), 'w') = (units.at(list, place), class) else { return 0 };
        let block = || units.all.iter().filter(|it| it.block == next.block);
        let feeds = |object: &str| {
            let acts = |it: &Unit| it.object == object || it.completes == object;
            block().any(|it| "aT".contains(it.class) && acts(it))
        };
        // A wait for what its own block completes names the wrong object.
        let waits_here = |it: &Unit| it.object == object || feeds(&it.object);
        let waits_here = block().any(|it| it.class == 'w' && waits_here(it));
        if place != plain || units.loops[list] == 0 || feeds(object) || waits_here {
            return 0;
        }
        let arrives: OrderedSet<&str> =
            block().filter(|it| it.class == 'a').map(|it| &*it.object).collect();
        let waits = units.all.iter().filter(|it| it.class == 'w' && it.object == object);
        let is_peer = |wait: &Unit| {
            let mut own = units.all.iter().filter(|it| it.block == wait.block && it.class == 'a');
            own.any(|it| arrives.contains(&*it.object))
        };
        let mut waits = waits.peekable();
        let unwaited = waits.peek().is_none();
        if !unwaited && !waits.any(is_peer) {
            return 0;
        }
        let first = here().find(|it| "LST".contains(it.class) || it.words.contains("expect"));
        let writes = first.is_some_and(|it| it.class != 'L');
        FIRST - 6 * i32::from(is_deeper)
            + 3 * i32::from(returns_at_once(text.split('\n').next().unwrap_or_default()) == writes)
    }

    /// How likely a statement of a list at a numbered barrier arrives for others there, and does not wait.
    pub(super) fn turns(&self, class: Class, object: &str, list: usize) -> i32 {
        let Some(number) = object.parse().ok().filter(|_| "ab".contains(class)) else { return 0 };
        let own = self.units.lists[list].iter().flat_map(|&index| &self.units.all[index].agents);
        let arrives = self.tally.arrives_for(&own.copied().collect(), number);
        let sign = if class == 'a' { 1 } else { -1 };
        sign * TURN * i32::from(arrives)
    }
}
