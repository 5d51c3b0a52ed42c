//! The panels of the state of the execution, next to the lanes, one at a time.

use super::STATE;
use super::tabs::{Chosen, Tabs, id_of};
use crate::state::State;
use leptos::prelude::*;

/// The panels with their tabs.
#[component]
pub(super) fn Beside() -> impl IntoView {
    let state = State::expect();
    view! {
        <section class="panel work__state" aria-labelledby="beside-name">
            <h2 class="unseen" id="beside-name">"State"</h2>
            <Tabs
                label="State"
                row="beside"
                controls="beside"
                panels=STATE
                chosen=state.chrome.beside
                choose=move |word| state.show_beside(word)
            />
            <div
                class="panel__body"
                id="beside"
                role="tabpanel"
                tabindex="0"
                aria-labelledby=move || id_of("beside", state.chrome.beside.get())
            >
                <Chosen panels=STATE chosen=state.chrome.beside/>
            </div>
        </section>
    }
}
