//! Steps, forwards and backwards.

use super::State;
use crate::browser;
use crate::engine::{Finding, Terms};
use crate::port;
use crate::track::Track;
use leptos::prelude::*;
use protocol::{Ask, Shown};

impl State {
    /// Performs an enabled operation.
    pub(crate) fn perform(self, key: &str) {
        self.step(Ask::Perform(key.to_owned()));
    }

    /// Performs the move of an agent, if it has one that is enabled.
    pub(crate) fn perform_agent(self, agent: usize) {
        let key = self.track.with_untracked(|track| {
            let moves = track.agents().get(agent).map(|agent| &agent.moves);
            moves
                .and_then(|moves| moves.iter().find(|step| step.enabled))
                .map(|step| step.key.clone())
        });
        if let Some(key) = key {
            self.perform(&key);
        }
    }

    /// Undoes a step.
    pub(crate) fn back(self) {
        self.step(Ask::Back);
    }

    /// Performs again what was undone last.
    pub(crate) fn forward(self) {
        self.step(Ask::Forward);
    }

    /// Moves the cursor, within the steps performed and undone.
    pub(crate) fn go_to(self, length: usize) {
        self.step(Ask::GoTo(length));
    }

    /// Shows the reader the witness of a finding.
    pub(crate) fn demonstrate(self, finding: &Finding) {
        self.show(finding);
        browser::scroll_to("execution");
    }

    /// Shows the reader the witness of the first finding, if there is one.
    pub(crate) fn demonstrate_first(self) {
        if self.current() {
            self.show_first();
            browser::scroll_to("execution");
        }
    }

    /// Loads the witness of a finding, its last step performed, where it has one and belongs to the present text.
    fn show(self, finding: &Finding) {
        if !self.current() || finding.witness.is_empty() {
            return;
        }
        let keys: Vec<String> = finding.witness.iter().map(|step| step.key.clone()).collect();
        self.step(Ask::Load(keys));
    }

    /// Loads the witness of the first finding, if there is one.
    pub(super) fn show_first(self) {
        if let Some(report) = self.report.get_untracked() {
            report.findings.iter().take(1).for_each(|finding| self.show(finding));
        }
    }

    /// Lets every agent go on in turn until none can, or until many steps were performed.
    pub(crate) fn run(self) {
        self.step(Ask::Run);
    }

    /// Changes the execution. Before the engine is there only what was recorded can be shown; the rest is done once it is.
    fn step(self, ask: Ask) {
        if !self.valid.get_untracked() {
            return;
        }
        if self.engine.get_untracked() {
            return self.take(port::step(&ask));
        }
        let cursor = self.track.with_untracked(|track| track.cursor());
        let shown = self
            .tools
            .with_value(|tools| tools.recording.as_ref().and_then(|it| it.step(cursor, &ask)));
        match shown {
            Some(shown) => self.take(Some(shown)),
            None => self.tools.update_value(|tools| tools.queued.push(ask)),
        }
    }

    fn take(self, shown: Option<Shown>) {
        if let Some(Shown { view, memory }) = shown {
            self.track.update(|track| *track = track.after(view, memory));
            self.kept.set(None);
            self.keep();
        }
    }

    /// Does what was asked for before the engine was there.
    pub(super) fn catch_up(self) {
        let queued = self.tools.try_update_value(|tools| std::mem::take(&mut tools.queued));
        if self.current() {
            queued.into_iter().flatten().for_each(|ask| self.step(ask));
        }
    }

    /// Opens the text anew after a change of text or target, keeping as many of its steps as can still be performed.
    pub(super) fn restep(self) {
        if !self.engine.get_untracked() {
            return self.replay();
        }
        let now = (self.text.get_untracked(), self.terms());
        let before = self.track.with_untracked(|track| (track.keys(), track.cursor()));
        let opening = self.tools.try_update_value(|tools| {
            let pending = tools.pending.take();
            if tools.stepped.as_ref() == Some(&now) && pending.is_none() {
                return None;
            }
            let edited = pending.is_none();
            let (keys, cursor) = pending.unwrap_or(before);
            (tools.stepped, tools.recording) = (Some(now.clone()), None);
            Some((edited, keys, cursor))
        });
        if let Some((edited, keys, cursor)) = opening.flatten() {
            self.reopen(now, edited, keys, cursor);
        }
    }

    fn reopen(
        self,
        (text, terms): (String, Terms),
        edited: bool,
        keys: Vec<String>,
        cursor: usize,
    ) {
        let Some(opened) = port::open(text, terms, keys.clone(), cursor) else {
            return self.tell(true, "The engine stopped unexpectedly on this text. Your text is untouched; please report it, and reload the page.");
        };
        let (mut track, mut kept) = (Track::default(), None);
        match opened.session {
            Some(session) => {
                let (loaded, whole) = (session.loaded, keys.len());
                kept = (edited && loaded > 0 && loaded < whole).then(|| {
                    format!("After the change: the first {loaded} of {whole} steps kept.")
                });
                for Shown { view, memory } in [session.whole].into_iter().chain(session.at) {
                    track = track.after(view, memory);
                }
            }
            // Nothing to step through on this target: the steps are kept for the next.
            None => self.tools.update_value(|tools| {
                tools.pending = Some((keys, cursor));
                tools.stepped = None;
            }),
        }
        self.tools.update_value(|tools| tools.expects = opened.expects);
        self.track.set(track);
        self.about.set(opened.about);
        self.kept.set(kept);
    }

    /// Shows the beginning of the recorded execution.
    fn replay(self) {
        let first = self.tools.with_value(|tools| tools.recording.as_ref()?.0.first().cloned());
        if let Some(Shown { view, memory }) = first {
            self.tools.update_value(|tools| tools.pending = None);
            self.track.set(Track::default().after(view, memory));
        }
    }
}
