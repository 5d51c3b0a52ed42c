//! Steps, forwards and backwards.

use super::State;
use crate::browser;
use crate::engine::{self, Finding, Stepper};
use crate::track::Track;
use leptos::prelude::*;

/// How many steps are performed at most in one go.
const RUN: usize = 400;

impl State {
    /// Performs an enabled operation.
    pub(crate) fn perform(self, key: &str) {
        self.step(|stepper| stepper.perform(key).is_ok());
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
        self.step(Stepper::back);
    }

    /// Performs again what was undone last.
    pub(crate) fn forward(self) {
        self.step(Stepper::forward);
    }

    /// Moves the cursor, within the steps performed and undone.
    pub(crate) fn go_to(self, length: usize) {
        self.step(|stepper| {
            stepper.go_to(length);
            true
        });
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
        self.step(|stepper| {
            stepper.load(&keys);
            true
        });
    }

    /// Loads the witness of the first finding, if there is one.
    pub(super) fn show_first(self) {
        if let Some(report) = self.report.get_untracked() {
            report.findings.iter().take(1).for_each(|finding| self.show(finding));
        }
    }

    /// Lets every agent go on in turn until none can, or until many steps were performed.
    pub(crate) fn run(self) {
        self.step(|stepper| {
            let mut turn = stepper.view().performed.last().map_or(0, |last| last.agent + 1);
            for _ in 0..RUN {
                let view = stepper.view();
                let next = view.agents[turn.min(view.agents.len())..]
                    .iter()
                    .chain(&view.agents)
                    .flat_map(|agent| &agent.moves);
                let Some(next) = next.into_iter().find(|next| next.enabled) else { break };
                turn = next.agent + 1;
                if stepper.perform(&next.key).is_err() {
                    break;
                }
            }
            true
        });
    }

    fn step(self, change: impl FnOnce(&mut Stepper) -> bool) {
        if !self.valid.get_untracked() {
            return;
        }
        let view = self.tools.try_update_value(|tools| {
            let stepper = tools.stepper.as_mut()?;
            change(stepper).then(|| (stepper.view(), stepper.memory()))
        });
        if let Some((view, memory)) = view.flatten() {
            self.track.update(|track| *track = track.after(view, memory));
            self.kept.set(None);
            self.keep();
        }
    }

    /// Renews the stepper after a change of text or target, keeping as many of its steps as can still be performed.
    pub(super) fn restep(self) {
        let now = (self.text.get_untracked(), self.terms());
        let before = self.track.with_untracked(|track| (track.keys(), track.cursor()));
        let track = self.tools.try_update_value(|tools| {
            let pending = tools.pending.take();
            if tools.stepped == now && pending.is_none() && tools.stepper.is_some() {
                return None;
            }
            let edited = pending.is_none();
            let (keys, cursor) = pending.unwrap_or(before);
            let (stepper, about) = engine::open(&now.0, &now.1);
            tools.stepped = now;
            tools.stepper = None;
            let Some(mut stepper) = stepper else {
                // Nothing to step through on this target: the steps are kept for the next.
                tools.pending = Some((keys, cursor));
                return Some((Track::default(), about, None));
            };
            let loaded = stepper.load(&keys);
            let kept = (edited && loaded > 0 && loaded < keys.len()).then(|| {
                format!("After the change: the first {loaded} of {} steps kept.", keys.len())
            });
            let mut track = Track::default().after(stepper.view(), stepper.memory());
            if cursor < loaded {
                stepper.go_to(cursor);
                track = track.after(stepper.view(), stepper.memory());
            }
            tools.stepper = Some(stepper);
            Some((track, about, kept))
        });
        if let Some((track, about, kept)) = track.flatten() {
            self.track.set(track);
            self.about.set(about);
            self.kept.set(kept);
        }
    }
}
