//! Mutants of correct scenarios: one synchronisation operation is removed, exchanged with its neighbour, or changed.
//! The original is known, so the result of each offered edit can be classified.

mod compare;
mod make;

use super::Random;
use compare::Program;
pub use make::{Kind, Mutant, mutants};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, apply, check};

/// The result of an offered edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The original, apart from layout, or a program that differs only in the order of commuting operations.
    Restores,
    /// Another scenario that is `ok` and synchronises as much as the original.
    Other,
    /// A scenario that is `ok` and synchronises less than the original, unless the edit only adds to the mutant.
    Weakens,
    /// A scenario that is not `ok`.
    Error,
}

/// The counts for mutants of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Mutants that parse.
    pub run: usize,
    /// Mutants that are still `ok`.
    pub ok: usize,
    /// Mutants with the verdict `unknown`.
    pub unknown: usize,
    /// Mutants that an error refuses.
    pub invalid: usize,
    /// Broken mutants without an edit whose original depends on a reading or has another finding: no edit that leads there is offered.
    pub doubt: usize,
    /// Mutants with an offered edit.
    pub offered: usize,
    /// The results of the first edits, by [`Outcome`].
    pub outcomes: [usize; 4],
    /// Broken mutants whose first reason names the changed operation.
    pub named: usize,
    /// Edits beyond the first.
    pub later: usize,
    /// Edits beyond the first that weaken or lead to an error.
    pub later_bad: usize,
}

impl Row {
    pub fn of(&self, outcome: Outcome) -> usize {
        self.outcomes[outcome as usize]
    }

    /// Mutants with a broken rule.
    pub const fn broken(&self) -> usize {
        self.run - self.ok - self.unknown - self.invalid
    }

    fn add(&mut self, other: &Self) {
        self.run += other.run;
        self.ok += other.ok;
        self.unknown += other.unknown;
        self.invalid += other.invalid;
        self.offered += other.offered;
        self.doubt += other.doubt;
        self.named += other.named;
        self.later += other.later;
        self.later_bad += other.later_bad;
        for (sum, one) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += one;
        }
    }
}

/// One offered edit in the list.
pub struct Case {
    pub file: String,
    pub mutant: String,
    pub rule: String,
    pub edit: String,
    pub reason: String,
    pub named: bool,
    pub outcome: Outcome,
}

/// A broken mutant without an edit in the list.
pub struct Without {
    pub file: String,
    pub mutant: String,
    pub rule: String,
    pub reason: String,
    pub named: bool,
    /// Whether its original depends on a reading or has another finding.
    pub doubt: bool,
}

/// The result of a run.
#[derive(Default)]
pub struct Found {
    pub scenarios: usize,
    pub rows: BTreeMap<Kind, Row>,
    pub cases: Vec<Case>,
    /// Broken mutants without an edit.
    pub without: Vec<Without>,
    /// The longest check of a mutant.
    pub slowest: Duration,
}

impl Found {
    pub fn sum(&self) -> Row {
        self.rows.values().fold(Row::default(), |mut sum, row| {
            sum.add(row);
            sum
        })
    }
}

/// The correct scenarios of the project, and those of sibling folders if present.
pub fn correct() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["examples", "tests/conformance", "../shared/litmus", "../../shared/litmus"] {
        below(&root.join(folder), &mut files);
    }
    files.sort();
    let read =
        |path: PathBuf| Some((path.file_stem()?.to_str()?.into(), fs::read_to_string(path).ok()?));
    let texts = files.into_iter().filter_map(read);
    texts
        .filter(|(_, text): &(String, String)| {
            text.lines().any(|line| line.starts_with("expect ok"))
        })
        .collect()
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "tide") {
            files.push(path);
        }
    }
}

fn judge(text: &str) -> Report {
    let options = Options { machine: false, max_states: Some(20_000), ..Options::default() };
    check(&Scene::new("mutant.tide", text), &options, &mut |_| true)
}

/// The random numbers of a scenario, which other scenarios do not change.
fn random_of(file: &str, seed: u64) -> Random {
    let mixed = |mix: u64, byte: u8| (mix ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Random(file.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mixed))
}

/// Runs mutants of the correct scenarios: at most this many of each, chosen by a seed.
pub fn run(texts: &[(String, String)], most: usize, seed: u64) -> Found {
    let mut found = Found::default();
    for (file, text) in texts {
        let mut random = random_of(file, seed);
        let Some(original) = Program::of(text) else { continue };
        let report = judge(text);
        if report.verdict != "ok" || report.stats.states > 2_000 {
            continue;
        }
        let mut all = mutants(text);
        while all.len() > most {
            all.swap_remove(random.below(all.len()));
        }
        found.scenarios += usize::from(!all.is_empty());
        for mutant in all {
            try_one(file, (text, &original, &report), &mutant, &mut found);
        }
    }
    found
}

fn try_one(
    file: &str,
    (text, original, before): (&str, &Program, &Report),
    mutant: &Mutant,
    found: &mut Found,
) {
    match Program::of(&mutant.text) {
        Some(program) if program != *original => {}
        _ => return,
    }
    let begin = Instant::now();
    let report = judge(&mutant.text);
    found.slowest = found.slowest.max(begin.elapsed());
    let row = found.rows.entry(mutant.kind).or_default();
    row.run += 1;
    row.ok += usize::from(report.verdict == "ok");
    row.unknown += usize::from(report.verdict == "unknown");
    row.invalid += usize::from(report.verdict == "invalid");
    if matches!(&*report.verdict, "ok" | "unknown" | "invalid") {
        return;
    }
    let grave = || report.findings.iter().filter(|finding| finding.class != "lint");
    let first = grave().next();
    let reason = first.and_then(|finding| finding.because.first()).cloned().unwrap_or_default();
    let named = mutant.site.is_named_by(&reason);
    row.named += usize::from(named);
    let mut offered = 0;
    for finding in grave() {
        let Some(fix) = &finding.fix else { continue };
        let after = apply(&mutant.text, fix);
        let outcome = outcome((text, original), &mutant.text, &after);
        offered += 1;
        if offered > 1 {
            row.later += 1;
            row.later_bad += usize::from(matches!(outcome, Outcome::Weakens | Outcome::Error));
            continue;
        }
        row.offered += 1;
        row.outcomes[outcome as usize] += 1;
        found.cases.push(Case {
            file: file.into(),
            mutant: mutant.what.clone(),
            rule: finding.rule.clone(),
            edit: fix.message.clone(),
            reason: reason.clone(),
            named,
            outcome,
        });
    }
    if offered == 0 {
        let doubt = !before.ambiguities.is_empty() || !before.findings.is_empty();
        row.doubt += usize::from(doubt);
        let rule = first.map_or("", |finding| &finding.rule).to_owned();
        let (file, mutant) = (file.into(), mutant.what.clone());
        found.without.push(Without { file, mutant, rule, reason, named, doubt });
    }
}

fn outcome((text, original): (&str, &Program), mutant: &str, after: &str) -> Outcome {
    if compare::same_words(text, after) {
        return Outcome::Restores;
    }
    let report = judge(after);
    match Program::of(after) {
        Some(program) if report.verdict == "ok" => match () {
            () if program.commutes_to(original) => Outcome::Restores,
            () if program.is_weaker_than(original)
                && !Program::of(mutant).is_some_and(|it| program.only_adds_to(&it, original)) =>
            {
                Outcome::Weakens
            }
            () => Outcome::Other,
        },
        _ => Outcome::Error,
    }
}
