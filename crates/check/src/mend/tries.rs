//! Candidates that are checked.

use super::search::Candidate;
use super::statement::Statement;
use super::units::{Class, Units};
use super::{FEW_STATES, is_grave};
use crate::check::judged;
use crate::judge::KeepGoing;
use crate::memory::fix;
use crate::report::{Finding, Fix, Report};
use crate::scene::{Options, Scene};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::{Action as Ptx, Asked, is_odd};
use tidegate_model::reading::ReadingId;
use tidegate_model::rule::RuleId;

/// Largest number of candidates that are checked for one report.
const MOST_TRIES: usize = 48;

/// The work of a candidate is at most this part of that of a judgement.
const MOST_WORK: u64 = 32;

/// Lints on a single operation, which an edit elsewhere only makes reachable.
const OF_ONE: [RuleId; 4] = [
    RuleId::AsyncStrictWait,
    RuleId::PtxMbarrierFirstParity,
    RuleId::PtxMbarrierParityValue,
    RuleId::TlxSingleArrive,
];

/// The result of an edit.
pub(super) enum Held {
    /// It leaves a fault, or it weakens the scenario.
    No,
    /// The scenario is `ok`. Of the readings on which that newly depends, each already mattered before.
    Yes(Vec<ReadingId>),
    /// The scenario is `ok`, but that newly depends on readings. Their other answers break rules only outside the edit.
    Doubtful(Vec<ReadingId>),
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
    states: u64,
    keep_going: KeepGoing<'b>,
}

impl<'a, 'b> Tries<'a, 'b> {
    pub(super) fn new(
        scene: &'a Scene,
        options: &Options,
        report: &Report,
        keep_going: KeepGoing<'b>,
    ) -> Self {
        let options = Options {
            machine: false,
            shortest: false,
            every_schedule: false,
            participates_in: false,
            certificate: false,
            max_work: options.max_work / MOST_WORK,
            ..options.clone()
        };
        Self {
            scene,
            options,
            before: facts(report),
            rules: rules(report),
            left: MOST_TRIES,
            states: FEW_STATES.max(report.stats.states.saturating_mul(8)),
            keep_going,
        }
    }

    /// Whether the scenario is `ok` by itself after an edit, and agents that synchronised still do. `uneven` are the operations
    /// that some agents perform more often than others before it.
    pub(super) fn holds(
        &mut self,
        candidate: &Candidate,
        uneven: &OrderedSet<(Class, String)>,
    ) -> Held {
        let Some((scene, report)) = self.after(&candidate.fix) else { return Held::No };
        let adds = candidate.fix.edits.iter().all(|edit| edit.length == 0);
        if !adds && at_once(&scene) > at_once(self.scene) {
            return Held::No;
        }
        if !Units::of(&scene).uneven(&scene).is_subset(uneven) {
            return Held::No;
        }
        let options = Options { ambiguities: true, ..self.options.clone() };
        if report.stats.states == 0 {
            return Held::Yes(Vec::new());
        }
        let report = judged(&scene, &options, self.keep_going);
        let lints = report.findings.iter().filter(|it| it.class == "lint");
        let first = RuleId::PtxMbarrierFirstParity.get().id;
        let is_harmless =
            |lint: &Finding| adds && lint.rule == first || self.is_of_the_text(&scene, lint);
        if !lints.into_iter().all(is_harmless) {
            return Held::No;
        }
        let facts = facts(&report);
        let more = facts.difference(&self.before).map(|name| ReadingId::from_name(name));
        let Some(readings) = more.collect::<Option<Vec<ReadingId>>>() else { return Held::No };
        let doubtful: Vec<ReadingId> =
            readings.iter().copied().filter(|&it| !self.was_in_doubt(it, &scene)).collect();
        if doubtful.is_empty() {
            return Held::Yes(readings);
        }
        match doubtful.into_iter().all(|it| self.is_apart(it, &scene, &candidate.fix)) {
            true => Held::Doubtful(readings),
            false => Held::No,
        }
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
        let mut options = Options { ambiguities: false, ..self.options.clone() };
        let chosen = options.readings_of(self.scene).chosen(id);
        options.readings.push((id, chosen ^ 1));
        options
    }

    /// Whether the other answer to a reading concerns only statements that an edit does not contain.
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
        let outside = |finding: &Finding| {
            let at = finding.line.zip(finding.column);
            let at = at.and_then(|(line, column)| Statement::at(after.text(), line, column));
            at.is_some_and(|at| places.iter().all(|it| !it.contains(&at.start())))
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

    /// Whether a finding that does not decide the verdict is gone after a change, and no other came.
    pub(super) fn removes(&mut self, change: &Fix, finding: &Finding) -> bool {
        let count =
            |report: &Report| report.findings.iter().filter(|it| it.rule == finding.rule).count();
        let Some((_, after)) = self.after(change) else { return false };
        let options = Options { ambiguities: false, ..self.options.clone() };
        let before = judged(self.scene, &options, self.keep_going);
        count(&after) < count(&before) && rules(&after).is_subset(&rules(&before))
    }

    /// The scenario after a change and its report, if it is `ok`.
    fn after(&mut self, change: &Fix) -> Option<(Scene, Report)> {
        if self.left == 0 || self.states == 0 {
            return None;
        }
        let scene = self.scene.with_text(&fix::apply(self.scene.text(), change));
        if !scene.is_valid() {
            return None;
        }
        self.left -= 1;
        let options =
            Options { max_states: Some(self.states), ambiguities: false, ..self.options.clone() };
        let report = judged(&scene, &options, self.keep_going);
        self.states = self.states.saturating_sub(report.stats.states);
        (report.verdict == "ok" && report.exhaustive).then_some((scene, report))
    }
}

/// Number of waits for a phase that their agent already knows to be complete: the phase before launch, or one that it
/// already waited for.
fn at_once(scene: &Scene) -> usize {
    let (mut last, mut found) = (OrderedMap::new(), 0);
    let Some(context) = scene.context() else { return 0 };
    for (agent, _, operation) in context.operations() {
        if let Action::Ptx(Ptx::Wait { name, asked: Asked::Parity(parity), .. }, _) =
            operation.action
        {
            let before = last.insert((agent, name), is_odd(parity));
            found += usize::from(before.unwrap_or(true) == is_odd(parity));
        }
    }
    found
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
