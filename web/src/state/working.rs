//! Long jobs on request, in a separate worker, with progress and cancel.

use super::{Dialog, Input, State};
use crate::browser;
use crate::checker::{Checker, Heard};
use crate::port;
use leptos::prelude::*;
use protocol::{DocumentPage, Found, Job, Question};
use std::sync::Arc;

/// The progress of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Work {
    /// Its result.
    pub page: Option<Arc<DocumentPage>>,
    /// Number of visited states while it is running and takes long.
    pub states: Option<u64>,
}

impl State {
    /// Starts the job with a name; its argument follows `:`.
    pub(crate) fn begin_work(self, word: &str) {
        // The result reveals the answer of a lesson.
        if browser::is_asked() {
            return;
        }
        let (name, rest) = word.split_once(':').unwrap_or((word, ""));
        let job = match name {
            "shrink" => Job::Shrink,
            "compare" if rest.is_empty() => {
                return self.show_work("compare".to_owned() + &self.others());
            }
            "runs" | "waits" => return self.show_work(word.to_owned()),
            "load" => {
                self.end_work();
                return self.plan("load ".to_owned() + rest);
            }
            "compare" => Job::Compare(rest.to_owned()),
            "opened" => Job::Compare(self.tools.with_value(|tools| tools.opened.clone())),
            "without" => Job::Without,
            "needs" => Job::Needs,
            "certificate" => Job::Certificate,
            "recorded" => Job::Recorded(rest.to_owned()),
            _ => return,
        };
        if name != "compare" {
            self.chrome.work.set(Work::default());
        }
        self.chrome.dialog.set(Some(Dialog::Work));
        let Input { text, terms } = self.document.input.get_untracked();
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

    /// Shows a page that the engine makes at once.
    fn show_work(self, word: String) {
        let page = port::page(word).map(Arc::new);
        self.chrome.work.set(Work { page, states: None });
        self.chrome.dialog.set(Some(Dialog::Work));
    }

    fn hear_work(self, heard: Heard) {
        match heard {
            Heard::Long(states, _) => {
                self.chrome.work.update(|work| work.states = work.states.max(Some(states)));
            }
            Heard::Found(Found::DocumentPage(page), _) => {
                self.chrome.work.set(Work { page: Some(Arc::new(*page)), states: None });
            }
            Heard::Found(..) => {}
            Heard::Broken => self.end_work(),
        }
    }

    /// Cancels a job and closes its dialog.
    pub(crate) fn end_work(self) {
        self.tools.with_value(|tools| tools.job.iter().for_each(Checker::cancel));
        self.chrome.work.set(Work::default());
        self.chrome.dialog.set(None);
    }
}
