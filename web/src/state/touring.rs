//! *Start here*: a first visit in stages, beside the work. A stage is done when the page is in the state that it asks for.

use super::{Dialog, State};
use crate::browser;
use leptos::prelude::*;

/// The storage key of the stage; with a `+` while the tour is open.
const KEY: &str = "tidegate.tour";

/// The scenario of the tour.
const TEXT: &str = "title \"Start here: two waves synchronise\"\ntarget gfx1250\nlaunch waves=2\n\nwave 0 {\n  arrive wg\n  wait wg\n}\nwave 1 {\n  arrive wg\n  wait wg\n}\n";

/// One stage.
pub(crate) struct Stage {
    /// Its name.
    pub name: &'static str,
    /// What to look at and what to do.
    pub text: &'static str,
    /// A selector of what the text names first; empty if that is always visible.
    pub place: &'static str,
    /// Whether the page is in its state. A stage to read is always.
    pub done: fn(State) -> bool,
}

/// The stages in order.
pub(crate) static STAGES: [Stage; 6] = [
    Stage {
        name: "What a barrier counts",
        text: "Two waves arrive at the barrier `wg` and wait for each other. A phase of it completes after two arrivals. The panel *Barriers* counts them.",
        place: ".objects",
        done: |_| true,
    },
    Stage {
        name: "Step it",
        text: "Click an operation in the row *Next* below the lanes, and then the others, until both waves have ended. The band is the phase; the hatched bar is a wave that waits.",
        place: ".lanes__next",
        done: |state| {
            state
                .execution
                .trace
                .with(|trace| trace.view.as_ref().is_some_and(|it| it.state == "finished"))
        },
    },
    Stage {
        name: "Break it",
        text: "Delete the line `arrive wg` of wave 1, line 10 of the text. The verdict follows while you type.",
        place: ".editor",
        done: |state| judged(state, |verdict| !matches!(verdict, "ok" | "invalid")),
    },
    Stage {
        name: "Why",
        text: "The panel *Why* names the waits that never return and the arrive that is missing. Press *Show me* or *Replay* to see the steps that lead there.",
        place: ".finding",
        done: |state| {
            let report = state.judgement.report.get();
            let first = report.as_ref().and_then(|it| it.findings.first());
            first.is_some_and(|first| state.is_shown(first, false))
        },
    },
    Stage {
        name: "Fix it",
        text: "Press *Apply* in the green box: the arrive is back, and the verdict is *Defined* again.",
        place: ".finding__fix",
        done: |state| judged(state, |verdict| verdict == "ok"),
    },
    Stage {
        name: "Share it",
        text: "Press *Share*: a link contains the text, the target and the steps. Nothing is sent to a server. More is under *Examples*, *Course* and *Reference*.",
        place: "",
        done: |state| state.chrome.dialog.get() == Some(Dialog::Share),
    },
];

/// Whether the current text is valid and has such a verdict.
fn judged(state: State, fits: fn(&str) -> bool) -> bool {
    let report = state.judgement.report.get();
    !state.stale()
        && state.judgement.valid.get()
        && report.is_some_and(|report| fits(&report.verdict))
}

impl State {
    /// Continues a tour that was open when the page was left.
    pub(crate) fn resume_tour(self) {
        let kept = browser::load(KEY).unwrap_or_default();
        if let Some(stage) = kept.strip_prefix('+').and_then(|it| it.parse().ok()) {
            self.chrome.tour.set(Some(stage).filter(|stage| *stage < STAGES.len()));
        }
    }

    /// Starts the tour with its own scenario, or continues it where it was left.
    pub(crate) fn begin_tour(self) {
        self.leave_for_good();
        let left = browser::load(KEY).and_then(|kept| kept.parse().ok()).unwrap_or(0);
        let stage = if left + 1 < STAGES.len() { left } else { 0 };
        if stage == 0 {
            self.make_room();
            self.open_plain(TEXT);
        }
        // The page shows no execution by itself during the tour.
        self.go_to_stage(stage);
        if stage == 0 {
            self.ask();
            self.keep();
        }
    }

    /// Shows a stage; after the last one the tour ends.
    pub(crate) fn go_to_stage(self, stage: usize) {
        match stage < STAGES.len() {
            true => {
                browser::save(KEY, &format!("+{stage}"));
                self.chrome.tour.set(Some(stage));
                // A reader who skips the stage that breaks the scenario still sees why it is broken.
                if STAGES[stage].place == ".finding"
                    && self.document.text.with_untracked(|text| text == TEXT)
                    && let Some((before, after)) = TEXT.rsplit_once("  arrive wg\n")
                {
                    self.edit([before, after].concat());
                }
            }
            false => self.leave_tour(),
        }
    }

    /// Closes the tour, also for another scenario; it continues at the same stage.
    pub(crate) fn leave_tour(self) {
        if let Some(stage) = self.chrome.tour.get_untracked() {
            browser::save(KEY, &stage.to_string());
        }
        self.chrome.tour.set(None);
    }
}
