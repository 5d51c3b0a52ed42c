//! Texts, targets and verdicts.

use super::{State, Tools};
use crate::browser;
use crate::checker::{Checker, Heard};
use crate::editing;
use crate::engine::{self, Fix, Report};
use crate::port;
use crate::recording::Recording;
use leptos::prelude::*;
use protocol::{Found, Question, Statement, recorded};
use std::sync::Arc;

impl State {
    /// Shows what was recorded of the first text, where it was recorded, and sends for the engine.
    pub(crate) fn start(self) {
        let checker = Checker::new(move |heard| self.hear(heard));
        self.tools.update_value(|tools| tools.checker = Some(checker));
        let own = engine::Terms::default() == self.terms();
        let recorded =
            recorded().filter(|it| own && self.text.with_untracked(|text| *text == it.text));
        match recorded {
            Some(recorded) => {
                self.about.set(recorded.about);
                self.tools.update_value(|tools| {
                    tools.recording = Some(Recording(recorded.shown));
                    tools.tints = (recorded.text, recorded.tints);
                });
                self.judge(recorded.report, recorded.statements, true);
            }
            None => self.ask(),
        }
        leptos::task::spawn_local(async move { self.meet(port::load().await) });
    }

    /// The engine is there, or cannot be had.
    fn meet(self, engine: Result<wasm_bindgen::JsValue, String>) {
        match engine {
            Ok(module) => {
                self.engine.set(true);
                self.targets.set(port::targets());
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
                self.running.set(false);
                self.tell(true, format!("The engine could not be loaded: {why}. Your work is kept. Reload the page to try again."));
            }
        }
    }

    /// The reader typed.
    pub(crate) fn edit(self, text: String) {
        self.own();
        // What was told was about the text before.
        self.notice.set(None);
        self.text.set(text);
        self.ask();
        self.keep();
    }

    /// Puts another text in the place of a part of the present one.
    ///
    /// Does nothing where the place is one of an older text.
    pub(crate) fn replace(self, offset: usize, length: usize, replacement: &str) {
        if !self.current() {
            return;
        }
        let mut text = self.text.get_untracked();
        if text.get(offset..offset + length).is_some() {
            text.replace_range(offset..offset + length, replacement);
            self.focus(offset, length);
            self.edit(text);
        }
    }

    /// Makes the edits of a fix, which the reader can undo in the editor. Does nothing where it is one of an older text.
    pub(crate) fn apply(self, fix: &Fix) {
        if self.current() {
            if self.track.with_untracked(crate::track::Track::of_machine) {
                self.to_text();
            }
            let text = self.text.get_untracked();
            // In the editor keys undo it.
            if let Some(first) = fix.edits.first() {
                self.focus(first.offset as usize, 0);
            }
            self.edit(engine::apply(&text, fix));
        }
    }

    /// Puts the caret of the editor at a place of the text, given in bytes.
    pub(crate) fn focus(self, offset: usize, length: usize) {
        let (start, end) = self.units(offset, length);
        editing::select(start, end);
    }

    /// Where a part of the text begins and ends in UTF-16 code units, given in bytes.
    pub(crate) fn units(self, offset: usize, length: usize) -> (u32, u32) {
        self.text.with_untracked(|text| {
            let units =
                |part: Option<&str>| part.map_or(0, |part| part.encode_utf16().count() as u32);
            let start = units(text.get(..offset));
            (start, start + units(text.get(offset..offset + length)))
        })
    }

    /// The colours of a text: as the engine gives them, before it is there as they were recorded.
    pub(crate) fn tints(self, text: &str) -> Vec<u32> {
        if self.engine.get() {
            return editing::tints(text);
        }
        self.tools.with_value(
            |Tools { tints: (recorded, tints), .. }| {
                if recorded == text { tints.clone() } else { Vec::new() }
            },
        )
    }

    /// Puts the caret of the editor at the beginning of a line, from 1.
    pub(crate) fn focus_line(self, line: u32) {
        let (start, length) = self.text.with_untracked(|text| {
            let mut lines = text.split_inclusive('\n');
            let before = lines.by_ref().take(line.saturating_sub(1) as usize).map(str::len).sum();
            (before, lines.next().unwrap_or_default().trim_end().len())
        });
        self.focus(start, length);
    }

    /// The reader chose a target; none: the text's own.
    pub(crate) fn choose_target(self, target: Option<String>) {
        self.target.set(target);
        self.notice.set(None);
        self.ask();
        self.keep();
    }

    /// The reader chose an answer to a reading, given as `ID=CHOICE`; the usual answer is the same as none.
    pub(super) fn choose_reading(self, answer: &str) {
        let id = answer.split('=').next();
        self.readings.update(|chosen| {
            chosen.retain(|other| other.split('=').next() != id);
            chosen.push(answer.to_owned());
            chosen.sort();
        });
        self.notice.set(None);
        self.ask();
        self.keep();
    }

    /// Gives up the check under way.
    pub(crate) fn cancel(self) {
        self.tools.with_value(|tools| tools.checker.iter().for_each(Checker::cancel));
        self.running.set(false);
        self.long.set(None);
        let of = match self.current() {
            true => "Results are incomplete.",
            false => "Results are for the previous version.",
        };
        self.tell(false, ["Check cancelled. ", of].concat());
    }

    /// Sends the text to the worker.
    pub(super) fn ask(self) {
        self.asked.update(|asked| *asked += 1);
        self.running.set(true);
        self.long.set(None);
        let (text, terms) = (self.text.get_untracked(), self.terms());
        self.tools.with_value(|tools| {
            if let Some(checker) = &tools.checker {
                checker.ask(Question::Check, text, terms);
            }
        });
    }

    fn hear(self, heard: Heard) {
        match heard {
            // Until the engine is there nothing is being checked that could be cancelled.
            Heard::Long(_) if !self.engine.get_untracked() => {}
            Heard::Long(states) => {
                self.long.update(|long| *long = Some(states.max(long.unwrap_or(0))));
                // What was found of another scenario says nothing of this one.
                if self.tools.with_value(|tools| tools.turned) {
                    self.report.set(None);
                }
                // What takes long to judge can be stepped meanwhile.
                self.valid.set(true);
                self.restep();
            }
            // A lesson asks for the verdict, not for what was found until now.
            Heard::Found(_, false) if browser::is_asked() => {}
            Heard::Found(Found::Report(report, statements), whole) => {
                self.judge(*report, statements, whole);
            }
            Heard::Found(..) => {}
            Heard::Broken => {
                self.running.set(false);
                self.long.set(None);
                self.tell(true, "The checker stopped unexpectedly on this text. Your text is unchanged; please report it.");
            }
        }
    }

    /// Takes a report on the present text in; one that is not `whole` says what was found until now.
    fn judge(self, report: Report, statements: Vec<Statement>, whole: bool) {
        let turned = self.tools.try_update_value(|tools| {
            tools.statements = statements;
            std::mem::take(&mut tools.turned)
        });
        let valid = report.verdict != "invalid";
        self.answered.set(self.asked.get_untracked());
        if whole {
            self.running.set(false);
            self.long.set(None);
        }
        self.diagnostics.set(report.diagnostics.clone());
        if self.valid.get_untracked() != valid {
            self.valid.set(valid);
        }
        if valid {
            if whole {
                self.compare(&report);
            }
            self.restep();
            let witness = self
                .tools
                .try_update_value(|tools| std::mem::take(&mut tools.witness))
                .unwrap_or(false);
            self.report.set(Some(Arc::new(report)));
            if witness {
                self.show_first();
            }
            if whole {
                self.survey();
            }
        } else if turned == Some(true) {
            // What is shown is of another scenario; of this one there is nothing to step through.
            self.report.set(None);
            self.restep();
        }
        self.judged.update(|judged| *judged += 1);
    }

    /// What a rule says that the report names.
    pub(crate) fn statement(self, rule: &str) -> Option<Statement> {
        self.tools.with_value(|tools| tools.statements.iter().find(|it| it.rule == rule).cloned())
    }

    /// The verdict that a link recorded, until the text is judged.
    pub(crate) fn recorded(self) -> Option<String> {
        self.tools.with_value(|tools| tools.recorded.clone())
    }

    /// Says how the verdict relates to the one that a link recorded.
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
        self.notice.update(|notice| {
            let back = notice.as_ref().is_some_and(|notice| notice.back);
            *notice = Some(super::Notice { error: false, text, back, recorded });
        });
    }
}
