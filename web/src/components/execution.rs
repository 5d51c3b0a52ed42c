//! The execution: controls, lanes, and where it stands.

use super::controls::Controls;
use super::lanes::Lanes;
use super::prose::prose;
use crate::state::State;
use crate::track::Track;
use leptos::prelude::*;

/// The execution panel.
#[component]
pub(crate) fn Execution() -> impl IntoView {
    let state = State::expect();
    let word = Memo::new(move |_| {
        state
            .track
            .with(|track| track.view.as_ref().map(|view| view.state.clone()).unwrap_or_default())
    });
    let summary = Memo::new(move |_| {
        let summary = |track: &Track| track.view.as_ref().map(|view| view.summary.clone());
        state.track.with(summary).unwrap_or_default()
    });
    any! {
        <section class="panel execution" aria-labelledby="execution-name">
            <div class="panel__head">
                <h2 class="panel__name" id="execution-name">"Execution"</h2>
                <Controls />
            </div>
            <Lanes />
            <p class="stands" data-state=move || word.get() role="status">
                <b>{move || word.get()}</b>
                " "
                {move || prose(&summary.get())}
            </p>
        </section>
    }
}
