//! What the engine says of the input.

use super::{Document, Input};
use crate::engine::{Report, ReportDiagnostic};
use leptos::prelude::*;
use protocol::Survey;
use std::sync::Arc;

/// The report, and everything about its search.
#[derive(Clone, Copy)]
pub(crate) struct Judgement {
    /// The report on the last valid text.
    pub report: RwSignal<Option<Arc<Report>>>,
    /// The target of the report.
    pub judged_on: Memo<String>,
    /// Whether the text is a scenario.
    pub valid: RwSignal<bool>,
    /// Number of received reports, which the page shows to its tests.
    pub judged: RwSignal<u32>,
    /// The input that was judged last; `None` before the first report.
    pub answered: RwSignal<Option<Input>>,
    /// Whether that is another input than the current one.
    pub stale: Memo<bool>,
    /// Whether a check is running.
    pub running: RwSignal<bool>,
    /// The errors and warnings of the report's text.
    pub diagnostics: RwSignal<Vec<ReportDiagnostic>>,
    /// The number of states of a long check so far, and its time in seconds.
    pub long: RwSignal<Option<(u64, u32)>>,
    /// Results of the survey of this or an older input.
    pub survey: RwSignal<Option<Arc<Survey>>>,
    /// The input that was surveyed last.
    pub surveyed: RwSignal<Option<Input>>,
    /// Whether that is the current one.
    pub is_surveyed: Memo<bool>,
}

impl Judgement {
    pub(super) fn new(document: Document) -> Self {
        let report: RwSignal<Option<Arc<Report>>> = RwSignal::new(None);
        let (answered, surveyed) = (RwSignal::new(None), RwSignal::new(None));
        let is_current = move |judged: RwSignal<Option<Input>>| {
            judged.with(|judged| document.input.with(|input| judged.as_ref() == Some(input)))
        };
        Self {
            report,
            judged_on: Memo::new(move |_| {
                report.with(|it| it.as_ref().map(|it| it.target.clone()).unwrap_or_default())
            }),
            valid: RwSignal::new(true),
            judged: RwSignal::new(0),
            answered,
            stale: Memo::new(move |_| !is_current(answered)),
            running: RwSignal::new(false),
            diagnostics: RwSignal::new(Vec::new()),
            long: RwSignal::new(None),
            survey: RwSignal::new(None),
            surveyed,
            is_surveyed: Memo::new(move |_| is_current(surveyed)),
        }
    }
}
