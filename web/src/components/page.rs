//! The page as a whole.

use super::agents::Agents;
use super::editor::Editor;
use super::examples::Examples;
use super::execution::Execution;
use super::findings::Findings;
use super::keys::Keys;
use super::notice::NoticeBar;
use super::objects::Objects;
use super::top_bar::TopBar;
use super::verdict_bar::VerdictBar;
use crate::keys;
use crate::state::State;
use leptos::ev;
use leptos::prelude::*;

/// The page.
#[component]
pub(crate) fn Page() -> impl IntoView {
    let state = State::new();
    provide_context(state);
    state.fill();
    state.start();
    keys::listen(state);
    let _ = window_event_listener(ev::hashchange, move |_| state.address_changed());
    let _ = window_event_listener(ev::pagehide, move |_| state.keep_now());
    let stale = move || !state.valid.get();
    any! {
        <TopBar />
        <NoticeBar />
        <VerdictBar />
        <main class="work">
            <div class="work__text">
                <Editor />
                <Findings />
            </div>
            <div class="work__run" class:stale=stale inert=stale>
                <Execution />
                <div class="work__state">
                    <Objects />
                    <Agents />
                </div>
            </div>
        </main>
        <Examples />
        <Keys />
    }
}
