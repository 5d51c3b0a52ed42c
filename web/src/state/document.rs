//! What the reader writes and chooses.

use super::Scenario;
use crate::engine::{About, Terms};
use leptos::prelude::*;
use leptos::reactive::signal::Trigger;

/// What is checked: a text under the terms that the reader chose.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Input {
    /// The text.
    pub text: String,
    /// The target and the readings.
    pub terms: Terms,
}

/// The open scenarios and the visible one.
#[derive(Clone, Copy)]
pub(crate) struct Document {
    /// The open scenarios.
    pub scenarios: RwSignal<Vec<Scenario>>,
    /// The number of the visible one; 0 if there is none yet.
    pub scenario: RwSignal<u32>,
    /// The name of the file that it was opened from.
    pub name: RwSignal<String>,
    /// A scenario was opened.
    pub opened: Trigger,
    /// The text in the editor.
    pub text: RwSignal<String>,
    /// The chosen target, if it overrides the text's.
    pub target: RwSignal<Option<String>>,
    /// Chosen readings that override the text's, each as `ID=CHOICE`.
    pub readings: RwSignal<Vec<String>>,
    /// What is checked.
    pub input: Memo<Input>,
    /// Title and notes of the last valid text.
    pub about: RwSignal<About>,
}

impl Document {
    pub(super) fn new() -> Self {
        let text = RwSignal::new(String::new());
        let target = RwSignal::new(None);
        let readings = RwSignal::new(Vec::new());
        Self {
            scenarios: RwSignal::new(Vec::new()),
            scenario: RwSignal::new(0),
            name: RwSignal::new(String::new()),
            opened: Trigger::new(),
            text,
            target,
            readings,
            input: Memo::new(move |_| Input {
                text: text.get(),
                terms: Terms { target: target.get(), readings: readings.get(), max_states: None },
            }),
            about: RwSignal::new(About::default()),
        }
    }
}
