//! Results besides the report, requested from a separate worker when the reader pauses.

use super::{State, Tab};
use crate::checker::{Checker, Heard};
use crate::port;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{DocumentPage, Doubts, Found, Question};
use std::sync::Arc;

/// Delay of a survey after a new report, in milliseconds.
const PAUSE: u32 = 200;

impl State {
    /// Opens a tab and loads its content.
    pub(crate) fn show_tab(self, tab: Tab) {
        self.tab.set(tab);
        self.keep();
        self.survey();
    }

    /// Whether the survey belongs to the current text.
    pub(crate) fn is_surveyed(self) -> bool {
        self.surveyed.get() == self.asked.get()
    }

    /// Returns the text as machine code, or why there is none; `None` before the engine has loaded.
    pub(crate) fn machine_code(self) -> Option<DocumentPage> {
        self.engine.get().then(|| port::code(self.text.get_untracked(), self.terms())).flatten()
    }

    /// Returns the readings that affect the verdict; `None` before the engine has loaded.
    pub(crate) fn doubts(self) -> Option<DocumentPage> {
        let report = self.report.get().filter(|_| self.valid.get() && self.engine.get())?;
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
        let matrix = self.tab.get_untracked() == Tab::Targets;
        let about = self.asked.get_untracked();
        let known = self.survey.with_untracked(|survey| {
            survey.as_ref().is_some_and(|survey| !matrix || survey.matrix.is_some())
        });
        if !self.engine.get_untracked()
            || !self.current()
            || (known && self.surveyed.get_untracked() == about)
        {
            return;
        }
        let text = self.text.get_untracked();
        if !matrix && !self.tools.with_value(|tools| tools.expects) {
            self.take_in(about, Found::Survey(Box::default()));
            return;
        }
        let terms = self.terms();
        self.tools.update_value(|tools| {
            let module = &tools.module;
            let surveyor = tools.surveyor.get_or_insert_with(|| {
                let surveyor = Checker::new(|_| {});
                module.iter().for_each(|module| surveyor.begin(module.clone()));
                surveyor
            });
            surveyor.hear(move |heard| {
                if let Heard::Found(found, _) = heard {
                    self.take_in(about, found);
                }
            });
            surveyor.ask(Question::Survey { matrix }, text, terms);
        });
    }

    fn take_in(self, about: u32, found: Found) {
        if let (Found::Survey(survey), true) = (found, about == self.asked.get_untracked()) {
            self.survey.set(Some(Arc::new(*survey)));
            self.surveyed.set(about);
        }
    }
}
