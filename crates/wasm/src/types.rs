//! Values of the JavaScript interface, except reports and steps.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tidegate_check::report::WitnessStep;

/// Options of a check; all are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// The file name in the report.
    pub file: Option<String>,
    /// The target, instead of the scenario's own.
    pub target: Option<String>,
    /// The choice of a reading, by its identifier (`amd.A6: "undefined"`).
    pub readings: BTreeMap<String, String>,
    /// The largest number of states to visit before the verdict is `unknown`.
    pub max_states: Option<f64>,
    /// Whether to check under the other readings too; default true.
    pub ambiguities: Option<bool>,
    /// Whether to run the machine oracle too; default true.
    pub machine: Option<bool>,
    /// Whether to count the participates-in relations that the same orders admit.
    pub participates_in: bool,
    /// Whether to add the certificate of a verdict that one run proves.
    pub certificate: bool,
}

/// The content of a link to create; only the text is required.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Shareable {
    /// The scenario's text.
    pub text: String,
    /// Name of the chosen target, if it is not the scenario's own.
    pub target: Option<String>,
    /// Keys of the performed steps, in order.
    pub steps: Vec<String>,
    /// The current verdict.
    pub verdict: Option<String>,
    /// Readings that override the scenario's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

/// The content of a link.
#[derive(Clone, Debug, Serialize)]
pub struct SharedScenario {
    /// The scenario's text.
    pub text: String,
    /// Name of the chosen target, if it is not the scenario's own.
    pub target: Option<String>,
    /// Keys of the performed steps, in order.
    pub steps: Vec<String>,
    /// Version of the engine that made the link; empty if unknown.
    pub engine: String,
    /// The recorded verdict, and its first rule if there is one.
    pub verdict: Option<String>,
    /// Readings that override the scenario's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

/// The result of an expectation on one target.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Line of the expectation, from 1.
    pub line: u32,
    /// The target.
    pub target: String,
    /// Whether it holds.
    pub passed: bool,
    /// The expected result.
    pub wanted: String,
    /// The actual result.
    pub got: String,
    /// The witness, if it does not hold.
    pub witness: Vec<WitnessStep>,
    /// The verdict of the machine oracle on the target, if there is one.
    pub machine: Option<String>,
    /// Whether the machine oracle agrees with the specification.
    pub machine_agrees: Option<bool>,
}

/// A target and its features.
#[derive(Clone, Debug, Serialize)]
pub struct TargetEntry {
    /// Its name.
    pub name: String,
    /// Whether `s_barrier` may be issued with memory operations outstanding.
    pub back_off_barrier: bool,
    /// Whether arrive and wait are separate instructions.
    pub split_barriers: bool,
    /// Whether named barrier objects exist.
    pub named_barriers: bool,
    /// Whether the cluster barrier exists.
    pub cluster_barriers: bool,
    /// Whether loads from global memory straight to LDS exist.
    pub lds_dma: bool,
    /// Whether async marks exist.
    pub async_marks: bool,
    /// Counters of outstanding memory operations, by name.
    pub counters: Vec<String>,
}

/// A rule of the catalogue.
#[derive(Clone, Debug, Serialize)]
pub struct RuleEntry {
    /// Its permanent identifier.
    pub id: String,
    /// The class of a finding that breaks it; null for a rule that cannot be broken.
    pub class: Option<String>,
    /// `defines`, `constrains` or `requires`.
    pub force: String,
    /// Its statement.
    pub statement: String,
    /// The document of its source.
    pub document: String,
    /// The section of its source.
    pub section: String,
    /// The usual fix of a scenario that breaks it; empty if there is none.
    pub remedy: String,
}

/// A rule that the documents leave ambiguous.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingEntry {
    /// Its permanent identifier.
    pub id: String,
    /// The question.
    pub question: String,
    /// The contradicting passages.
    pub passages: String,
    /// The possible readings; the first is the default.
    pub choices: Vec<ChoiceEntry>,
}

/// A reading of such a rule.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceEntry {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub meaning: String,
}

/// An observation on a document.
#[derive(Clone, Debug, Serialize)]
pub struct ObservationEntry {
    /// Its permanent identifier.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The observation.
    pub statement: String,
    /// The document.
    pub document: String,
    /// The section of the document.
    pub section: String,
    /// The rules and readings that it concerns.
    pub concerns: Vec<String>,
    /// The file of its smallest example.
    pub scenario: String,
    /// The lines of that example.
    pub shows: Vec<String>,
}

/// A word of an mbarrier object under one layout hypothesis.
#[derive(Clone, Debug, Serialize)]
pub struct MbarrierWord {
    /// The word in hexadecimal.
    pub word: String,
    /// `low-pending` or `high-pending`.
    pub layout: String,
    /// Its fields, from the highest bit down.
    pub fields: Vec<MbarrierField>,
    /// Whether the operation that made it completed a phase.
    pub completes: bool,
    /// Whether a count overflowed and wrapped.
    pub wraps: bool,
}

/// A field of such a word.
#[derive(Clone, Debug, Serialize)]
pub struct MbarrierField {
    /// `parity`, `pending`, `expected`, `tx-count` or `bit 0`.
    pub name: String,
    /// Its highest bit.
    pub high: u8,
    /// Its lowest bit.
    pub low: u8,
    /// Its value.
    pub value: i32,
    /// `certain`, `strong`, `hypothesis` or `unknown`.
    pub certainty: String,
    /// The reason, in a sentence.
    pub why: String,
}
