//! What takes a while, is asked for, and is told in a sheet: in a worker of its own, with progress and a cancel.

use super::{Dialog, State};
use crate::browser;
use crate::checker::{Checker, Heard};
use crate::port;
use leptos::prelude::*;
use protocol::{Found, Job, Question, Sheet};
use std::sync::Arc;

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Work {
    /// What came of it.
    pub sheet: Option<Arc<Sheet>>,
    /// While it is under way and takes long: how many states were visited.
    pub states: Option<u64>,
}

impl State {
    /// Does the job that a word names; behind `:` stands what it needs.
    pub(crate) fn begin_work(self, word: &str) {
        // What comes of it gives the verdict away.
        if browser::is_asked() {
            return;
        }
        let (name, rest) = word.split_once(':').unwrap_or((word, ""));
        let job = match name {
            "shrink" => Job::Shrink,
            "compare" if rest.is_empty() => {
                let sheet = port::sheet(format!("compare{}", self.others())).map(Arc::new);
                self.work.set(Work { sheet, states: None });
                self.dialog.set(Some(Dialog::Work));
                return;
            }
            "compare" => Job::Compare(rest.to_owned()),
            "opened" => Job::Compare(self.tools.with_value(|tools| tools.opened.clone())),
            "without" => Job::Without,
            "recorded" => Job::Recorded(rest.to_owned()),
            _ => return,
        };
        if name != "compare" {
            self.work.set(Work::default());
        }
        self.dialog.set(Some(Dialog::Work));
        let (text, terms) = (self.text.get_untracked(), self.terms());
        self.tools.update_value(|tools| {
            let module = &tools.module;
            let worker = tools.job.get_or_insert_with(|| {
                let worker = Checker::new(move |heard| self.hear_work(heard));
                module.iter().for_each(|module| worker.begin(module.clone()));
                worker
            });
            worker.ask(Question::Job(job), text, terms);
        });
    }

    fn hear_work(self, heard: Heard) {
        match heard {
            Heard::Long(states) => self.work.update(|work| work.states = Some(states)),
            Heard::Found(Found::Sheet(sheet), _) => {
                self.work.set(Work { sheet: Some(Arc::new(*sheet)), states: None });
            }
            Heard::Found(..) => {}
            Heard::Broken => self.end_work(),
        }
    }

    /// Gives a job up, and closes its dialog.
    pub(crate) fn end_work(self) {
        self.tools.with_value(|tools| tools.job.iter().for_each(Checker::cancel));
        self.work.set(Work::default());
        self.dialog.set(None);
    }
}
