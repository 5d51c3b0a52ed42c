//! Candidates for an edit, most likely first: a statement exchanged with its neighbour or moved, a missing counterpart,
//! a corrected number, parity or name.
//!
//! Likelihood is derived from the text: other agents, stages and iterations perform the same operations in the same
//! order. An edit is more likely if it creates more pairs of neighbours that also occur elsewhere, breaks fewer of
//! them, is closer to the finding, and changes less. This module does not determine whether an edit helps: each is
//! checked.

use super::balance::is_fed;
use super::spelled::{counterparts, expects, numbers, renamed, turned};
use super::units::{Class, Unit, Units, object, synchronises, words_of};
use crate::cause::amd::Absence;
use crate::cause::field::Word;
use crate::memory::fix;
use crate::report::{Cause, Edit, Finding, Fix, Value};
use crate::scene::Scene;
use crate::tell::help::edit::{self, Side as Where};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;
use tidegate_lang::diagnostic::Span;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::rule::RuleId;

/// A change, and how likely it is what was meant.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) score: i32,
    pub(super) fix: Fix,
    /// The operation that would have to change, in a sentence.
    pub(super) reason: String,
    /// Whether it changes what a statement says.
    pub(super) corrects: bool,
}

/// Pairs of classes that are neighbours in every vocabulary.
const IDIOMS: &str = "aw cC ja SR Ra wA CA AL Rc Tm mk kR kL Tg gk ib vc iv ic bL Sb Lb aF Fw FL SF Fa wF CF Fc kF wL La wS Sa Rb bA";
/// Those of them that act on one object.
const OF_ONE: &str = "aw ja ib";
/// Furthest that a statement is moved.
const FURTHEST: usize = 5;
/// Rules that are broken where something is not ordered before what follows it.
const UNORDERED: [RuleId; 4] = [
    RuleId::MemRace,
    RuleId::AmdInitFirst,
    RuleId::PtxMbarrierValidObject,
    RuleId::PtxMbarrierInitVisibility,
];
/// Rules that require an earlier join.
const OF_JOINS: [RuleId; 2] = [RuleId::AmdJoinBeforeDrop, RuleId::AmdJoinBeforeWait];
/// Rules about counts that do not fit, which no move puts right.
const OF_COUNTS: [RuleId; 5] = [
    RuleId::AmdMachineCountWidth,
    RuleId::PtxMbarrierCountRange,
    RuleId::PtxBarCountMultiple,
    RuleId::PtxBarCountMismatch,
    RuleId::TlxArriveCount,
];

/// The spellings of the barrier of a CTA.
const BARS: [&str; 6] = [
    "bar.sync ",
    "barrier.sync ",
    "bar.cta.sync ",
    "barrier.cta.sync ",
    "barrier.sync.aligned ",
    "barrier.cta.sync.aligned ",
];
/// The number of spellings that are tried if the text has none.
const USUAL: usize = 2;

/// One side of a pair: its class and its object.
type Side<'a> = (Class, &'a str);

pub(super) struct Search<'a> {
    pub(super) scene: &'a Scene,
    pub(super) units: &'a Units,
    pub(super) names: Vec<String>,
    /// How often classes are neighbours, on one object or not.
    pairs: OrderedMap<(Class, Class, bool), i32>,
    pub(super) rule: RuleId,
    /// Agents that never arrive, where that is the cause.
    never: OrderedSet<usize>,
    /// The names of the objects of the cause.
    pub(super) objects: OrderedSet<&'a str>,
    /// The barriers at which every agent waits, with how many arrived.
    pub(super) gathered: OrderedMap<&'a str, i64>,
    /// The line of the finding, and the lines that it names.
    pub(super) line: Option<u32>,
    pub(super) lines: OrderedSet<u32>,
    pub(super) found: Vec<Candidate>,
}

/// The candidates for a finding.
pub(super) fn candidates<'a>(
    scene: &'a Scene,
    units: &'a Units,
    target: &str,
    finding: &'a Finding,
) -> Vec<Candidate> {
    let Some(rule) = RuleId::from_name(&finding.rule) else { return Vec::new() };
    let agents = 0..scene.context().map_or(0, |it| it.program.agents.len());
    let never = match *finding.cause.names("why") {
        [ref why] if why == Absence::Never.word() => finding.cause.names("agents"),
        _ => &[],
    };
    let places = finding.cause.places();
    let lines = places.iter().map(|place| place.line).filter(|line| *line > 0);
    let related = finding.related.iter().map(|related| related.line);
    let mut search = Search {
        scene,
        units,
        names: scene.barrier_names(),
        pairs: OrderedMap::new(),
        rule,
        never: agents
            .clone()
            .filter(|&agent| never.iter().any(|it| it == scene.agent_name(agent)))
            .collect(),
        objects: objects(&finding.cause),
        gathered: gathered(&finding.cause, agents.len()),
        line: finding.line,
        lines: lines.chain(related).chain(finding.line).collect(),
        found: Vec::new(),
    };
    for (list, length) in units.lists.iter().map(Vec::len).enumerate() {
        for pair in search.chain(list, 0..length).windows(2) {
            *search.pairs.entry(key(pair)).or_default() += 1;
        }
    }
    let barriers = if search.is_unordered() { barriers(scene.text(), target) } else { Vec::new() };
    if rule != RuleId::MemRace {
        barriers.iter().for_each(|barrier| search.rounds(barrier));
    }
    if !OF_COUNTS.contains(&rule) {
        search.moves();
    }
    search.additions(&barriers);
    search.corrections();
    if rule == RuleId::MemRace {
        search.atomic_updates();
    }
    search.found
}

/// The words of the objects and of the operations that a cause is about, without its facts.
fn objects(cause: &Cause) -> OrderedSet<&str> {
    let names = ["object", "objects", "named"].into_iter().flat_map(|name| cause.names(name));
    let own = cause.fields.values().flat_map(|value| match value {
        Value::Place(place) => slice::from_ref(place),
        Value::Places(places) => places,
        _ => &[],
    });
    let said = names.chain(own.map(|place| &place.operation));
    said.flat_map(|said| words_of(said)).map(|(_, word)| word).collect()
}

/// The barriers at which all agents wait, with the arrivals there.
fn gathered(cause: &Cause, agents: usize) -> OrderedMap<&str, i64> {
    let mut found = OrderedMap::new();
    for fact in cause.facts_of("work-items-blocked") {
        if let ([object], Some(Value::Number(arrived))) =
            (fact.names("object"), fact.fields.get("arrived"))
            && fact.names("agents").len() == agents
        {
            found.insert(&**object, *arrived);
        }
    }
    found
}

/// The barriers that synchronise all agents, in the spelling of the text where it has one.
fn barriers(text: &str, target: &str) -> Vec<String> {
    let is_written = |name: &&&str| text.contains(**name);
    let spelled = |names: &[&str], arguments: &[&str]| -> Vec<String> {
        let written = names.iter().filter(is_written).count() > 0;
        let most = if written { names.len() } else { USUAL };
        let names = names[..most.min(names.len())].iter();
        let names = names.filter(|name| !written || is_written(name));
        names.flat_map(|name| arguments.iter().map(move |it| [*name, it].concat())).collect()
    };
    let flags = ["CLK_LOCAL_MEM_FENCE)", "CLK_GLOBAL_MEM_FENCE)"];
    let later = ["mem_fence::local)", "mem_fence::global)"];
    match () {
        () if target.starts_with("sm_") => {
            let mut found = spelled(&BARS, &["0"]);
            if text.contains("cluster.arrive") {
                found.push("barrier.cluster.arrive; barrier.cluster.wait".to_owned());
            }
            found
        }
        () if text.contains("mem_fence::") => spelled(&["work_group_barrier("], &later),
        () if text.contains(" work_group_barrier(") => spelled(&["work_group_barrier("], &flags),
        () if target == "opencl" => spelled(&["barrier("], &flags),
        () if text.contains("s_barrier_signal") => {
            vec!["s_barrier_signal -1; s_barrier_wait -1".to_owned()]
        }
        () => vec!["arrive wg; wait wg".to_owned()],
    }
}

fn side(unit: &Unit) -> Side<'_> {
    (unit.class, &unit.object)
}

fn key(pair: &[Side<'_>]) -> (Class, Class, bool) {
    (pair[0].0, pair[1].0, !pair[0].1.is_empty() && pair[0].1 == pair[1].1)
}

impl<'a> Search<'a> {
    /// Whether the finding may need a barrier that is nowhere.
    pub(super) fn is_unordered(&self) -> bool {
        UNORDERED.contains(&self.rule)
    }

    /// The statements of a range with their neighbours.
    fn chain(&self, list: usize, range: Range<usize>) -> Vec<Side<'a>> {
        let units = self.units;
        let at = |place: Option<usize>| {
            place.and_then(|place| units.at(list, place)).map_or(('|', ""), side)
        };
        let places = range.clone().map(Some).chain([Some(range.end)]);
        [range.start.checked_sub(1)].into_iter().chain(places).map(at).collect()
    }

    /// How usual the pairs of neighbours are, skipping the first ones.
    fn usual(&self, chain: &[Side<'_>], beyond: i32) -> i32 {
        let usual = |pair: &[Side<'_>]| {
            let key = key(pair);
            let idiom = [key.0, key.1].iter().collect::<String>();
            let known = IDIOMS.contains(&idiom) && (key.2 || !OF_ONE.contains(&idiom));
            (self.pairs.get(&key).copied().unwrap_or(0) - beyond).clamp(0, 3) + 2 * i32::from(known)
        };
        chain.windows(2).map(usual).sum()
    }

    /// How much better other statements fit instead of a range of a list.
    pub(super) fn fits(&self, list: usize, range: Range<usize>, new: &[Side<'_>]) -> i32 {
        let old = self.chain(list, range);
        let mut chain: Vec<Side<'_>> = vec![old[0]];
        chain.extend(new);
        chain.push(old[old.len() - 1]);
        self.usual(&chain, 0) - self.usual(&old, 1)
    }

    /// How closely a finding concerns a line.
    pub(super) fn concerns(&self, unit: &Unit) -> i32 {
        let near = self.lines.iter().map(|at| at.abs_diff(unit.line)).min().unwrap_or(9);
        [3, 2, 1, 1].get(near as usize).copied().unwrap_or(0) + i32::from(self.is_named(unit))
    }

    /// Whether a finding names the barrier of a statement.
    pub(super) fn is_named(&self, unit: &Unit) -> bool {
        self.objects.contains(&*unit.object) && self.names.contains(&unit.object)
    }

    pub(super) fn add(&mut self, score: i32, message: String, reason: String, edits: Vec<Edit>) {
        if let Some(fix) = fix::fix(message, edits) {
            self.found.push(Candidate { score, fix, reason, corrects: false });
        }
    }

    /// Statements that change their places within a list.
    fn moves(&mut self) {
        for list in 0..self.units.lists.len() {
            let length = self.units.lists[list].len();
            for from in 0..length {
                for to in from.saturating_sub(FURTHEST)..(from + FURTHEST + 1).min(length) {
                    self.moved(list, from, to);
                }
            }
        }
    }

    fn moved(&mut self, list: usize, from: usize, to: usize) -> Option<()> {
        let (unit, there) = (self.units.at(list, from)?, self.units.at(list, to)?);
        let far = from.abs_diff(to);
        // Of two neighbours, the one that synchronises moves, otherwise the first.
        let second = far == 1 && from > to && synchronises(there.class);
        let range = from.min(to)..from.max(to) + 1;
        let leads = range.clone().filter_map(|place| self.units.at(list, place)).any(leads_away);
        // A branch to a label leads to the same statements as before.
        let mut later = range.clone().skip(1).filter_map(|place| self.units.at(list, place));
        let leads = leads || later.any(|unit| unit.is_target);
        let beside = |place: Option<usize>, classes: &str| {
            let unit = place.and_then(|place| self.units.at(list, place));
            unit.is_some_and(|unit| classes.contains(unit.class))
        };
        // Statements before a barrier stay there. A mark stays with its copy, and a wait with its access; if a mark is
        // missing, no wait is misplaced.
        let dissolves = match unit.class {
            'i' => to > from && !synchronises(there.class),
            'd' => to > from,
            'a' | 'w' | 'b' if self.crosses(list, from, to) => true,
            'm' | 'g' => beside(from.checked_sub(1), "T"),
            'e' if to > from => true,
            'b' if self.is_uneven(&unit.object) => true,
            'k' if to < from && beside(Some(from + 1), "Lb") => true,
            'k' => self.lacks('m', "", unit.block) > 0 || self.lacks('g', "", unit.block) > 0,
            'b' if to > from => self.is_for_others(list, from, to),
            _ => self.rule == RuleId::AmdBarrierOutstandingMemory && "LST".contains(there.class),
        };
        let dissolves = dissolves || self.is_short(unit) || self.dissolves(list, from, to);
        if far == 0 || !synchronises(unit.class) || second || leads || dissolves {
            return None;
        }
        let mut new = self.chain(list, range.clone());
        new.remove(0);
        new.pop();
        let moved = new.remove(from - range.start);
        new.insert(to - range.start, moved);
        let score =
            7 + self.fits(list, range, &new) + self.concerns(unit).max(self.concerns(there))
                - 6 * i32::from(there.class == '{')
                + 10 * i32::from(unit.class == 'j' && to < from && OF_JOINS.contains(&self.rule))
                + 12 * i32::from(to < from && self.is_late(unit, to))
                - if far == 1 { 0 } else { 4 * far as i32 };
        let side = if to > from { Where::After } else { Where::Before };
        let message = edit::move_to(unit.said(), side, there.said());
        let reason = edit::misplaced(unit.said(), side, there.said());
        let text = self.scene.text();
        let moved = &text[unit.range.clone()];
        let edits = match far {
            1 => vec![
                self.instead(&unit.range, &text[there.range.clone()]),
                self.instead(&there.range, moved),
            ],
            _ => {
                let end = unit.range.end;
                let end = end + usize::from(text[end..].starts_with(';'));
                let removed = self.instead(&(unit.range.start..end), "");
                vec![removed, self.beside(there, to > from, moved)]
            }
        };
        self.add(score, message, reason, edits);
        Some(())
    }

    /// Statements that occur elsewhere, directly or mirrored, and are missing here.
    fn additions(&mut self, barriers: &[String]) {
        let mut found: OrderedMap<String, (Class, String, Option<usize>)> = OrderedMap::new();
        let units = self.units;
        let own = || units.all.iter().enumerate().filter(|(_, it)| synchronises(it.class));
        let copies = || units.all.iter().filter(|it| it.class == 'T');
        let used: OrderedSet<&String> = own().map(|(_, unit)| &unit.object).collect();
        for (index, unit) in own().filter(|(_, unit)| !unit.agents.is_empty()) {
            let text = &self.scene.text()[unit.range.clone()];
            found.insert(text.to_owned(), (unit.class, unit.object.clone(), Some(index)));
        }
        for (_, unit) in own() {
            let text = &self.scene.text()[unit.range.clone()];
            // A statement that already exists in one spelling is not added in another.
            let is_new = |class: Class, object: &str| {
                !own()
                    .any(|(_, it)| it.class == class && (object.is_empty() || it.object == object))
            };
            for &other in used.iter().filter(|other| self.are_alike(&unit.object, other)) {
                if is_new(unit.class, other)
                    && let Some(new) = renamed(text, &unit.object, other)
                {
                    // A mirrored wait is for the other phase.
                    if let Some(turned) = turned(&new).filter(|_| unit.class == 'w') {
                        found.entry(turned).or_insert((unit.class, other.clone(), None));
                    }
                    found.entry(new).or_insert((unit.class, other.clone(), None));
                }
            }
            for (new, class) in counterparts(unit, &self.amounts(&unit.object)) {
                let fits = match class {
                    'v' => self.scene.text().contains("cluster.arrive") && is_new(class, ""),
                    'k' | 'm' | 'g' | 'j' | 'R' | 'A' => true,
                    _ => is_new(class, &unit.object),
                };
                if fits {
                    found.entry(new).or_insert((class, unit.object.clone(), None));
                }
            }
        }
        for unit in copies() {
            for (new, class) in counterparts(unit, &OrderedSet::new()) {
                found.entry(new).or_insert((class, String::new(), None));
            }
            let all = copies().filter(|it| it.completes == unit.completes && it.list == unit.list);
            let expected =
                own().any(|(_, it)| it.object == unit.completes && it.words.contains("expect"));
            let bytes = all.map(|it| it.amount).fold(0, i64::saturating_add);
            if let Some(new) = expects(unit, bytes).filter(|_| !expected) {
                found.entry(new).or_insert(('a', unit.completes.clone(), None));
            }
        }
        for barrier in barriers {
            found.entry(barrier.clone()).or_insert(('b', String::new(), None));
        }
        for (text, (class, object, origin)) in &found {
            for list in 0..units.lists.len() {
                for place in 0..=units.lists[list].len() {
                    self.added((text, *class, object), *origin, (list, place));
                }
            }
        }
    }

    fn added(
        &mut self,
        (text, class, object): (&str, Class, &str),
        origin: Option<usize>,
        (list, place): (usize, usize),
    ) -> Option<()> {
        let units = self.units;
        let before = place.checked_sub(1).and_then(|at| units.at(list, at));
        let after = units.at(list, place);
        let anchor = before.or(after)?;
        // An init by one thread follows the branch of the others.
        if before.is_some_and(|it| leads_away(it) && !(class == 'i' && it.words.starts_with('@'))) {
            return None;
        }
        // A loop does not get what its mirror has outside of loops.
        let loops = |index: usize| units.loops[units.all[index].list];
        let is_deeper = match origin.map(loops) {
            Some(loops) => units.loops[list] > loops,
            None => class == 'b' && units.loops[list] > 0,
        };
        if class == 'a' && (self.is_even(object, list) || self.meets_itself(object, list)) {
            return None;
        }
        // A join of NULL leaves a barrier: it would end the meeting.
        if class == 'j' && (text.contains("null") || numbers(text).iter().any(|one| one.1 == 0)) {
            return None;
        }
        // More arrivals than the barrier is missing would begin another generation.
        if "ab".contains(class) && self.is_surplus((text, object), list) {
            return None;
        }
        // A group of nothing is no group.
        if class == 'g' && [before, after].into_iter().flatten().any(|it| it.class == 'g') {
            return None;
        }
        let near = [before, after].into_iter().flatten().map(|unit| self.concerns(unit)).max();
        let again = [before, after]
            .into_iter()
            .flatten()
            .any(|unit| unit.class == class && (unit.object == object) && "awkm".contains(class));
        let named = match anchor.agents.is_disjoint(&self.never) {
            _ if class != 'a' || self.never.is_empty() => 0,
            true => -9,
            false => 6,
        };
        let score = self.fits(list, place..place, &[(class, object)])
            + near.unwrap_or(0)
            + self.lacks(class, object, anchor.block)
            - 6 * i32::from(again)
            - 6 * i32::from(is_deeper)
            - 6 * i32::from("mg".contains(class) && self.is_apart(list))
            + 8 * i32::from("RA".contains(class) && origin.is_none())
            + named
            + self.rank(class, object, text)
            + 6 * i32::from(class == 'a' && after.is_some_and(|it| is_fed(it, object)))
            + if origin.is_some() { 2 } else { 0 };
        let (beside, is_after) = match before {
            Some(unit) if unit.class != '{' || after.is_none() => (unit, true),
            _ => (after.unwrap_or(anchor), false),
        };
        let side = if is_after { Where::After } else { Where::Before };
        let mirror = origin.map(|index| &units.all[index]);
        let mirror = mirror.filter(|unit| unit.block != anchor.block);
        let text = match self.lacking(object, list).filter(|_| class == 'a') {
            Some(who) if text.contains("arrive ") || text.contains("s_barrier_signal ") => {
                format!("if {who} {{ {text} }}")
            }
            _ => self.fresh(text),
        };
        let said = plain(&text);
        let reason = edit::missing(&said, side, beside.said(), mirror.map(|unit| unit.line));
        let message = edit::add(&said, side, beside.said());
        let edit = self.beside(beside, is_after, &text);
        self.add(score, message, reason, vec![edit]);
        Some(())
    }

    /// Whether two barriers are named in the same way.
    pub(super) fn are_alike(&self, one: &str, other: &str) -> bool {
        let is_named = |name: &str| self.names.iter().any(|known| known == name);
        one != other && is_named(one) == is_named(other)
    }

    /// Barriers for all agents: after the last init of a block, and at the start of every other block.
    fn rounds(&mut self, barrier: &str) {
        let units = self.units;
        // Some agents have such a barrier, which others lack.
        let object = object(barrier, &self.names);
        if self.is_uneven(&object) {
            return;
        }
        let Some(init) = units.all.iter().rfind(|it| it.class == 'i' && !it.agents.is_empty())
        else {
            return;
        };
        let others = units.outermost.iter().filter_map(|&list| units.at(list, 0));
        let others: Vec<&Unit> = others.filter(|unit| unit.block != init.block).collect();
        let mut edits = vec![self.beside(init, true, barrier)];
        edits.extend(others.iter().map(|unit| self.beside(unit, false, barrier)));
        let also = others.iter().map(|unit| unit.said());
        let message = edit::add_everywhere(barrier, init.said(), also);
        self.add(4, message, String::new(), edits);
    }

    /// A text with a label that no other statement has.
    fn fresh(&self, text: &str) -> String {
        let rest = unlabelled(text);
        let label = text[..text.len() - rest.len()].trim_end().trim_end_matches(':');
        let taken = |name: &str| words_of(self.scene.text()).any(|(_, word)| word == name);
        let mut names = (2..99).map(|number| format!("{label}{number}"));
        match names.find(|name| !taken(name)).filter(|_| !label.is_empty()) {
            Some(new) => match rest.rsplit_once(label) {
                Some((head, tail)) => [&new, ": ", head, &new, tail].concat(),
                None => [&new, ": ", rest].concat(),
            },
            None => text.to_owned(),
        }
    }

    pub(super) fn instead(&self, range: &Range<usize>, new: &str) -> Edit {
        let before = &self.scene.text()[..range.start];
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        let span = Span {
            start: range.start as u32,
            length: (range.end - range.start) as u32,
            line: before.matches('\n').count() as u32 + 1,
            column: before[begins..].chars().count() as u32 + 1,
        };
        fix::instead(span, new)
    }

    /// A statement before or after another.
    fn beside(&self, unit: &Unit, after: bool, new: &str) -> Edit {
        let Range { start, end } = unit.range;
        match after {
            true => self.instead(&(end..end), &format!("; {new}")),
            false => self.instead(&(start..start), &format!("{new}; ")),
        }
    }
}

pub(super) fn plain(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A statement without its label.
pub(super) fn unlabelled(said: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
    match said.split_once(':') {
        Some((label, rest))
            if !label.is_empty() && label.chars().all(is_name) && !rest.starts_with(':') =>
        {
            rest.trim_start()
        }
        _ => said,
    }
}

/// Whether a statement leads elsewhere: what follows may not be performed.
fn leads_away(unit: &Unit) -> bool {
    const WORDS: [&str; 9] =
        ["return", "exit", "break", "continue", "bra", "goto", "ret", "s_endpgm", "s_branch"];
    unit.class == '.'
        && (unit.words.starts_with('@')
            || unit.words.ends_with(':')
            || words_of(&unit.words)
                .next()
                .is_some_and(|(_, word)| WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))))
}
