//! The page as a whole.

use super::beside::beside;
use super::edges::edges;
use super::editor::editor;
use super::execution::execution;
use super::inquiry::inquiry;
use super::keys::keys as key_list;
use super::legend::legend;
use super::notice::notices;
use super::palette::palette;
use super::scenarios::scenarios;
use super::sharing::sharing;
use super::split::{self, split};
use super::top_bar::top_bar;
use super::tour::tour;
use super::verdict_bar::verdict_bar;
use super::view::view;
use super::work::work as examine;
use crate::dom::*;
use crate::keys;
use crate::state::State;
use leptos::ev;
use leptos::prelude::*;

/// Delay after the first paint of loading what it does not need, in milliseconds.
const AFTER: u32 = 400;

/// The page.
pub(crate) fn page() -> impl Show {
    let state = State::new();
    provide_context(state);
    state.fill();
    state.follow_lessons();
    state.start();
    state.follow_relations();
    state.resume_tour();
    keys::listen(state);
    let _ = window_event_listener(ev::hashchange, move |_| state.address_changed());
    let _ = window_event_listener(ev::pagehide, move |_| state.keep_now());
    let away = move || state.view.with(Option::is_some);
    let text = div("work__text").with((editor(scenarios(state)), split(split::INQUIRY), inquiry()));
    let work = el("main", "work").bind("hidden", away).with((
        text,
        split(split::TEXT),
        run(state, Some(edges(state))),
    ));
    gloo::timers::callback::Timeout::new(AFTER, move || state.load_library()).forget();
    let dialogs = (key_list(), legend(), palette(), sharing(), examine());
    let verdict = verdict_bar().bind("hidden", away);
    (top_bar(), notices(), verdict, tour(state), work, view(), dialogs)
}

/// The execution, and the state of its objects and agents.
pub(crate) fn run(state: State, over: Option<El>) -> El {
    state.follow_beside();
    let stale = move || !state.valid.get();
    let run = div("work__run").toggle("stale", stale).bind("inert", stale);
    run.with((execution(over), split(split::STATE), beside(state)))
}
