//! The open panels, as words in links.

use super::{State, relating};
use crate::components::{ANALYSIS_WORDS, STATE_WORDS};
use leptos::prelude::*;

/// The word for steps on the hardware model.
const MACHINE: &str = "machine";

/// The prefix of the key of an undone step.
const UNDONE: &str = "+";

/// The prefixes of the engine's words: for a saved branch and for a breakpoint.
const OF_ENGINE: [char; 2] = ['~', '^'];

/// The prefixes of the words for the drawn relations and for a selected operation.
const DRAWN: &str = "=";
const ASKED: &str = "?";

/// The prefix of the word for the name of the file.
const NAMED: &str = "@";

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// Whether words declare the steps as steps on the hardware model.
pub(super) fn of_machine(words: &str) -> bool {
    has(words, MACHINE)
}

/// Returns the word for the name of a file.
pub(super) fn named(name: &str) -> String {
    [NAMED, &name.replace(' ', "\u{a0}")].concat()
}

/// Returns the name of the file in words; empty if there is none.
pub(super) fn name_in(words: &str) -> String {
    let name = words.split(' ').find_map(|word| word.strip_prefix(NAMED));
    name.map_or(String::new(), |name| name.replace('\u{a0}', " "))
}

/// Adds the undone steps to words.
pub(super) fn with_undone(words: String, keys: &[String]) -> String {
    keys.iter().fold(words, |words, key| {
        let between = if words.is_empty() { "" } else { " " };
        [&*words, between, UNDONE, key].concat()
    })
}

/// Returns the undone steps in words.
pub(super) fn undone(words: &str) -> impl Iterator<Item = String> {
    words.split(' ').filter_map(|word| word.strip_prefix(UNDONE)).map(str::to_owned)
}

/// Returns the engine's words.
pub(super) fn of_engine(words: &str) -> impl Iterator<Item = String> {
    words.split(' ').filter(|word| word.starts_with(OF_ENGINE)).map(str::to_owned)
}

impl State {
    /// Returns words, separated by spaces, for the panels that differ from their defaults.
    pub(super) fn panels(self) -> String {
        let other = |chosen: RwSignal<&'static str>, words: &[&str]| {
            Some(chosen.get_untracked()).filter(|word| *word != words[0])
        };
        let tab = other(self.chrome.tab, ANALYSIS_WORDS);
        let schedules = self.chrome.schedules.get_untracked().then_some("schedules");
        let beside = other(self.chrome.beside, STATE_WORDS);
        let machine =
            self.execution.trace.with_untracked(|trace| trace.of_machine()).then_some(MACHINE);
        let words = tab.into_iter().chain(schedules).chain(beside);
        let words = words.chain(machine);
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        self.execution.relating.look.with_untracked(|look| {
            let drawn = look.chosen.join(",");
            words.extend((drawn != relating::DRAWN).then(|| [DRAWN, &drawn].concat()));
            let asked = look.pair.iter().map(|key| key.as_deref().unwrap_or_default());
            words.extend(asked.map(|key| [ASKED, key].concat()).filter(|_| look.is_asked()));
        });
        let name = self.document.name.get_untracked();
        words.extend((!name.is_empty()).then(|| named(&name)));
        words.join(" ")
    }

    /// Opens the panels in words, and closes the others.
    pub(super) fn open_panels(self, words: &str) {
        // The first panel of a row is open by default.
        let open = |all: &[&'static str]| *all.iter().find(|it| has(words, it)).unwrap_or(&all[0]);
        self.chrome.tab.set(open(ANALYSIS_WORDS));
        self.chrome.schedules.set(has(words, "schedules"));
        self.chrome.beside.set(open(STATE_WORDS));
        let drawn = words.split(' ').find_map(|word| word.strip_prefix(DRAWN));
        let mut pair = words.split(' ').filter_map(|word| word.strip_prefix(ASKED));
        let look = relating::looked(drawn, [pair.next(), pair.next()]);
        self.execution.relating.look.set(look);
        self.document.name.set(name_in(words));
    }

    /// Folds or opens the schedules panel.
    pub(crate) fn fold_schedules(self, open: bool) {
        if self.chrome.schedules.get_untracked() != open {
            self.chrome.schedules.set(open);
            self.keep();
        }
    }

    /// Selects the view of the state next to the lanes.
    pub(crate) fn show_beside(self, beside: &'static str) {
        self.chrome.beside.set(beside);
        self.keep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_contain_the_name_of_the_file() {
        assert_eq!(name_in(&format!("relations {} ?", named("a b.s"))), "a b.s");
        assert_eq!(name_in("relations +0@3"), "");
    }

    #[test]
    fn words_contain_undone_steps_and_open_panels() {
        let keys = ["0@3".to_owned(), "1@4".to_owned()];
        for words in ["", "relations machine"] {
            let with = with_undone(words.to_owned(), &keys);
            assert_eq!(undone(&with).collect::<Vec<_>>(), keys, "{with}");
            assert_eq!(of_machine(&with), of_machine(words));
            assert_eq!(with_undone(words.to_owned(), &[]), words);
        }
        assert_eq!(undone("ledger agents").count(), 0);
    }
}
