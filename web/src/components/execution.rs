//! The execution: controls, lanes, and where it stands.

use super::controls::Controls;
use super::lanes::Lanes;
use super::prose::prose;
use crate::state::State;
use leptos::prelude::*;

/// The execution panel.
#[component]
pub(crate) fn Execution() -> impl IntoView {
    let state = State::expect();
    let stands = Memo::new(move |_| {
        state.track.with(|track| {
            track.view.as_ref().map(|view| (view.state.clone(), view.summary.clone()))
        })
    });
    let word = move || stands.get().map(|(word, _)| word).unwrap_or_default();
    any! {
        <section class="panel execution" id="execution" aria-labelledby="execution-name">
            <div class="panel__head">
                <h2 class="panel__name" id="execution-name">"Execution"</h2>
                <Controls />
            </div>
            <Lanes />
            <p class="stands" data-state=word role="status">
                <b>{word}</b>
                " "
                {move || stands.get().map(|(_, summary)| prose(&summary))}
                {move || state.kept.get().map(|kept| any! { <span class="stands__kept quiet">{kept}</span> })}
            </p>
        </section>
    }
}
