//! The catalogue of targets, rules, readings and observations.

use crate::types::{ChoiceEntry, ObservationEntry, ReadingEntry, RuleEntry, TargetEntry};
use crate::values::give;
use tidegate_check::model::observation::OBSERVATIONS;
use tidegate_check::model::reading::READINGS;
use tidegate_check::model::rule::RULES;
use tidegate_check::model::target::TARGETS;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// Returns every target and its features.
#[wasm_bindgen(unchecked_return_type = "TargetEntry[]")]
pub fn targets() -> Result<JsValue, JsError> {
    let entries: Vec<TargetEntry> = TARGETS
        .iter()
        .map(|target| TargetEntry {
            name: target.name.into(),
            back_off_barrier: target.back_off_barrier,
            split_barriers: target.split_barriers,
            named_barriers: target.named_barriers,
            cluster_barriers: target.cluster_barriers,
            lds_dma: target.lds_dma,
            async_marks: target.async_marks,
            counters: target.counters.names().iter().map(|&name| name.into()).collect(),
        })
        .collect();
    give(&entries)
}

/// Returns every rule, in the order of the catalogue.
#[wasm_bindgen(unchecked_return_type = "RuleEntry[]")]
pub fn rules() -> Result<JsValue, JsError> {
    let entries: Vec<RuleEntry> = RULES
        .iter()
        .map(|rule| RuleEntry {
            id: rule.id.into(),
            class: rule.class.map(|class| class.word().into()),
            force: rule.force.word().into(),
            statement: rule.statement.into(),
            document: rule.document.into(),
            section: rule.section.into(),
            remedy: rule.remedy.into(),
        })
        .collect();
    give(&entries)
}

/// Returns every ambiguous rule and its possible readings.
#[wasm_bindgen(unchecked_return_type = "ReadingEntry[]")]
pub fn readings() -> Result<JsValue, JsError> {
    let entries: Vec<ReadingEntry> = READINGS
        .iter()
        .map(|reading| ReadingEntry {
            id: reading.name.into(),
            question: reading.question.into(),
            passages: reading.passages.into(),
            choices: reading
                .choices
                .iter()
                .map(|choice| ChoiceEntry {
                    name: choice.name.into(),
                    meaning: choice.meaning.into(),
                })
                .collect(),
        })
        .collect();
    give(&entries)
}

/// Returns the observations: where the documents are silent, or contradict themselves or an implementation.
#[wasm_bindgen(unchecked_return_type = "ObservationEntry[]")]
pub fn observations() -> Result<JsValue, JsError> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
    let entries: Vec<ObservationEntry> = OBSERVATIONS
        .iter()
        .map(|one| ObservationEntry {
            id: one.id.into(),
            title: one.title.into(),
            statement: one.statement.into(),
            document: one.document.into(),
            section: one.section.into(),
            concerns: owned(one.concerns),
            scenario: one.scenario.into(),
            shows: owned(one.shows),
        })
        .collect();
    give(&entries)
}
