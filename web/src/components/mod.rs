//! The visible components. They contain no logic: they show signals of the state and call its methods.
//!
//! The page must be small, so views are erased: `--cfg erase_components` gives all elements of a name one type, and
//! `into_any` gives all parts that come and go one. A closure that stands in `view!` itself (`{move || name()}`) is erased,
//! too; a variable with a closure has code of its own.

#![allow(
    unreachable_pub,
    reason = "the macro `component` makes a public function of each component"
)]

mod badge;
mod beside;
mod controls;
mod dialog;
mod document;
mod edges;
pub(crate) mod editor;
mod execution;
pub(crate) mod expectations;
mod finding;
mod grid;
mod icon;
mod inquiry;
mod keyed;
mod lanes;
mod legend;
mod made;
mod memory;
mod moves;
pub(crate) mod notice;
pub(crate) mod page;
mod palette;
pub(crate) mod problems;
mod prose;
mod rails;
mod scenarios;
mod schedules;
mod sharing;
mod sight;
mod split;
mod steps;
mod tabs;
mod top_bar;
mod tour;
pub(crate) mod verdict_bar;
mod view;
mod work;

use leptos::ev::MouseEvent;
use leptos::prelude::{AnyView, Effect, IntoAny, view};
use tabs::TabPanel;

/// Declares the panels of a row of tabs, in order: each is a module with a constant `PANEL`.
macro_rules! panels {
    ($($module:ident)*; $(#[$panels:meta])* $all:ident; $(#[$words:meta])* $names:ident) => {
        $(pub(crate) mod $module;)*
        $(#[$panels])*
        const $all: &[TabPanel] = &[$($module::PANEL),*];
        $(#[$words])*
        pub(crate) const $names: &[&str] = &[$($module::PANEL.word),*];
    };
}

panels! {
    findings
    relations
    targets
    readings;
    /// The panels below the text.
    ANALYSIS;
    /// Their words. An embed knows the words of links without the panels.
    ANALYSIS_WORDS
}

panels! {
    objects
    agents
    ledger;
    /// The panels next to the lanes.
    STATE;
    /// Their words.
    STATE_WORDS
}

/// An [`Effect`] whose code is compiled once and not for each closure.
fn effect(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(run);
}

/// A handler of clicks whose code is compiled once and not for each closure.
pub(crate) fn press(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(MouseEvent)> {
    Box::new(move |_| act())
}

/// A boolean as attributes of ARIA spell it: without a value they would be absent, which differs from `false`.
pub(crate) const fn aria(holds: bool) -> &'static str {
    if holds { "true" } else { "false" }
}

/// A text in which lines may break after the parts of a name, such as `s_barrier_signal`.
fn breakable(text: &str) -> Vec<AnyView> {
    let part = |part: &str| {
        let part = part.to_owned();
        view! { {part}<wbr/> }.into_any()
    };
    text.split_inclusive(['_', '.']).map(part).collect()
}
