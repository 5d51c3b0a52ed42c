//! The open panels, as words in links.

use super::{Beside, State, Tab, relating};
use leptos::prelude::*;

/// Words for the tabs except the first.
const TABS: [(&str, Tab); 3] =
    [("relations", Tab::Relations), ("targets", Tab::Targets), ("readings", Tab::Readings)];

/// Words for the views of the state except the first.
const BESIDE: [(&str, Beside); 2] = [("agents", Beside::Agents), ("ledger", Beside::Ledger)];

/// The word for steps on the hardware model.
const MACHINE: &str = "machine";

/// The prefix of the key of an undone step.
const UNDONE: &str = "+";

/// The prefixes of the engine's words: for a saved branch and for a breakpoint.
const OF_ENGINE: [char; 2] = ['~', '^'];

/// The prefixes of the words for the drawn relations and for a selected operation.
const DRAWN: &str = "=";
const ASKED: &str = "?";

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// Whether words declare the steps as steps on the hardware model.
pub(super) fn of_machine(words: &str) -> bool {
    has(words, MACHINE)
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
        let tab = TABS.iter().find(|(_, tab)| *tab == self.tab.get_untracked());
        let schedules = self.schedules.get_untracked().then_some("schedules");
        let beside = BESIDE.iter().find(|(_, beside)| *beside == self.beside.get_untracked());
        let beside = beside.map(|(word, _)| *word);
        let machine = self.trace.with_untracked(|trace| trace.of_machine()).then_some(MACHINE);
        let words = tab.map(|(word, _)| *word).into_iter().chain(schedules).chain(beside);
        let words = words.chain(machine);
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        self.relating.look.with_untracked(|look| {
            let drawn = look.chosen.join(",");
            words.extend((drawn != relating::DRAWN).then(|| [DRAWN, &drawn].concat()));
            let asked = look.pair.iter().map(|key| key.as_deref().unwrap_or_default());
            words.extend(asked.map(|key| [ASKED, key].concat()).filter(|_| look.is_asked()));
        });
        words.join(" ")
    }

    /// Opens the panels in words, and closes the others.
    pub(super) fn open_panels(self, words: &str) {
        let has = |word: &str| has(words, word);
        let tab = TABS.iter().find(|(word, _)| has(word));
        self.tab.set(tab.map_or(Tab::Why, |(_, tab)| *tab));
        self.schedules.set(has("schedules"));
        let beside = BESIDE.iter().find(|(word, _)| has(word));
        self.beside.set(beside.map_or(Beside::Objects, |(_, beside)| *beside));
        let drawn = words.split(' ').find_map(|word| word.strip_prefix(DRAWN));
        let mut pair = words.split(' ').filter_map(|word| word.strip_prefix(ASKED));
        let look = relating::looked(drawn, [pair.next(), pair.next()]);
        self.relating.look.set(look);
    }

    /// Folds or opens the schedules panel.
    pub(crate) fn fold_schedules(self, open: bool) {
        if self.schedules.get_untracked() != open {
            self.schedules.set(open);
            self.keep();
        }
    }

    /// Selects the view of the state next to the lanes.
    pub(crate) fn show_beside(self, beside: Beside) {
        self.beside.set(beside);
        self.keep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
