//! The embedded page: the panels of one scenario without the rest of the page. It uses the same modules, and is smaller
//! because it omits the others.
#![allow(dead_code, reason = "the full page uses more of these modules")]

mod browser;
mod change;
mod checker;
mod components;
mod editing;
mod engine;
mod examples;
mod fold;
mod header_lines;
mod keys;
mod library;
mod port;
mod rails;
mod recording;
mod state;
mod tint;
mod trace;
mod verdict;

use components::aria;
use components::editor::Editor;
use components::expectations::Expectations;
use components::findings::{Reasons, Story};
use components::notice::Notices;
use components::page::Run;
use components::problems::Problems;
use components::verdict_bar::VerdictBar;
use leptos::ev;
use leptos::prelude::*;
use state::State;

fn main() {
    browser::mount(|| view! { <Embed/> });
}

/// The panels. The address selects the visible ones, and the styles hide the others.
#[component]
fn Embed() -> impl IntoView {
    let state = State::new();
    provide_context(state);
    state.fill();
    state.follow_lessons();
    state.start();
    listen(state);
    let _ = window_event_listener(ev::hashchange, move |_| state.address_changed());
    view! {
        <Notices/>
        <VerdictBar/>
        <main class="work">
            <div class="work__text">
                <Editor/>
                <section class="panel findings" aria-labelledby="findings-name">
                    <h2 class="panel__name" id="findings-name">"Why"</h2>
                    <div
                        class="panel__body findings__body"
                        class:findings--stale=move || state.stale()
                        id="inquiry"
                        aria-busy=move || aria(state.stale() && state.judgement.running.get())
                    >
                        <Problems of_errors=true/>
                        <Reasons/>
                        <Problems of_errors=false/>
                        <Expectations/>
                        <Story/>
                    </div>
                </section>
            </div>
            <Run/>
        </main>
    }
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
