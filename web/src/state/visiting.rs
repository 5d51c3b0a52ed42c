//! Views with an address: the fragment selects one, and the engine creates it.

use super::State;
use crate::{browser, examples, port};
use leptos::prelude::*;
use protocol::DocumentPage;
use protocol::document_page::Action;
use std::sync::Arc;

/// The first parts of views' fragments.
const VIEWS: [&str; 9] = [
    "gallery",
    "rules",
    "tools",
    "readings",
    "language",
    "kernels",
    "one-run",
    "command-line",
    "embedding",
];

/// Returns the view that a fragment names, without its `#`.
pub(super) fn view_of(fragment: &str) -> Option<String> {
    let view = fragment.strip_prefix('#')?;
    let first = view.split(['/', '?']).next()?;
    VIEWS.contains(&first).then(|| view.to_owned())
}

impl State {
    /// Returns the visible view; `None` before the engine and the library have loaded.
    pub(crate) fn page(self) -> Option<Arc<DocumentPage>> {
        let view = self.chrome.view.get()?;
        self.load_library();
        let ready =
            self.chrome.engine.get() && self.chrome.library.with(|library| !library.is_empty());
        if !ready {
            return None;
        }
        self.shelve();
        port::page(view).map(Arc::new)
    }

    /// Gives the loaded library to the engine, once.
    fn shelve(self) {
        let known =
            self.tools.try_update_value(|tools| std::mem::replace(&mut tools.shelved, true));
        if known == Some(false) {
            port::keep(self.chrome.library.with_untracked(|library| library.pack().to_owned()));
        }
    }

    /// Returns what the palette finds; nothing before the engine has loaded, and only commands before the library has.
    pub(crate) fn places(self) -> Vec<(String, String)> {
        if !self.chrome.engine.get() {
            return Vec::new();
        }
        if self.chrome.library.with(|library| !library.is_empty()) {
            self.shelve();
        }
        port::places()
    }

    /// Hides the verdict of lessons, as long as the page lives. A lesson starts at launch: its steps would reveal the verdict.
    pub(crate) fn follow_lessons(self) {
        let lesson = Memo::new(move |_| self.document.text.with(|text| examples::is_lesson(text)));
        super::follow(move || {
            self.document.opened.track();
            let begins = lesson.get();
            if begins || !browser::in_course() {
                browser::set_lesson(begins);
            }
            if begins {
                port::lesson();
            }
            if begins || browser::in_course() {
                self.begin_at_launch();
            }
        });
    }

    /// Goes to a view, like a link.
    pub(crate) fn visit(self, view: &str) {
        browser::go_to(view);
    }

    /// Returns from a view to the playground.
    pub(crate) fn leave(self) {
        if self.chrome.view.get_untracked().is_some() {
            browser::go_to("#");
        }
    }

    /// Shows the playground instead of a view, which stays in the history.
    pub(super) fn leave_for_good(self) {
        if self.chrome.view.get_untracked().is_some() {
            self.chrome.view.set(None);
            // The reader may have been far down in the view.
            browser::begin("view");
            let link = self.link();
            browser::push_fragment(&link);
            self.note_address(&link);
        }
    }

    /// Performs the action of an element; `value` is the value of a field.
    pub(crate) fn act(self, word: &str, to: &str, value: &str) {
        let Some(action) = Action::ALL.into_iter().find(|action| action.word() == word) else {
            return;
        };
        match action {
            Action::Go => self.go(&format!("{to}{}", browser::encode(value))),
            Action::Open => {
                let text = self.chrome.library.with_untracked(|it| it.text(to).map(str::to_owned));
                text.iter().for_each(|text| self.try_text(text));
            }
            Action::Try => self.try_text(to),
            Action::Work => self.begin_work(&format!("{to}{value}")),
            Action::Rewrite => {
                self.chrome.dialog.set(None);
                self.edit(to.to_owned());
            }
            Action::Target => {
                self.choose_target(Some(to.to_owned()));
                if self.chrome.view.get_untracked().is_some() {
                    self.tell(false, format!("The playground target is now `{to}`."));
                }
            }
            Action::Reading => self.choose_reading(to),
            Action::Copy => {
                browser::copy(to);
                self.tell(false, "Copied to the clipboard.");
            }
            Action::CopyAs => self.export(to, false),
            Action::Save => self.export(to, true),
            Action::Plan => self.plan(format!("{to}{value}")),
            Action::Relation => self.toggle_relation(to),
            Action::From => self.pick_at(0, value),
            Action::To => self.pick_at(1, value),
            Action::Table => {
                self.fold_table(self.execution.relating.look.with_untracked(|it| it.table))
            }
            Action::Line => to.parse().into_iter().for_each(|line| self.focus_line(line)),
        }
    }

    fn go(self, fragment: &str) {
        if let Some(view) = view_of(fragment) {
            browser::set_fragment(fragment);
            self.chrome.view.set(Some(view));
        }
    }

    fn try_text(self, text: &str) {
        self.open_example(text);
        self.leave_for_good();
    }
}

#[cfg(test)]
mod tests {
    use super::view_of;

    #[test]
    fn links_are_no_views() {
        assert_eq!(view_of("#language").as_deref(), Some("language"));
        assert_eq!(view_of("#language?q=a").as_deref(), Some("language?q=a"));
        for other in ["", "#", "#v1.AAAA", "#languages", "language"] {
            assert_eq!(view_of(other), None, "{other}");
        }
    }
}
