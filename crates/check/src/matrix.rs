//! One scenario on every target.
//!
//! Targets whose rows differ only in name and version are checked once, because the result depends on nothing else.

use crate::check::check;
use crate::judge::KeepGoing;
use crate::report::{Ambiguity, Finding, Report};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action, Form, Mnemonic, Operation};
use tidegate_model::reading::Readings;
use tidegate_model::support;
use tidegate_model::target::{Family, Target, TargetId};
use tidegate_model::target_set::contract;

/// The schema that a [`Matrix`] follows.
pub const SCHEMA: &str = "tidegate.matrix/1";

/// Why a verdict is what it is: the first rule that is broken, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reason {
    /// Identifier of the rule.
    pub rule: String,
    /// Class of the finding.
    pub class: String,
    /// `all` or `some`: the schedules in which it occurs.
    pub schedules: String,
    /// Line of the operation that breaks the rule, if there is one.
    pub line: Option<u32>,
}

/// The result of the machine oracle on a target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MachineVerdict {
    /// Its verdict.
    pub verdict: String,
    /// The reason, unless it is `ok`.
    pub reason: Option<Reason>,
    /// Whether it agrees with the specification; null if one of the two reached a limit.
    pub agrees: Option<bool>,
}

/// The common result of several targets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatrixRow {
    /// The targets as few words: names, versions and ranges, as `--target` takes them.
    pub label: String,
    /// Every one of them.
    pub targets: Vec<String>,
    /// `the text alone`, `AMDGPU`, `NVIDIA` or `OpenCL C++`.
    pub family: String,
    /// The verdict of the specification.
    pub verdict: String,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// The reason, unless it is `ok`.
    pub reason: Option<Reason>,
    /// Identifiers of every rule that is broken, worst first.
    pub rules: Vec<String>,
    /// The machine oracle, where the targets have one.
    pub machine: Option<MachineVerdict>,
    /// Readings under which the verdict changes.
    pub ambiguities: Vec<Ambiguity>,
}

/// One target of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatrixCell {
    /// The target.
    pub target: String,
    /// The verdict of the specification.
    pub verdict: String,
    /// Identifier of the first rule that is broken.
    pub rule: Option<String>,
    /// Index of its row, which has the rest.
    pub row: u32,
}

/// The verdict of one scenario on every target.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Matrix {
    /// [`SCHEMA`].
    pub schema: String,
    /// The file, as the caller named it.
    pub file: String,
    /// The scenario's title.
    pub title: String,
    /// Every target, in the order of the table of targets.
    pub cells: Vec<MatrixCell>,
    /// Targets with the same answer together, in the order of the first of them.
    pub rows: Vec<MatrixRow>,
    /// Number of checks performed: equivalent targets share one.
    pub judgements: u64,
    /// States visited, all judgements together.
    pub states: u64,
}

/// Judges a scenario on every target of the table; `None` where its text has errors.
pub fn matrix(scene: &Scene, base: &Options, keep_going: KeepGoing<'_>) -> Option<Matrix> {
    if !scene.is_valid() {
        return None;
    }
    let mut judged: Vec<(MatrixRow, Vec<TargetId>)> = Vec::new();
    let (mut judgements, mut states) = (0, 0);
    let mut known: Vec<(&'static Target, usize)> = Vec::new();
    let sight = Sight::of(scene, base);
    let base = &Options { max_work: sight.share(base.max_work), ..base.clone() };
    for id in TargetId::all() {
        let target = id.get();
        if let Some(&(_, row)) = known.iter().find(|(like, _)| sight.same(like, target)) {
            judged[row].1.push(id);
            continue;
        }
        let report = check(scene, &Options { target: Some(id), ..base.clone() }, keep_going);
        judgements += 1;
        states += report.stats.states;
        let row = row(target, report);
        let same = judged.iter().position(|(other, _)| *other == row);
        let place = same.unwrap_or(judged.len());
        if same.is_none() {
            judged.push((row, Vec::new()));
        }
        judged[place].1.push(id);
        known.push((target, place));
    }
    let cells = TargetId::all().filter_map(|id| cell(id, &judged)).collect();
    let rows = judged.into_iter().map(|(row, ids)| named(row, &ids)).collect();
    Some(Matrix {
        schema: SCHEMA.to_owned(),
        file: scene.file().to_owned(),
        title: scene.title().to_owned(),
        cells,
        rows,
        judgements,
        states,
    })
}

/// The properties of a target that a check depends on.
struct Sight {
    context: Option<Rc<Context>>,
    readings: Readings,
    /// Whether the program has an NVIDIA operation, whose support depends on the capability.
    ptx: bool,
    /// Whether it spells an `s_barrier`, before which some processors want counters at zero.
    bare: bool,
}

/// Number of checks that can use the whole search budget in one matrix.
const WHOLE_JUDGEMENTS: u64 = 2;

impl Sight {
    fn of(scene: &Scene, base: &Options) -> Self {
        let context = scene.context();
        let any = |test: &dyn Fn(&Operation) -> bool| {
            let all = context.as_ref().map(|context| context.operations());
            all.into_iter().flatten().any(|(_, _, operation)| test(operation))
        };
        let ptx = any(&|operation| matches!(operation.action, Action::Ptx(..)));
        let bare = any(&|operation| operation.form == Form::Machine(Mnemonic::SBarrier));
        Self { context, readings: base.readings_of(scene), ptx, bare }
    }

    /// Whether two targets have the same judgement. For a fully supported program, processors of one family differ only
    /// in required counters and in NVIDIA operations.
    fn same(&self, one: &Target, other: &Target) -> bool {
        let alike = || match (one.family, other.family) {
            (Family::Amdgpu { .. }, Family::Amdgpu { .. }) => {
                self.counting(one) == self.counting(other)
            }
            (Family::Nvidia, Family::Nvidia) => true,
            _ => false,
        };
        let whole = || self.lacks_nothing(one) && self.lacks_nothing(other);
        one.judges_like(other) || !self.ptx && alike() && whole()
    }

    /// Whether a bare `s_barrier` requires zero counters, and whether also those of exports.
    fn counting(&self, target: &Target) -> Option<bool> {
        let Family::Amdgpu { major, .. } = target.family else { return None };
        let wants = self.bare && !target.back_off_barrier && !target.split_barriers;
        wants.then_some(major == 6)
    }

    fn lacks_nothing(&self, target: &Target) -> bool {
        let lacks = |context: &Rc<Context>| support::lacking(context, target, self.readings);
        self.context.as_ref().is_none_or(|context| lacks(context).is_empty())
    }

    /// The search budget of each check, so that all of them take about as long as a few full ones.
    fn share(&self, work: u64) -> u64 {
        let mut apart: Vec<&Target> = Vec::new();
        for target in TargetId::all().map(|id| id.get()).filter(|one| self.lacks_nothing(one)) {
            if !apart.iter().any(|one| self.same(one, target)) {
                apart.push(target);
            }
        }
        let judgements = (apart.len() as u64).max(WHOLE_JUDGEMENTS);
        work.saturating_mul(WHOLE_JUDGEMENTS) / judgements
    }
}

/// The cell of a target.
fn cell(id: TargetId, judged: &[(MatrixRow, Vec<TargetId>)]) -> Option<MatrixCell> {
    let row = judged.iter().position(|(_, ids)| ids.contains(&id))?;
    let answer = &judged[row].0;
    Some(MatrixCell {
        target: id.get().name.to_owned(),
        verdict: answer.verdict.clone(),
        rule: answer.reason.as_ref().map(|reason| reason.rule.clone()),
        row: row as u32,
    })
}

/// The answer on a target, without names of targets.
fn row(target: &Target, report: Report) -> MatrixRow {
    let agrees = report.machine_agrees();
    MatrixRow {
        label: String::new(),
        targets: Vec::new(),
        family: target.family.word().to_owned(),
        exhaustive: report.exhaustive,
        reason: reason(&report.findings),
        rules: report.findings.iter().map(|finding| finding.rule.clone()).collect(),
        machine: report.machine.map(|machine| MachineVerdict {
            reason: reason(&machine.findings),
            verdict: machine.verdict,
            agrees,
        }),
        verdict: report.verdict,
        ambiguities: report.ambiguities,
    }
}

fn named(row: MatrixRow, ids: &[TargetId]) -> MatrixRow {
    let targets = ids.iter().map(|id| id.get().name.to_owned()).collect();
    MatrixRow { label: contract(ids).join(", "), targets, ..row }
}

fn reason(findings: &[Finding]) -> Option<Reason> {
    findings.first().map(|finding| Reason {
        rule: finding.rule.clone(),
        class: finding.class.clone(),
        schedules: finding.schedules.clone(),
        line: finding.line,
    })
}

#[cfg(test)]
mod tests;
