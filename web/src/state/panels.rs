//! What is open beside the scenario, in words that links carry.

use super::{State, Tab};
use leptos::prelude::*;

/// Words for the tabs but the first.
const TABS: [(&str, Tab); 3] =
    [("relations", Tab::Relations), ("targets", Tab::Targets), ("readings", Tab::Readings)];

/// The word for steps on the machine.
const MACHINE: &str = "machine";

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// Whether such words say that the steps are some on the machine.
pub(super) fn of_machine(words: &str) -> bool {
    has(words, MACHINE)
}

impl State {
    /// The words for what is open otherwise than a new reader sees it, apart by spaces.
    pub(super) fn panels(self) -> String {
        let tab = TABS.iter().find(|(_, tab)| *tab == self.tab.get_untracked());
        let schedules = self.schedules.get_untracked().then_some("schedules");
        let ledger = (!self.ledger.get_untracked()).then_some("no-ledger");
        let machine = self.track.with_untracked(|track| track.of_machine()).then_some(MACHINE);
        let words = tab.map(|(word, _)| *word).into_iter().chain(schedules).chain(ledger);
        let words = words.chain(machine);
        words.collect::<Vec<_>>().join(" ")
    }

    /// Opens what such words say, and closes the rest.
    pub(super) fn open_panels(self, words: &str) {
        let has = |word: &str| has(words, word);
        let tab = TABS.iter().find(|(word, _)| has(word));
        self.tab.set(tab.map_or(Tab::Why, |(_, tab)| *tab));
        self.schedules.set(has("schedules"));
        self.ledger.set(!has("no-ledger"));
    }

    /// Folds a panel, or opens it.
    pub(crate) fn fold(self, panel: RwSignal<bool>, open: bool) {
        if panel.get_untracked() != open {
            panel.set(open);
            self.keep();
        }
    }
}
