//! Steps, forwards and backwards.

use super::State;
use crate::browser;
use crate::engine::{Finding, Terms};
use crate::port;
use crate::track::Track;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Ask, Panel, Sheet, Shown};

/// Milliseconds between two steps of an execution that goes on by itself.
const PLAY: u32 = 600;

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
        self.plan("run".to_owned());
    }

    /// Goes on in a way that a word of a sheet of schedules stands for.
    pub(crate) fn plan(self, word: String) {
        match word.as_str() {
            "counterexample" => self.next_counterexample(),
            _ => self.step(Ask::Plan(word)),
        }
        self.planned.update(|planned| *planned += 1);
    }

    /// Folds a band of lanes, or unfolds it.
    pub(crate) fn turn_band(self, name: &str) {
        self.turned.update(|turned| {
            if !turned.remove(name) {
                turned.insert(name.to_owned());
            }
        });
    }

    /// A panel of the execution as it stands.
    pub(crate) fn panel(self, panel: Panel) -> Option<Sheet> {
        self.track.with(|_| ());
        let ready = self.planned.get() < u32::MAX && self.engine.get() && self.valid.get();
        ready.then(|| port::panel(panel)).flatten()
    }

    /// Shows the reader the witness of the finding behind the one that was shown last, and the first behind the last one.
    pub(crate) fn next_counterexample(self) {
        let report = self.report.get_untracked();
        let findings = report.iter().flat_map(|report| &report.findings);
        let findings: Vec<&Finding> = findings.filter(|it| !it.witness.is_empty()).collect();
        let next = self.tools.try_update_value(|tools| {
            tools.finding = if tools.finding + 1 < findings.len() { tools.finding + 1 } else { 0 };
            tools.finding
        });
        match next.and_then(|next| findings.get(next)) {
            Some(finding) => self.show(finding),
            None => self.tell(false, "There is no counterexample: nothing was found."),
        }
    }

    /// Lets the execution go on by itself, or stops it.
    pub(crate) fn play(self) {
        self.playing.update(|playing| *playing = !*playing);
        self.tools.update_value(|tools| tools.tick = None);
        if self.playing.get_untracked() {
            self.tick();
        }
    }

    /// One step on, and the next one a while later.
    fn tick(self) {
        let stands = || self.track.with_untracked(|track| (track.cursor(), track.length()));
        let before = stands();
        match before.0 < before.1 {
            true => self.forward(),
            false => self.plan("one".to_owned()),
        }
        if stands().0 == before.0 {
            return self.playing.set(false);
        }
        let next = Timeout::new(PLAY, move || {
            if self.playing.get_untracked() {
                self.tick();
            }
        });
        self.tools.update_value(|tools| tools.tick = Some(next));
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
        if let Some(shown) = shown {
            self.track.update(|track| *track = std::mem::take(track).after(shown));
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
        let Some(opened) = port::open(text, terms.clone(), (keys.clone(), cursor), edited) else {
            return self.tell(true, "The engine stopped unexpectedly on this text. Your text is untouched; please report it, and reload the page.");
        };
        if opened.terms != terms {
            // A link can name what this engine does not know, and which did not count.
            self.target.set(opened.terms.target);
            self.readings.set(opened.terms.readings);
        }
        let (mut track, mut kept) = (Track::default(), None);
        match opened.session {
            Some(session) => {
                let (loaded, whole) = (session.loaded, keys.len());
                kept = (edited && loaded > 0 && loaded < whole).then(|| {
                    format!("After the change: the first {loaded} of {whole} steps kept.")
                });
                for shown in [session.whole].into_iter().chain(session.at) {
                    track = track.after(shown);
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
        if let Some(shown) = first {
            self.tools.update_value(|tools| tools.pending = None);
            self.track.set(Track::default().after(shown));
        }
    }
}
