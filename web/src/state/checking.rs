//! Texts, targets and verdicts.

use super::{Input, State, Tools};
use crate::browser;
use crate::checker::{Checker, Heard};
use crate::editing;
use crate::engine::{self, Fix, Report, Terms};
use crate::port;
use crate::recording::Recording;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Found, Question, Statement, recorded};
use std::sync::Arc;

/// Largest change of the length of a text, in bytes, that a key makes.
const FEW: usize = 3;
/// Time after the last key until errors replace the results, in milliseconds.
const PATIENCE: u32 = 1000;

impl State {
    /// Shows the recording of the first text, if there is one, and loads the engine.
    pub(crate) fn start(self) {
        let checker = Checker::new(move |heard| self.hear(heard));
        self.tools.update_value(|tools| tools.checker = Some(checker));
        let own = Terms::default() == self.terms();
        let recorded = recorded()
            .filter(|it| own && self.document.text.with_untracked(|text| *text == it.text));
        match recorded {
            Some(recorded) => {
                self.document.about.set(recorded.about);
                self.tools.update_value(|tools| {
                    tools.recording = Some(Recording(recorded.shown));
                    tools.tints = (recorded.text, recorded.tints);
                });
                self.judge(recorded.report.into(), recorded.statements, true);
            }
            None => self.ask(),
        }
        leptos::task::spawn_local(async move { self.engine_arrived(port::load().await) });
    }

    /// Handles the loaded front ends for compiled code or their failure.
    pub(super) fn front_arrived(self, front: Result<(), String>) {
        match front {
            Ok(()) => {
                self.restep();
                if self.current() {
                    self.show_an_execution(!self.judgement.running.get_untracked());
                }
            }
            Err(why) => self.tell(true, format!("The front ends for compiled code could not be loaded: {why}. Your text is kept. Reload the page to try again.")),
        }
    }

    /// Handles the loaded engine or its failure.
    fn engine_arrived(self, engine: Result<wasm_bindgen::JsValue, String>) {
        match engine {
            Ok(module) => {
                self.chrome.engine.set(true);
                self.chrome.targets.set(port::targets());
                self.tools.with_value(|tools| {
                    tools
                        .checker
                        .iter()
                        .chain(&tools.surveyor)
                        .for_each(|it| it.begin(module.clone()));
                });
                self.tools.update_value(|tools| tools.module = Some(module));
                self.restep();
                self.catch_up();
                self.survey();
            }
            Err(why) => {
                self.judgement.running.set(false);
                self.tell(true, format!("The engine could not be loaded: {why}. Your work is kept. Reload the page to try again."));
            }
        }
    }

    /// Handles typed text.
    pub(crate) fn edit(self, text: String) {
        self.own();
        let typed = self.document.text.with_untracked(|old| old.len().abs_diff(text.len()) <= FEW);
        self.tools.update_value(|tools| tools.typed = typed);
        // The notice was about the previous text.
        self.chrome.notice.set(None);
        if self.document.text.with_untracked(|old| is_another(old, &text)) {
            self.tools.update_value(|tools| {
                tools.chosen = false;
                tools.replaced = true;
            });
            // The target and the readings were chosen for the previous text.
            self.document.target.set(None);
            self.document.readings.set(Vec::new());
            self.document.name.set(String::new());
        }
        let was_blank = self.document.text.with_untracked(|old| old.trim().is_empty());
        self.document.text.set(text);
        if was_blank {
            // The execution of an empty text is no result to keep while the first line is typed.
            self.judgement.report.set(None);
            self.restep();
        }
        self.ask();
        self.keep();
    }

    /// Replaces a part of the text.
    ///
    /// Does nothing if the position belongs to an older text.
    pub(crate) fn replace(self, offset: usize, length: usize, replacement: &str) {
        if !self.current() {
            return;
        }
        let mut text = self.document.text.get_untracked();
        if text.get(offset..offset + length).is_some() {
            text.replace_range(offset..offset + length, replacement);
            self.focus(offset, length);
            self.edit(text);
        }
    }

    /// Applies the edits of a fix, undoable in the editor. Does nothing if the fix belongs to an older text.
    pub(crate) fn apply(self, fix: &Fix) {
        if self.current() {
            if self.execution.trace.with_untracked(crate::trace::Trace::of_machine) {
                self.to_text();
            }
            let text = self.document.text.get_untracked();
            // The focus is in the editor, so that keys undo the edit.
            if let Some(first) = fix.edits.first() {
                self.focus(first.offset as usize, 0);
            }
            self.edit(engine::apply(&text, fix));
            browser::show_findings();
        }
    }

    /// Writes the header line `launch` with some words; without words there is none.
    pub(crate) fn write_launch(self, words: &str) {
        let line = match words.trim() {
            "" => String::new(),
            words => format!("launch {words}\n"),
        };
        let mut text = self.document.text.get_untracked();
        let mut from = 0;
        let mut lines = text.split_inclusive('\n');
        let known = lines.find_map(|known| {
            from += known.len();
            known.starts_with("launch ").then_some(from - known.len()..from)
        });
        text.replace_range(known.unwrap_or(0..0), &line);
        self.edit(text);
    }

    /// Moves the caret of the editor to a byte range of the text.
    pub(crate) fn focus(self, offset: usize, length: usize) {
        let (start, end) = self.units(offset, length);
        editing::select(start, end);
    }

    /// Converts a byte range of the text to UTF-16 code units.
    pub(crate) fn units(self, offset: usize, length: usize) -> (u32, u32) {
        self.document.text.with_untracked(|text| {
            let units =
                |part: Option<&str>| part.map_or(0, |part| part.encode_utf16().count() as u32);
            let start = units(text.get(..offset));
            (start, start + units(text.get(offset..offset + length)))
        })
    }

    /// Returns the colours of a text: the engine's, or the recorded ones before the engine has loaded.
    pub(crate) fn tints(self, text: &str) -> Vec<u32> {
        if self.chrome.engine.get() {
            return editing::tints(text);
        }
        self.tools.with_value(
            |Tools { tints: (recorded, tints), .. }| {
                if recorded == text { tints.clone() } else { Vec::new() }
            },
        )
    }

    /// Moves the caret of the editor to the start of a line, from 1.
    pub(crate) fn focus_line(self, line: u32) {
        let (start, length) = self.document.text.with_untracked(|text| {
            let mut lines = text.split_inclusive('\n');
            let before = lines.by_ref().take(line.saturating_sub(1) as usize).map(str::len).sum();
            (before, lines.next().unwrap_or_default().trim_end().len())
        });
        self.focus(start, length);
    }

    /// Selects a target; `None` for the text's own.
    pub(crate) fn choose_target(self, target: Option<String>) {
        self.document.target.set(target);
        self.chrome.notice.set(None);
        self.ask();
        self.keep();
    }

    /// Selects a reading, given as `ID=CHOICE`; the default choice equals none.
    pub(super) fn choose_reading(self, answer: &str) {
        let id = answer.split('=').next();
        self.document.readings.update(|chosen| {
            chosen.retain(|other| other.split('=').next() != id);
            chosen.push(answer.to_owned());
            chosen.sort();
        });
        self.chrome.notice.set(None);
        self.ask();
        self.keep();
    }

    /// Cancels the running check.
    pub(crate) fn cancel(self) {
        self.tools.with_value(|tools| tools.checker.iter().for_each(Checker::cancel));
        self.judgement.running.set(false);
        self.judgement.long.set(None);
        let of = if self.current() { " Results are incomplete." } else { "" };
        self.tell(false, ["Check cancelled.", of].concat());
    }

    /// Sends the text to the worker.
    pub(crate) fn ask(self) {
        self.ask_within(None);
    }

    /// Sends the text to the worker, with a limit on the states of a search.
    pub(crate) fn ask_within(self, max_states: Option<u64>) {
        self.judgement.running.set(true);
        self.judgement.long.set(None);
        let Input { text, terms } = self.document.input.get_untracked();
        let terms = Terms { max_states, ..terms };
        self.tools.update_value(|tools| {
            tools.max_states = max_states;
            // A report that waits is about an older input.
            tools.late = None;
            if let Some(checker) = &tools.checker {
                checker.ask(Question::Check, text, terms);
            }
        });
    }

    fn hear(self, heard: Heard) {
        match heard {
            // Before the engine has loaded there is no check to cancel.
            Heard::Long(..) if !self.chrome.engine.get_untracked() => {}
            Heard::Long(states, seconds) => {
                self.judgement
                    .long
                    .update(|long| *long = Some((states.max(long.map_or(0, |it| it.0)), seconds)));
                let is_new = !self.current();
                // Findings and problems of another scenario do not apply to this one.
                if self.tools.with_value(|tools| tools.turned || tools.replaced) {
                    self.judgement.report.set(None);
                    self.judgement.diagnostics.set(Vec::new());
                }
                // The reader can step through the text during a long check.
                self.judgement.valid.set(true);
                self.restep();
                // Findings of this text can be shown during the check.
                if is_new && self.follows_verdict() && !self.is_guided() {
                    self.drop_steps();
                }
            }
            // A lesson asks for the final verdict.
            Heard::Found(_, false) if browser::is_asked() => {}
            Heard::Found(Found::Report(report, statements), whole) => {
                let report = Report::from(*report);
                let waits = report.verdict == "invalid"
                    && self.judgement.valid.get_untracked()
                    && self.tools.with_value(|tools| tools.typed);
                if !waits {
                    return self.judge(report, statements, whole);
                }
                // Half a word is no scenario: the results stay until typing stops.
                self.judgement.diagnostics.set(report.diagnostics.clone());
                let late = Timeout::new(PATIENCE, move || self.judge(report, statements, whole));
                self.tools.update_value(|tools| tools.late = Some(late));
            }
            Heard::Found(..) => {}
            Heard::Broken => {
                self.judgement.running.set(false);
                self.judgement.long.set(None);
                self.tell(true, "The checker stopped unexpectedly on this text. Your text is unchanged; please report it.");
            }
        }
    }

    /// Takes a report on the current text; if not `whole`, the search continues.
    fn judge(self, report: Report, statements: Vec<Statement>, whole: bool) {
        let turned = self.tools.try_update_value(|tools| {
            tools.statements = statements;
            tools.replaced = false;
            std::mem::take(&mut tools.turned)
        });
        let valid = report.verdict != "invalid";
        self.judgement.answered.set(Some(self.document.input.get_untracked()));
        if whole {
            self.judgement.running.set(false);
            self.judgement.long.set(None);
        }
        self.judgement.diagnostics.set(report.diagnostics.clone());
        if self.judgement.valid.get_untracked() != valid {
            self.judgement.valid.set(valid);
        }
        if valid {
            if whole {
                self.compare(&report);
            }
            self.restep();
            self.judgement.report.set(Some(Arc::new(report)));
            self.show_an_execution(whole);
            if whole {
                // A longer search also decides the expectations.
                if self.tools.with_value(|tools| tools.max_states.is_some()) {
                    self.judgement.surveyed.set(None);
                }
                self.survey();
            }
        } else if turned == Some(true) {
            // The visible execution belongs to another scenario; this one has none.
            self.judgement.report.set(None);
            self.restep();
        }
        self.judgement.judged.update(|judged| *judged += 1);
    }

    /// Returns the statement of a rule in the report.
    pub(crate) fn statement(self, rule: &str) -> Option<Statement> {
        self.tools.with_value(|tools| tools.statements.iter().find(|it| it.rule == rule).cloned())
    }

    /// Returns the verdict in a link, until the text is checked.
    pub(crate) fn recorded(self) -> Option<String> {
        self.tools.with_value(|tools| tools.recorded.clone())
    }

    /// Compares the verdict with the one in a link.
    fn compare(self, report: &Report) {
        let recorded = self.tools.try_update_value(|tools| tools.recorded.take()).flatten();
        let Some(recorded) = recorded else { return };
        let now = engine::recorded(report);
        let same = recorded.split_whitespace().next() == Some(report.verdict.as_str());
        let text = if same {
            format!("Opened from a link; the verdict is unchanged ({now}).")
        } else {
            let version = self.tools.with_value(|tools| tools.version.clone());
            let by = match version == engine::VERSION {
                true => String::new(),
                false => [" by version ", &version].concat(),
            };
            format!("Opened from a link. Recorded{by}: {recorded}; now: {now}.")
        };
        let recorded = (!same).then_some(recorded);
        self.chrome.notice.update(|notice| {
            let back = notice.as_ref().is_some_and(|notice| notice.back);
            *notice = Some(super::Notice { error: false, text, back, recorded });
        });
    }
}

/// Whether a text is not an edited version of another one: they have no line in common except headers and brackets.
fn is_another(old: &str, new: &str) -> bool {
    let own = |line: &&str| {
        let header = ["title ", "note ", "target ", "launch "];
        line.len() > 2 && !header.iter().any(|word| line.starts_with(word))
    };
    let mut known: Vec<&str> = old.lines().map(str::trim).filter(own).collect();
    known.sort();
    let mut lines = new.lines().map(str::trim).filter(own).peekable();
    !known.is_empty()
        && lines.peek().is_some()
        && lines.all(|line| known.binary_search(&line).is_err())
}

#[cfg(test)]
mod tests {
    use super::is_another;

    #[test]
    fn a_text_without_a_common_line_is_another_one() {
        let old = "target gfx1250\nlaunch waves=2\nwave * {\n  arrive wg\n  wait wg\n}\n";
        assert!(is_another(old, "target gfx1250\nwave 0 {\n  join ready\n}\n"));
        assert!(!is_another(old, &old.replace("  wait wg\n", "")));
        assert!(!is_another(old, ""));
        assert!(!is_another("", old));
    }
}
