//! Other schedules of the scenario.

use super::made::Made;
use crate::state::State;
use leptos::prelude::*;
use protocol::Panel;
use web_sys::HtmlDetailsElement;

/// Other schedules, folded by default.
#[component]
pub(super) fn Schedules() -> impl IntoView {
    let state = State::expect();
    view! {
        <details
            class="schedules"
            open=move || state.chrome.schedules.get()
            on:toggle=move |event| {
                let folded = event_target::<HtmlDetailsElement>(&event);
                state.fold_schedules(folded.open());
            }
        >
            <summary class="panel__name">"Schedules"</summary>
            <Made class="panel__body" what=Panel::Schedules open=state.chrome.schedules/>
        </details>
    }
}
