//! Candidates for an edit, most likely first: a statement exchanged with its neighbour or moved, a missing counterpart,
//! a corrected number, parity or name.
//!
//! Likelihood is derived from the text: other agents, stages and iterations perform the same operations in the same
//! order. An edit is more likely if it creates more pairs of neighbours that also occur elsewhere, breaks fewer of
//! them, is closer to the finding, and changes less. This module does not determine whether an edit helps: each is
//! checked.

use super::assigned::last_operand;
use super::spelled::barriers;
use super::tally::Tally;
use super::units::{Class, Unit, Units, synchronises, words_of};
use crate::cause::amd::Absence;
use crate::cause::field::Word;
use crate::edit::fix;
use crate::edit::written::Written;
use crate::report::{Cause, Edit, Finding, Fix, Value};
use crate::scene::Scene;
use crate::tell::help::edit::{self, Side as Where};
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
    /// The statement that it moves or adds, if it does only that.
    pub(super) shift: Option<Shift>,
    /// Whether it lets the first wait for a free slot return at launch.
    pub(super) frees: bool,
}

/// A statement that a candidate moves or adds.
#[derive(Clone, Debug)]
pub(super) struct Shift {
    /// The statement, also its neighbour if the two change places.
    words: Vec<String>,
    list: usize,
    adds: bool,
}

impl Candidate {
    /// Whether it adds a statement that another candidate moves within the same list.
    pub(super) fn adds_what_moves_by(&self, other: &Self) -> bool {
        self.shift.as_ref().zip(other.shift.as_ref()).is_some_and(|(own, other)| {
            own.adds
                && !other.adds
                && own.list == other.list
                && own.words.iter().any(|it| other.words.contains(it))
        })
    }
}

/// Pairs of classes that are neighbours in every vocabulary.
const IDIOMS: &str = "aw cC ja SR Ra wA CA AL Rc Tm mk kR kL Tg gk ib vc iv ic bL Sb Lb aF Fw FL SF Fa wF CF Fc kF wL La wS Sa Rb bA";
/// The statements among them that act on one object.
const OF_ONE: &str = "aw ja ib";
/// Furthest that a statement is moved.
const FURTHEST: usize = 5;
/// The likelihood that a statement in a loop that polls belongs before it.
const POLLED: i32 = 20;
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

/// One side of a pair: its class and its object.
type Side<'a> = (Class, &'a str);

pub(super) struct Search<'a> {
    pub(super) scene: &'a Scene,
    pub(super) units: &'a Units,
    pub(super) written: Written<'a>,
    pub(super) tally: &'a Tally,
    pub(super) names: Vec<String>,
    /// How often classes are neighbours, on one object or not.
    pairs: OrderedMap<(Class, Class, bool), i32>,
    pub(super) rule: RuleId,
    /// Agents that never arrive, where that is the cause.
    pub(super) never: OrderedSet<usize>,
    /// Agents that would arrive later, but are blocked.
    pub(super) held: OrderedSet<usize>,
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
    (units, written, tally): (&'a Units, Written<'a>, &'a Tally),
    target: &str,
    finding: &'a Finding,
) -> Vec<Candidate> {
    let Some(rule) = RuleId::from_name(&finding.rule) else { return Vec::new() };
    let agents = 0..scene.context().map_or(0, |it| it.program.agents.len());
    let named = |names: &[String]| -> OrderedSet<usize> {
        agents
            .clone()
            .filter(|&agent| names.iter().any(|it| it == scene.agent_name(agent)))
            .collect()
    };
    let never = match *finding.cause.names("why") {
        [ref why] if why == Absence::Never.word() => finding.cause.names("agents"),
        _ => &[],
    };
    let places = finding.cause.places();
    let lines = places.iter().map(|place| place.line).filter(|line| *line > 0);
    let related = finding.related.iter().map(|related| related.line);
    let held = finding.cause.facts_of("blocked-before-arrive");
    let mut search = Search {
        scene,
        units,
        written,
        tally,
        names: scene.barrier_names(),
        pairs: OrderedMap::new(),
        rule,
        never: named(never),
        held: held.flat_map(|fact| named(fact.names("agents"))).collect(),
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
    // A barrier is missing for some agents or for all.
    let barriers = match search.is_unordered() || !units.uneven(scene).is_empty() {
        true => barriers(written, target),
        false => Vec::new(),
    };
    if search.is_unordered() && rule != RuleId::MemRace {
        barriers.iter().for_each(|barrier| search.rounds(barrier));
    }
    if !OF_COUNTS.contains(&rule) {
        search.moves();
    }
    search.unguards();
    search.additions(&barriers);
    search.corrections();
    search.bytes();
    search.named_counts();
    search.primes();
    search.parities();
    search.repeats();
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
        let new: Vec<&str> = edits.iter().map(|it| it.replacement.trim()).collect();
        let declared = self.written.declarations(&new.join("\n").replace('\n', "; "));
        let edits = edits.into_iter().chain(declared).collect();
        if let Some(fix) = fix::fix(message, edits) {
            self.found.push(Candidate { score, fix, reason, shift: None, frees: false });
        }
    }

    /// Statements that change their places within a list.
    fn moves(&mut self) {
        for list in 0..self.units.lists.len() {
            let length = self.units.lists[list].len();
            for from in 0..length {
                self.polled(list, from);
                self.guarded(list, from);
                for to in from.saturating_sub(FURTHEST)..(from + FURTHEST + 1).min(length) {
                    self.moved(list, from, to);
                }
            }
        }
    }

    /// A statement between a wait and the branch that repeats the wait moves before the label.
    fn polled(&mut self, list: usize, place: usize) -> Option<()> {
        let text = self.scene.text();
        let (wait, branch) = (self.units.at(list, place.checked_sub(1)?)?, place + 1);
        let (unit, branch) = (self.units.at(list, place)?, self.units.at(list, branch)?);
        let before = text[..wait.range.start].trim_end().strip_suffix(':')?;
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || "_$".contains(c)))? + 1;
        let label = &before[start..];
        let repeats = wait.is_target
            && branch.words.starts_with('@')
            && branch.words.split_whitespace().next_back() == Some(label);
        if !repeats || !synchronises(unit.class) || label.is_empty() {
            return None;
        }
        let end = unit.range.end;
        let end = end + usize::from(text[end..].starts_with(';'));
        let moved = format!("{}; ", &text[unit.range.clone()]);
        let edits =
            vec![self.instead(&(start..start), &moved), self.instead(&(unit.range.start..end), "")];
        let message = edit::move_to(unit.said(), Where::Before, wait.said());
        let reason = edit::misplaced(unit.said(), Where::Before, wait.said());
        self.add(POLLED, message, reason, edits);
        Some(())
    }

    fn moved(&mut self, list: usize, from: usize, to: usize) -> Option<()> {
        let (unit, there) = (self.units.at(list, from)?, self.units.at(list, to)?);
        let far = from.abs_diff(to);
        // The neighbour that synchronises moves; if neither does, the first.
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
            // A store of TLX is a group by itself.
            'k' if unit.words.starts_with("tlx.") => false,
            'k' => self.lacks('m', "", unit.block) > 0 || self.lacks('g', "", unit.block) > 0,
            'a' | 'w' if self.is_passed(unit, to) => true,
            'b' if self.passes_atomic(unit, to) => true,
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
        let own = [unit].into_iter().chain(Some(there).filter(|_| far == 1));
        // An arrive or wait of another round is no copy of a missing one.
        let own = own.filter(|it| "RAFkvg".contains(it.class));
        self.shifted(own.map(|it| it.words.clone()).collect(), list, false);
        Some(())
    }

    /// The last candidate only moves or adds a statement.
    pub(super) fn shifted(&mut self, words: Vec<String>, list: usize, adds: bool) {
        if let Some(last) = self.found.last_mut() {
            last.shift = Some(Shift { words, list, adds });
        }
    }

    /// The last candidate lets the first wait for a free slot return at launch.
    pub(super) fn freed(&mut self) {
        self.found.last_mut().into_iter().for_each(|last| last.frees = true);
    }

    /// Whether two barriers are named in the same way.
    pub(super) fn are_alike(&self, one: &str, other: &str) -> bool {
        let is_named = |name: &str| self.names.iter().any(|known| known == name);
        one != other && is_named(one) == is_named(other)
    }

    /// The last operand of a statement.
    pub(super) fn operand(&self, unit: &Unit) -> Option<&'a str> {
        let said = &self.scene.text()[unit.range.clone()];
        last_operand(said).map(|it| &said[it])
    }

    pub(super) fn instead(&self, range: &Range<usize>, new: &str) -> Edit {
        fix::instead(self.span(range), new)
    }

    fn span(&self, range: &Range<usize>) -> Span {
        let length = (range.end - range.start) as u32;
        Span { length, ..fix::place(self.scene.text(), range.start) }
    }

    /// A statement before or after another.
    pub(super) fn beside(&self, unit: &Unit, after: bool, new: &str) -> Edit {
        let span = self.span(&unit.range);
        let text = self.scene.text();
        if text[unit.range.clone()].contains('\n') && unit.body.is_some() {
            let blank = fix::indentation(text, unit.range.start);
            let (at, new) = match after {
                true => (unit.range.end, format!(";\n{blank}{new}")),
                false => (unit.range.start, format!("{new};\n{blank}")),
            };
            return self.instead(&(at..at), &new);
        }
        match after {
            true => self.written.after(span, new),
            false => self.written.before(span, new),
        }
    }
}

pub(super) fn plain(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Whether a statement leads elsewhere: what follows may not be performed.
pub(super) fn leads_away(unit: &Unit) -> bool {
    const WORDS: [&str; 9] =
        ["return", "exit", "break", "continue", "bra", "goto", "ret", "s_endpgm", "s_branch"];
    unit.class == '.'
        && (unit.words.starts_with('@')
            || unit.words.ends_with(':')
            || words_of(&unit.words)
                .next()
                .is_some_and(|(_, word)| WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))))
}
