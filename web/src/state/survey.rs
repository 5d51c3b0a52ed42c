//! Results besides the report, requested from a separate worker when the reader pauses.

use super::{Input, State};
use crate::checker::{Checker, Heard};
use crate::engine::Terms;
use crate::{components, port};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{DocumentPage, Doubts, Found, Question};
use std::sync::Arc;

/// Delay of a survey after a new report, in milliseconds.
const PAUSE: u32 = 200;

impl State {
    /// Opens a tab and loads its content.
    pub(crate) fn show_tab(self, tab: &'static str) {
        self.chrome.tab.set(tab);
        self.keep();
        self.survey();
    }

    /// Returns the text as machine code, or why there is none; `None` before the engine has loaded.
    pub(crate) fn machine_code(self) -> Option<DocumentPage> {
        let Input { text, terms } = self.document.input.get_untracked();
        self.chrome.engine.get().then(|| port::code(text, terms)).flatten()
    }

    /// Returns the readings that affect the verdict; `None` before the engine has loaded.
    pub(crate) fn doubts(self) -> Option<DocumentPage> {
        let report = self
            .judgement
            .report
            .get()
            .filter(|_| self.judgement.valid.get() && self.chrome.engine.get())?;
        let open = report.ambiguities.iter().map(|it| (it.id.clone(), it.verdicts.clone()));
        let open = open.collect();
        let (verdict, settled) = (report.verdict.clone(), report.readings.clone());
        port::readings(Doubts { verdict, open, settled })
    }

    /// Schedules a survey if it has something to compute.
    pub(super) fn survey(self) {
        let due = Timeout::new(PAUSE, move || self.survey_now());
        self.tools.update_value(|tools| tools.due = Some(due));
    }

    fn survey_now(self) {
        let matrix = self.chrome.tab.get_untracked() == components::targets::PANEL.word;
        let known = self.judgement.survey.with_untracked(|survey| {
            survey.as_ref().is_some_and(|survey| !matrix || survey.matrix.is_some())
        });
        if !self.chrome.engine.get_untracked()
            || !self.current()
            || (known && self.judgement.is_surveyed.get_untracked())
        {
            return;
        }
        let input = self.document.input.get_untracked();
        if !matrix && !self.tools.with_value(|tools| tools.expects) {
            self.take_in(input, Found::Survey(Box::default()));
            return;
        }
        let Input { text, terms } = input.clone();
        self.tools.update_value(|tools| {
            let terms = Terms { max_states: tools.max_states, ..terms };
            let module = &tools.module;
            let surveyor = tools.surveyor.get_or_insert_with(|| {
                let surveyor = Checker::new(|_| {});
                module.iter().for_each(|module| surveyor.begin(module.clone()));
                surveyor
            });
            surveyor.hear(move |heard| {
                if let Heard::Found(found, _) = heard {
                    self.take_in(input.clone(), found);
                }
            });
            surveyor.ask(Question::Survey { matrix }, text, terms);
        });
    }

    /// Takes the survey of an input, unless that has changed since.
    fn take_in(self, input: Input, found: Found) {
        let is_current = self.document.input.with_untracked(|now| *now == input);
        if let (Found::Survey(survey), true) = (found, is_current) {
            self.judgement.survey.set(Some(Arc::new(*survey)));
            self.judgement.surveyed.set(Some(input));
        }
    }
}
