//! Views with an address of their own: the fragment of the address says which, and the engine makes them.

use super::State;
use crate::{browser, examples, port};
use leptos::prelude::*;
use protocol::Sheet;
use protocol::sheet::Deed;
use std::sync::Arc;

/// What fragments of views begin with.
const VIEWS: [&str; 5] = ["gallery", "rules", "tools", "readings", "language"];

/// The view that a fragment names, without its `#`.
pub(super) fn view_of(fragment: &str) -> Option<String> {
    let view = fragment.strip_prefix('#')?;
    let first = view.split(['/', '?']).next()?;
    VIEWS.contains(&first).then(|| view.to_owned())
}

impl State {
    /// The view that is shown; nothing before the engine and the library are there.
    pub(crate) fn sheet(self) -> Option<Arc<Sheet>> {
        let view = self.view.get()?;
        self.load_library();
        let ready = self.engine.get() && self.library.with(|library| !library.is_empty());
        if !ready {
            return None;
        }
        let known =
            self.tools.try_update_value(|tools| std::mem::replace(&mut tools.shelved, true));
        if known == Some(false) {
            port::keep(self.library.with_untracked(|library| library.pack().to_owned()));
        }
        port::sheet(view).map(Arc::new)
    }

    /// Hides the verdict of what is opened as a lesson, for as long as the page lives. A lesson begins at launch: steps would
    /// give its verdict away.
    pub(crate) fn follow_lessons(self) {
        let lesson = Memo::new(move |_| {
            (self.opened.get(), self.text.with(|text| examples::is_lesson(text)))
        });
        crate::dom::effect(Box::new(move || {
            let (_, begins) = lesson.get();
            if begins || !browser::in_course() {
                browser::set_lesson(begins);
            }
            if begins {
                port::lesson();
            }
            if begins || browser::in_course() {
                self.begin_at_launch();
            }
        }));
    }

    /// Goes to a view, as a link to it does.
    pub(crate) fn visit(self, view: &str) {
        browser::go_to(view);
    }

    /// Back from a view to the playground.
    pub(crate) fn leave(self) {
        if self.view.get_untracked().is_some() {
            browser::go_to("#");
        }
    }

    /// Shows the playground as it now is, in the place of a view that stays in the history.
    fn leave_for_good(self) {
        if self.view.get_untracked().is_some() {
            self.view.set(None);
            let link = self.link();
            browser::push_fragment(&link);
            self.note_address(&link);
        }
    }

    /// Does what an element of a sheet stands for; `value` is what stands in it, where it is a field.
    pub(crate) fn act(self, word: &str, to: &str, value: &str) {
        let Some(deed) = Deed::ALL.into_iter().find(|deed| deed.word() == word) else { return };
        match deed {
            Deed::Go => self.go(&format!("{to}{}", browser::encode(value))),
            Deed::Open => {
                let text = self.library.with_untracked(|it| it.text(to).map(str::to_owned));
                text.iter().for_each(|text| self.try_text(text));
            }
            Deed::Try => self.try_text(to),
            Deed::Work => self.begin_work(&format!("{to}{value}")),
            Deed::Rewrite => {
                self.dialog.set(None);
                self.edit(to.to_owned());
            }
            Deed::Target => {
                self.choose_target(Some(to.to_owned()));
                if self.view.get_untracked().is_some() {
                    self.tell(false, format!("The playground target is now `{to}`."));
                }
            }
            Deed::Reading => self.choose_reading(to),
            Deed::Copy => {
                browser::copy(to);
                self.tell(false, "Copied to the clipboard.");
            }
            Deed::CopyAs => self.export(to, false),
            Deed::Save => self.export(to, true),
            Deed::Plan => self.plan(format!("{to}{value}")),
            Deed::Line => to.parse().into_iter().for_each(|line| self.focus_line(line)),
        }
    }

    fn go(self, fragment: &str) {
        if let Some(view) = view_of(fragment) {
            browser::set_fragment(fragment);
            self.view.set(Some(view));
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
