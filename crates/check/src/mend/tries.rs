//! Candidates that are checked.

use super::search::Candidate;
use super::shape::Shape;
use super::statement::Statement;
use super::units::Units;
use super::{FEW_STATES, MOST_STATES, is_grave};
use crate::ambiguity;
use crate::edit::fix;
use crate::judge::KeepGoing;
use crate::judged::judged;
use crate::report::{Finding, Fix, Report};
use crate::scene::{Options, Scene};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::Action as Ptx;
use tidegate_model::reading::ReadingId;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Verdict;

/// Largest number of candidates that are checked for one report.
const MOST_TRIES: usize = 48;

/// The maximum number of instructions of compiled code that are evaluated for the candidates of one report.
const MOST_STEPS: u64 = 300_000;

/// How many candidates of a long evaluation are checked.
const FEW: u64 = 4;

/// The work of a candidate is at most this part of that of a judgement.
const MOST_WORK: u64 = 128;

/// Lints on a single operation, which an edit elsewhere only makes reachable.
const OF_ONE: [RuleId; 4] = [
    RuleId::AsyncStrictWait,
    RuleId::PtxMbarrierFirstParity,
    RuleId::PtxMbarrierParityValue,
    RuleId::TlxSingleArrive,
];

/// Readings by which the end of an agent stands for an operation that it did not perform.
const OF_ENDS: [ReadingId; 2] = [ReadingId::AmdA3, ReadingId::PtxExitCounted];

/// An edit after which a scenario is `ok`.
pub(super) struct Held {
    /// The readings on which that newly depends.
    pub(super) readings: Vec<ReadingId>,
    /// Whether each of them mattered before. Otherwise, their other answers break rules only at operations that the text
    /// had before.
    pub(super) is_certain: bool,
    /// Whether such an answer is about instructions at one barrier, which already were several.
    pub(super) of_sites: bool,
}

/// The remaining budget of candidates.
pub(super) struct Tries<'a, 'b> {
    pub(super) scene: &'a Scene,
    options: Options,
    /// The hazards and ambiguities before any edit.
    before: OrderedSet<String>,
    /// The rules of all findings before any edit.
    rules: OrderedSet<String>,
    left: usize,
    /// Instructions of compiled code that may still be evaluated.
    steps: u64,
    states: u64,
    /// The largest number of states of one check.
    most: u64,
    keep_going: KeepGoing<'b>,
}

impl<'a, 'b> Tries<'a, 'b> {
    pub(super) fn new(
        scene: &'a Scene,
        options: &Options,
        report: &Report,
        keep_going: KeepGoing<'b>,
    ) -> Self {
        let options = Options { max_work: options.max_work / MOST_WORK, ..options.for_verdict() };
        let states = match report.stats.states {
            own @ 0..=MOST_STATES => FEW_STATES.max(own.saturating_mul(8)),
            _ => FEW_STATES,
        };
        Self {
            scene,
            options,
            before: facts(report),
            rules: rules(report),
            left: MOST_TRIES,
            steps: MOST_STEPS.max(scene.steps().saturating_mul(FEW).min(FEW * MOST_STEPS)),
            states,
            most: if report.stats.states > MOST_STATES { FEW_STATES / 4 } else { states },
            keep_going,
        }
    }

    /// Allows some more candidates of few states.
    pub(super) fn extend(&mut self, more: usize) {
        self.left = more;
        self.states = FEW_STATES / 4;
    }

    /// The scenario after a change, and its report; `None` if it is invalid or the budget is used up.
    pub(super) fn after(&mut self, change: &Fix) -> Option<(Scene, Report)> {
        let scene = self.edited(change)?;
        if self.states == 0 {
            return None;
        }
        let max_states = Some(self.states.min(self.most));
        let options = Options { max_states, ..self.options.clone() };
        let report = judged(&scene, &options, self.keep_going);
        self.states = self.states.saturating_sub(report.stats.states);
        Some((scene, report))
    }

    /// The result of an edit; `None` unless the scenario is `ok` then, and agents that synchronised still do. `shape` is
    /// the one before the edit.
    pub(super) fn holds(&mut self, candidate: &Candidate, shape: &Shape) -> Option<Held> {
        let change = &candidate.fix;
        let scene = self.edited(change)?;
        let adds = change.edits.iter().all(|edit| edit.length == 0);
        let may_return = adds || candidate.frees;
        if shape.is_loosened(&Shape::of(&scene, &Units::of(&scene)), may_return) {
            return None;
        }
        let report = self.ok(&scene)?;
        if report.stats.states == 0 {
            return Some(Held { readings: Vec::new(), is_certain: true, of_sites: false });
        }
        let options = Options { ambiguities: true, ..self.options.clone() };
        let report = judged(&scene, &options, self.keep_going);
        let mut lints = report.findings.iter().filter(|it| it.class == "lint");
        let first = RuleId::PtxMbarrierFirstParity.get().id;
        let is_harmless =
            |lint: &Finding| may_return && lint.rule == first || self.is_of_the_text(&scene, lint);
        if !lints.all(is_harmless) {
            return None;
        }
        let facts = facts(&report);
        // Arrivals for which no agent waits show that an operation is still missing.
        if facts.contains(RuleId::PtxBarLeftover.get().id) {
            return None;
        }
        let more = facts.difference(&self.before).map(|name| ReadingId::from_name(name));
        let readings = more.collect::<Option<Vec<ReadingId>>>()?;
        let doubtful: Vec<ReadingId> =
            readings.iter().copied().filter(|&it| !self.was_in_doubt(it, &scene)).collect();
        let is_certain = doubtful.is_empty();
        let mut others = doubtful.into_iter();
        let mut of_sites = false;
        let is_apart = others.all(|it| {
            let is_apart = !OF_ENDS.contains(&it) && self.is_apart(it, &scene, change);
            // The execution before an edit may end before the second instruction at a barrier.
            let by_sites = !is_apart && it == ReadingId::PtxAlignedSite && self.has_sites();
            of_sites |= by_sites;
            is_apart || by_sites
        });
        is_apart.then_some(Held { readings, is_certain, of_sites })
    }

    /// The chosen answer to a reading, as it is written.
    pub(super) fn answer(&self, id: ReadingId) -> String {
        let reading = id.get();
        let chosen = self.options.readings_of(self.scene).chosen(id);
        [reading.name, "=", reading.choices[usize::from(chosen)].name].concat()
    }

    /// Whether a lint is about a single operation in a line that the text had before an edit. A weaker wait can leave a mark
    /// for which nothing waits, which is only untidy.
    fn is_of_the_text(&self, after: &Scene, lint: &Finding) -> bool {
        let line = |text: &str, line: u32| -> Option<String> {
            Some(text.lines().nth(line.checked_sub(1)? as usize)?.trim().into())
        };
        let own = lint.line.and_then(|it| line(after.text(), it));
        lint.rule == "async.redundant-mark"
            || self.rules.contains(&lint.rule)
            || OF_ONE.iter().any(|it| it.get().id == lint.rule)
                && own.is_some_and(|own| self.scene.text().lines().any(|it| it.trim() == own))
    }

    /// The options with the other answer to a reading.
    fn with_other_answer(&self, id: ReadingId) -> Options {
        let mut options = self.options.clone();
        let chosen = options.readings_of(self.scene).chosen(id);
        options.readings.push((id, chosen ^ 1));
        options
    }

    /// Whether the other answer to a reading concerns only statements that an edit does not contain: it breaks rules
    /// there, and for reasons that name no new statement.
    fn is_apart(&mut self, id: ReadingId, after: &Scene, change: &Fix) -> bool {
        let options = self.with_other_answer(id);
        let report = judged(after, &options, self.keep_going);
        let mut grown = 0;
        let places: Vec<Range<usize>> = change
            .edits
            .iter()
            .map(|edit| {
                let start = (i64::from(edit.offset) + grown) as usize;
                grown += edit.replacement.len() as i64 - i64::from(edit.length);
                start..start + edit.replacement.len()
            })
            .collect();
        let is_outside = |line: u32, column: u32| {
            Statement::at(after.text(), line, column)
                .is_some_and(|at| places.iter().all(|it| !it.contains(&at.start())))
        };
        // A copy of a statement of the text adds no reason of its own.
        let is_new = |words: &str| !self.scene.text().contains(words.trim_matches([' ', ';']));
        let adds = change.edits.iter().all(|edit| edit.length == 0 && is_new(&edit.replacement));
        let outside = |finding: &Finding| {
            let named = finding.cause.places();
            let mut named = named.iter().filter(|place| place.line > 0);
            let at = finding.line.zip(finding.column);
            at.is_some_and(|(line, column)| is_outside(line, column))
                && (!adds || named.all(|place| is_outside(place.line, place.column)))
        };
        report.findings.iter().filter(|it| is_grave(it)).all(outside)
    }

    /// Whether a reading mattered before: by its other answer the scenario breaks other rules, or the same as after the change.
    fn was_in_doubt(&mut self, id: ReadingId, after: &Scene) -> bool {
        let options = self.with_other_answer(id);
        let before = rules(&judged(self.scene, &options, self.keep_going));
        let after = judged(after, &options, self.keep_going);
        !before.is_subset(&self.rules) || rules(&after).is_subset(&before)
    }

    /// Whether several aligned instructions act on one barrier before any edit.
    fn has_sites(&self) -> bool {
        let Some(context) = self.scene.context() else { return false };
        let mut sites: OrderedMap<(u32, i64), u32> = OrderedMap::new();
        context.operations().any(|(agent, _, operation)| {
            let Action::Ptx(Ptx::Bar { id, aligned: true, site, .. }, _) = operation.action else {
                return false;
            };
            let group = context.program.agents[agent].workgroup;
            *sites.entry((group, id)).or_insert(site) != site
        })
    }

    /// Whether a finding that does not decide the verdict is gone after a change, and no other came.
    pub(super) fn removes(&mut self, change: &Fix, finding: &Finding) -> bool {
        let count =
            |report: &Report| report.findings.iter().filter(|it| it.rule == finding.rule).count();
        let after = self.edited(change).and_then(|scene| self.ok(&scene));
        let Some(after) = after else { return false };
        let before = judged(self.scene, &self.options, self.keep_going);
        count(&after) < count(&before) && rules(&after).is_subset(&rules(&before))
    }

    /// The scenario after a change, unless it is invalid.
    fn edited(&mut self, change: &Fix) -> Option<Scene> {
        if self.steps <= self.scene.steps() {
            return None;
        }
        let scene = self.scene.with_text(&fix::apply(self.scene.text(), change));
        self.steps = self.steps.saturating_sub(scene.steps().max(self.scene.steps()));
        scene.is_valid().then_some(scene)
    }

    /// The report on a scenario after a change, if it is `ok` and the budget allows the search.
    fn ok(&mut self, scene: &Scene) -> Option<Report> {
        if self.left == 0 || self.states == 0 {
            return None;
        }
        self.left -= 1;
        let max_states = Some(self.states.min(self.most));
        let options = Options { max_states, ..self.options.clone() };
        // Most candidates are wrong, and need no witnesses.
        let under = ambiguity::verdict_of(scene, &options, self.keep_going)?;
        if under.verdict != Verdict::Ok {
            self.states = self.states.saturating_sub(under.states);
            return None;
        }
        let report = judged(scene, &options, self.keep_going);
        self.states = self.states.saturating_sub(report.stats.states);
        (report.verdict == "ok" && report.exhaustive).then_some(report)
    }
}

/// The hazards of a report and its ambiguities, by name.
fn facts(report: &Report) -> OrderedSet<String> {
    let small = report.findings.iter().filter(|it| it.class == "hazard").map(|it| &it.rule);
    small.chain(report.ambiguities.iter().map(|it| &it.id)).cloned().collect()
}

/// The rules that a report names.
fn rules(report: &Report) -> OrderedSet<String> {
    report.findings.iter().map(|it| it.rule.clone()).collect()
}
