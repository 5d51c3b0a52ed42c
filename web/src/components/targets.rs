//! The verdict on every target, and the machine code, as the engine creates them.

use super::aria;
use super::document::{Document, any_action};
use super::tabs::TabPanel;
use crate::state::State;
use leptos::prelude::*;
use std::sync::Arc;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "targets",
    name: "Targets",
    view: || view! { <Targets/> }.into_any(),
};

/// The targets, grouped by result.
#[component]
fn Targets() -> impl IntoView {
    let state = State::expect();
    let cells = Signal::derive(move || {
        state.judgement.survey.with(|survey| survey.as_ref()?.matrix.clone().map(Arc::new))
    });
    let calm = move || {
        let description = match state.judgement.valid.get() {
            true => "Checking every target…",
            false => "Fix the errors to check every target.",
        };
        cells.with(Option::is_none).then(|| view! { <p class="calm">{description}</p> }.into_any())
    };
    let is_stale = move || !state.judgement.is_surveyed.get();
    let code = Signal::derive(move || {
        let judged = !state.judgement.judged_on.get().is_empty() && state.judgement.judged.get() > 0;
        judged.then(|| state.machine_code()).flatten().map(Arc::new)
    });
    view! {
        <div class="matrix">
            <div class:matrix--stale=is_stale aria-busy=move || aria(is_stale())>
                {move || calm()}
                <Document page=cells act=any_action(state)/>
            </div>
            <section class="machine-code" aria-label="Machine code">
                <Document page=code act=any_action(state)/>
            </section>
        </div>
    }
}
