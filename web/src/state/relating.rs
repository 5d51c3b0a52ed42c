//! Relations of the performed steps.

use super::State;
use crate::{browser, port};
use leptos::prelude::*;
use protocol::{Look, RelationView};

/// The state of the relations tab.
#[derive(Clone, Copy)]
pub(crate) struct Relating {
    /// The request to the engine.
    pub look: RwSignal<Look>,
    /// The answer, while the tab is open and there are relations.
    pub view: RwSignal<Option<RelationView>>,
    /// Total width of the lanes, in pixels.
    pub width: RwSignal<f64>,
}

/// The word of the tab in links.
pub(crate) const TAB: &str = "relations";

/// The relations drawn by default: unordered accesses, phases, and fence synchronisation.
pub(super) const DRAWN: &str = "apart,pi,sw";

/// Returns the request for these relations, or for the default ones, and these operations.
pub(super) fn looked(drawn: Option<&str>, pair: [Option<&str>; 2]) -> Look {
    let drawn = drawn.unwrap_or(DRAWN).split(',').filter(|id| !id.is_empty());
    let chosen = drawn.map(str::to_owned).collect();
    let pair = pair.map(|key| key.filter(|key| !key.is_empty()).map(str::to_owned));
    Look { chosen, pair, ..Look::default() }
}

impl Relating {
    pub(super) fn new() -> Self {
        Self {
            look: RwSignal::new(looked(None, [None; 2])),
            view: RwSignal::new(None),
            width: RwSignal::new(0.0),
        }
    }
}

impl State {
    /// Whether the relations tab is open.
    pub(crate) fn relates(self) -> bool {
        self.chrome.tab.get() == TAB
    }

    /// Keeps the relations up to date with the steps, as long as the page lives.
    pub(crate) fn follow_relations(self) {
        super::follow(move || {
            self.execution.trace.with(|_| ());
            let looked = self.relates() && self.chrome.engine.get();
            let width = self.execution.relating.width.get();
            let lanes = self.execution.lanes.with(|lanes| {
                let lane = width / lanes.count.max(1) as f64;
                let middle =
                    |&(column, _): &(usize, bool)| (lane * (column as f64 + 0.5) * 10.0) as u32;
                lanes.of.iter().map(middle).collect()
            });
            let look = Look { lanes, ..self.execution.relating.look.get() };
            self.execution.relating.view.set(looked.then(|| port::relations(look)).flatten());
        });
    }

    /// Draws or hides a relation.
    pub(crate) fn toggle_relation(self, id: &str) {
        self.execution.relating.look.update(|look| {
            match look.chosen.iter().position(|it| it == id) {
                Some(at) => drop(look.chosen.remove(at)),
                None => look.chosen.push(id.to_owned()),
            }
        });
        self.keep();
    }

    /// Selects a line.
    pub(crate) fn ask_why(self, line: &str) {
        self.execution.relating.look.update(|look| line.clone_into(&mut look.asked));
    }

    /// Selects an operation: the first of two, then the second, then a new first.
    pub(crate) fn pick(self, key: &str) {
        self.execution.relating.look.update(|look| {
            look.pair = match std::mem::take(&mut look.pair) {
                [Some(first), None] if first != key => [Some(first), Some(key.to_owned())],
                _ => [Some(key.to_owned()), None],
            }
        });
        self.keep();
        if self.execution.relating.look.with_untracked(|look| look.pair[1].is_some()) {
            browser::show_start("pair");
        }
    }

    /// Selects the first or the second of the two operations.
    pub(super) fn pick_at(self, at: usize, key: &str) {
        let key = Some(key.to_owned()).filter(|key| !key.is_empty());
        self.execution.relating.look.update(|look| look.pair[at] = key);
        self.keep();
    }

    /// Folds or opens the table of all edges.
    pub(crate) fn fold_table(self, folded: bool) {
        if self.execution.relating.look.with_untracked(|look| look.table == folded) {
            self.execution.relating.look.update(|look| look.table = !folded);
        }
    }

    /// Returns whether an operation is the first or the second of the two.
    pub(crate) fn picked(self, key: &str) -> Option<usize> {
        let at = |look: &Look| look.pair.iter().position(|picked| picked.as_deref() == Some(key));
        self.execution.relating.look.with(at).filter(|_| self.relates())
    }
}
