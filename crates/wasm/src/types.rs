//! What goes in and out of JavaScript beyond reports and steps.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tidegate_check::report::WitnessStep;

/// How to check; everything may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// The name of the scenario in the report.
    pub file: Option<String>,
    /// The target to judge on, instead of the scenario's own.
    pub target: Option<String>,
    /// The choice for a reading, by its identifier (`amd.A6: "undefined"`).
    pub readings: BTreeMap<String, String>,
    /// The most states to visit before the answer is `unknown`.
    pub max_states: Option<f64>,
    /// Whether to judge under the other readings too: yes unless this says no.
    pub ambiguities: Option<bool>,
    /// Whether to ask the machine oracle too: yes unless this says no.
    pub machine: Option<bool>,
    /// Whether to count how many relations the same orders admit.
    pub participates_in: bool,
}

/// What can be shared by a link; only the text must be given.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Shareable {
    /// The scenario's text.
    pub text: String,
    /// Name of the chosen target, where it is not the scenario's own.
    pub target: Option<String>,
    /// Keys of the steps performed, in order.
    pub steps: Vec<String>,
    /// The verdict that was seen.
    pub verdict: Option<String>,
    /// Readings chosen besides the scenario's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

/// What a link carries.
#[derive(Clone, Debug, Serialize)]
pub struct SharedScenario {
    /// The scenario's text.
    pub text: String,
    /// Name of the chosen target, where it is not the scenario's own.
    pub target: Option<String>,
    /// Keys of the steps performed, in order.
    pub steps: Vec<String>,
    /// Version of the engine that its writer used; empty where unknown.
    pub engine: String,
    /// The verdict that its writer saw, and the first rule where there was one.
    pub verdict: Option<String>,
    /// Readings chosen besides the scenario's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

/// What an expectation came to on one target.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Line of the expectation, from 1.
    pub line: u32,
    /// The target.
    pub target: String,
    /// Whether it holds.
    pub passed: bool,
    /// What it expects.
    pub wanted: String,
    /// What was found.
    pub got: String,
    /// The steps that lead there, where it does not hold.
    pub witness: Vec<WitnessStep>,
    /// The verdict of the machine oracle on the target, where it has one.
    pub machine: Option<String>,
    /// Whether the machine oracle says what the text says.
    pub machine_agrees: Option<bool>,
}

/// A target and what it has.
#[derive(Clone, Debug, Serialize)]
pub struct TargetEntry {
    /// Its name.
    pub name: String,
    /// Whether `s_barrier` may be issued with memory operations outstanding.
    pub back_off_barrier: bool,
    /// Whether arrive and wait are instructions of their own.
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
    /// What it says.
    pub statement: String,
    /// The document that says it.
    pub document: String,
    /// The section of the document.
    pub section: String,
    /// What usually mends a scenario that breaks it; empty where nothing does.
    pub remedy: String,
}

/// A question that the documents leave open.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingEntry {
    /// Its permanent identifier.
    pub id: String,
    /// The question.
    pub question: String,
    /// The passages that are at odds.
    pub passages: String,
    /// The possible answers; the first is the default.
    pub choices: Vec<ChoiceEntry>,
}

/// An answer to such a question.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceEntry {
    /// Its name.
    pub name: String,
    /// What it means.
    pub meaning: String,
}

/// Something seen in a document.
#[derive(Clone, Debug, Serialize)]
pub struct ObservationEntry {
    /// Its permanent identifier.
    pub id: String,
    /// It in a few words.
    pub title: String,
    /// What was seen.
    pub statement: String,
    /// The document.
    pub document: String,
    /// The section of the document.
    pub section: String,
    /// The rules and readings that it concerns.
    pub concerns: Vec<String>,
    /// The file of the smallest scenario that shows it.
    pub scenario: String,
    /// The lines of that scenario that show it.
    pub shows: Vec<String>,
}

/// A word of an mbarrier object under one hypothesis about its layout.
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
    /// Whether a count left its range and wrapped.
    pub wraps: bool,
}

/// One field of such a word.
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
    /// Why, in a sentence.
    pub why: String,
}
