//! Links, the address, and the stored work.

use super::{Dialog, Notice, State, panels, visiting};
use crate::engine::{self, Shared};
use crate::library::Library;
use crate::port;
use crate::{browser, editing, examples};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::Form;
use std::sync::Arc;

/// Delay after the last change before the work is stored, in milliseconds.
const QUIET: u32 = 300;
/// Longest link in the address, in bytes.
const ADDRESS: usize = 60_000;

impl State {
    /// Fills the page from the address, from the stored work, or with an example.
    pub(crate) fn fill(self) {
        self.take_up();
        let link = browser::fragment();
        let view = visiting::view_of(&link);
        let again = view.is_none() && browser::is_reloaded() && self.come_back(&link);
        if !again && (view.is_some() || !self.open_link(&link)) {
            self.show_last();
        }
        self.chrome.view.set(view);
    }

    /// Opens a link; returns whether it was valid.
    fn open_link(self, link: &str) -> bool {
        if link.len() < 2 {
            return false;
        }
        if self.show_known(link) {
            return true;
        }
        match engine::decode(link) {
            Ok(shared) => {
                self.make_room();
                self.open(shared);
                let text = "Opened from a link.".to_owned();
                self.chrome.notice.set(Some(Notice {
                    error: false,
                    text,
                    back: false,
                    recorded: None,
                }));
                self.tools.update_value(|tools| {
                    tools.borrowed = true;
                    tools.address = link.to_owned();
                });
                true
            }
            Err(error) => {
                let mut text = format!("{error}.");
                text.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
                text.push_str(match self.document.scenarios.with_untracked(Vec::is_empty) {
                    true => " Showing an example.",
                    false => " Your work is unchanged.",
                });
                self.tell(true, text);
                false
            }
        }
    }

    /// Handles a change of the address.
    pub(crate) fn address_changed(self) {
        let link = browser::fragment();
        let view = visiting::view_of(&link);
        self.chrome.dialog.set(None);
        if view.is_some() {
            self.chrome.notice.set(None);
            self.chrome.view.set(view);
            self.chrome.view_changed.notify();
            return;
        }
        let visited = self.chrome.view.get_untracked().is_some();
        self.chrome.view.set(None);
        // Returning from a view changes nothing.
        if visited && self.tools.with_value(|tools| link == tools.address) {
            return;
        }
        if visited && link.len() < 2 {
            let address = self.tools.with_value(|tools| tools.address.clone());
            browser::set_fragment(if address.is_empty() { "#" } else { &address });
            return;
        }
        self.keep_now();
        if self.open_link(&link) {
            self.set_address(&link);
            self.ask();
        }
    }

    /// Loads what the first paint did not need, once.
    pub(crate) fn load_library(self) {
        if self.chrome.library.with_untracked(|library| library.is_empty()) {
            leptos::task::spawn_local(async move {
                if let Some(library) = Library::load().await {
                    self.chrome.library.set(Arc::new(library));
                }
            });
        }
    }

    /// Opens a dialog.
    pub(crate) fn show_dialog(self, dialog: Dialog) {
        self.load_library();
        self.chrome.dialog.set(Some(dialog));
    }

    /// Opens an example.
    pub(crate) fn open_example(self, text: &str) {
        self.leave_tour();
        let beside = self.make_room();
        let where_to = if beside { " next to your work" } else { "" };
        let description = format!("Opened the example “{}”{where_to}.", examples::title(text));
        self.chrome.notice.set(None);
        if beside {
            self.tell(false, description);
        }
        self.open_plain(text);
        self.ask();
        self.keep();
    }

    /// Sets the link as the address and copies it.
    pub(crate) fn share(self) {
        if self.chrome.view.get_untracked().is_none() {
            self.set_address(&self.link());
        }
        browser::copy(&browser::address());
        if self.chrome.engine.get_untracked() {
            self.chrome.dialog.set(Some(Dialog::Share));
        }
        self.tell(
            false,
            format!(
                "Link copied ({} characters). It is also in the address bar.",
                browser::address().len()
            ),
        );
    }

    /// Copies the scenario in the form with a file extension, or saves it as a file.
    pub(crate) fn export(self, ending: &str, as_file: bool) {
        // A report reveals the answer of a lesson.
        let Some(form) = Form::of(ending).filter(|_| !browser::is_asked()) else { return };
        let mut shared = self.shared();
        if panels::of_machine(&shared.panels) {
            // Exports contain only the specification's execution.
            shared.steps.clear();
        }
        match port::export(form, shared.text, self.terms(), shared.steps, browser::address()) {
            Ok(text) if as_file => port::save(&format!("{}.{ending}", self.file_name()), &text),
            Ok(text) => {
                browser::copy(&text);
                self.tell(false, "Copied to the clipboard.");
            }
            Err(why) => self.tell(true, why),
        }
    }

    /// Returns the title as a file name.
    fn file_name(self) -> String {
        let title = self.document.about.with_untracked(|about| about.title.to_lowercase());
        let words = title.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty());
        let name = words.take(8).collect::<Vec<_>>().join("-");
        if name.is_empty() { "scenario".into() } else { name }
    }

    /// Stores the work after a delay.
    pub(super) fn keep(self) {
        self.tools
            .update_value(|tools| tools.save = Some(Timeout::new(QUIET, move || self.keep_now())));
    }

    /// Stores the work if it changed.
    pub(crate) fn keep_now(self) {
        let due = self
            .tools
            .try_update_value(|tools| tools.save.take().map(|_| tools.borrowed))
            .flatten();
        let Some(borrowed) = due else { return };
        let link = self.link();
        if !borrowed {
            self.store(&link);
            self.note_left();
        }
        if link.len() <= ADDRESS && self.chrome.view.get_untracked().is_none() {
            self.set_address(&link);
        }
    }

    /// Marks the visible scenario as the reader's own.
    pub(super) fn own(self) {
        self.tools.update_value(|tools| tools.borrowed = false);
    }

    /// Opens a text on its own target, without steps.
    pub(super) fn open_plain(self, text: &str) {
        self.open(Shared { text: text.to_owned(), ..Shared::default() });
    }

    pub(super) fn open(self, shared: Shared) {
        let (cursor, machine) = (shared.steps.len(), panels::of_machine(&shared.panels));
        let mut steps = shared.steps;
        steps.extend(panels::undone(&shared.panels));
        steps.extend(panels::of_engine(&shared.panels));
        // As in an editor: lines end with a line feed.
        let text = shared.text.replace("\r\n", "\n").replace('\r', "\n");
        editing::turn(self.document.scenario.get_untracked(), &text);
        self.document.text.set(text);
        self.open_panels(&shared.panels);
        browser::show_findings();
        self.document.opened.notify();
        self.document.target.set(shared.target);
        self.document.readings.set(shared.readings);
        self.tools.update_value(|tools| {
            tools.chosen = !steps.is_empty();
            tools.pending = Some((steps, cursor, machine));
            tools.opened = self.document.text.get_untracked();
            tools.turned = true;
            tools.recorded = shared.verdict;
            tools.version = shared.engine;
        });
    }

    /// Returns the fragment of the visible scenario.
    pub(super) fn link(self) -> String {
        port::encode(&self.shared())
    }

    /// Sets the fragment of the playground, and the address unless a view is about to open: its event comes later.
    fn set_address(self, link: &str) {
        if visiting::view_of(&browser::fragment()).is_none() {
            browser::set_fragment(link);
        }
        self.note_address(link);
    }

    /// Sets the fragment of the playground.
    pub(super) fn note_address(self, link: &str) {
        self.tools.update_value(|tools| tools.address = link.to_owned());
    }

    fn shared(self) -> Shared {
        let cursor = self.execution.trace.with_untracked(|trace| trace.cursor());
        let mut steps = self.execution.trace.with_untracked(|trace| trace.keys());
        let undone = steps.split_off(cursor.min(steps.len()));
        Shared {
            text: self.document.text.get_untracked(),
            target: self.document.target.get_untracked(),
            readings: self.document.readings.get_untracked(),
            steps,
            engine: engine::VERSION.to_owned(),
            verdict: self
                .judgement
                .report
                .with_untracked(|report| report.as_deref().map(engine::recorded)),
            panels: panels::with_undone(self.panels(), &undone),
        }
    }
}
