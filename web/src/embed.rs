//! The embedded page: the panels of one scenario without the rest of the page. It uses the same modules, and is smaller
//! because it omits the others.
#![allow(dead_code, reason = "the full page uses more of these modules")]

mod browser;
mod change;
mod checker;
mod components;
mod dom;
mod editing;
mod engine;
mod examples;
mod fold;
mod keys;
mod library;
mod port;
mod rails;
mod recording;
mod state;
mod tint;
mod trace;
mod verdict;

use components::editor::editor;
use components::expectations::expectations;
use components::findings::{reasons, story};
use components::notice::notices;
use components::page::run;
use components::problems::{errors, warnings};
use components::verdict_bar::verdict_bar;
use dom::*;
use leptos::ev;
use leptos::prelude::*;
use state::State;

fn main() {
    browser::mount(page);
}

/// The panels. The address selects the visible ones, and the styles hide the others.
fn page() -> impl Show {
    let state = State::new();
    provide_context(state);
    state.fill();
    state.follow_lessons();
    state.start();
    listen(state);
    let _ = window_event_listener(ev::hashchange, move |_| state.address_changed());
    let judgement = section("panel findings").attr("aria-labelledby", "findings-name").with((
        h2("panel__name").attr("id", "findings-name").with("Why"),
        div("panel__body findings__body")
            .attr("id", "inquiry")
            .toggle("findings--stale", move || state.stale())
            .says("aria-busy", move || state.stale() && state.running.get())
            .with((
                errors(),
                move || reasons(state),
                warnings(),
                move || expectations(state),
                move || story(state),
            )),
    ));
    let text = div("work__text").with((editor(None::<El>), judgement));
    let work = el("main", "work").with((text, run(state, None)));
    (notices(), verdict_bar(), work)
}

/// Handles keys only in a focused execution; all other keys belong to the host page.
fn listen(state: State) {
    let _ = window_event_listener(ev::keydown, move |event| {
        if keys::is_free(&event)
            && keys::is_in(&event, "#execution")
            && keys::step(state, &event.key())
        {
            event.prevent_default();
        }
    });
}
