//! The panels below the text, one at a time.

use super::problems::Problems;
use super::tabs::{Chosen, Tabs, id_of};
use super::{ANALYSIS, aria, effect};
use crate::state::State;
use leptos::html::Div;
use leptos::prelude::*;

/// The panels with their tabs.
#[component]
pub(super) fn Inquiry() -> impl IntoView {
    let state = State::expect();
    let body = NodeRef::<Div>::new();
    effect(move || {
        // Each tab starts at its top, independent of the previous tab's scroll position.
        state.chrome.tab.track();
        if let Some(body) = body.get() {
            body.set_scroll_top(0);
        }
    });
    view! {
        <section class="panel findings" aria-labelledby="findings-name">
            <h2 class="unseen" id="findings-name">"Analysis"</h2>
            <Tabs
                label="Analysis"
                controls="inquiry"
                row="tab"
                panels=ANALYSIS
                chosen=state.chrome.tab
                choose=move |word| state.show_tab(word)
            />
            <div
                node_ref=body
                class="panel__body findings__body"
                class:findings--stale=move || state.stale()
                id="inquiry"
                role="tabpanel"
                tabindex="0"
                aria-labelledby=move || id_of("tab", state.chrome.tab.get())
                aria-busy=move || aria(state.stale() && state.judgement.running.get())
            >
                <Problems of_errors=true/>
                <Chosen panels=ANALYSIS chosen=state.chrome.tab/>
            </div>
        </section>
    }
}
