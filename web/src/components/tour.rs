//! The bar of the first visit: the stage, whether it is done, and the ways on.

use super::icon::{Icon, IconButton};
use super::press;
use super::prose::Prose;
use crate::browser;
use crate::state::{STAGES, Stage, State};
use leptos::prelude::*;
use web_sys::ScrollLogicalPosition;

/// The bar; nothing if the tour is closed.
#[component]
pub(super) fn Tour() -> impl IntoView {
    let state = State::expect();
    let bar = move || {
        let at = state.chrome.tour.get()?;
        Some(view! { <Bar at stage=STAGES.get(at)?/> }.into_any())
    };
    view! { <div class="tours" hidden=move || state.chrome.view.with(Option::is_some)>{move || bar()}</div> }
}

#[component]
fn Bar(at: usize, stage: &'static Stage) -> impl IntoView {
    let state = State::expect();
    // A page that is in the state of the stage when it begins allows the next one, but only an action ticks the stage.
    let begun = untrack(|| (stage.done)(state));
    let stands = Memo::new(move |_| (stage.done)(state));
    let left = StoredValue::new(!begun);
    // A stage that was done once stays done.
    let done = Memo::new(move |before: Option<&bool>| {
        let now = stands.get();
        left.update_value(|left| *left |= !now);
        before == Some(&true) || (now && left.get_value())
    });
    request_animation_frame(move || {
        browser::scroll_to(stage.place, ScrollLogicalPosition::Center);
    });
    let is_last = at + 1 == STAGES.len();
    let dot =
        |index| view! { <i class="tour__dot" class:tour__dot--past=index <= at></i> }.into_any();
    let back = (at > 0).then(|| {
        view! {
            <button class="button" type="button" on:click=press(move || state.go_to_stage(at - 1))>
                "Back"
            </button>
        }
        .into_any()
    });
    view! {
        <section class="tour" aria-label="Start here">
            <div class="tour__words" role="status">
                <p class="tour__name">
                    {format!("{} of {}: {}", at + 1, STAGES.len(), stage.name)}
                    " "
                    {move || {
                        done.get()
                            .then(|| view! { <span class="tour__done"><Icon name="ok"/>"done"</span> }.into_any())
                    }}
                </p>
                <p class="tour__text">{emphasised(stage.text)}</p>
            </div>
            <div class="tour__dots" aria-hidden="true">{(0..STAGES.len()).map(dot).collect_view()}</div>
            {back}
            <button
                class="button"
                class:button--main=move || begun || done.get()
                type="button"
                on:click=press(move || state.go_to_stage(at + 1))
            >
                {move || match (is_last, begun || done.get()) {
                    (true, _) => "Finish",
                    (false, true) => "Next",
                    (false, false) => "Skip",
                }}
            </button>
            <IconButton
                name="Close the tour"
                title="Close; Start here continues at this stage"
                icon="close"
                on:click=press(move || state.leave_tour())
            />
        </section>
    }
}

/// A sentence with code between backticks and names between asterisks.
fn emphasised(text: &'static str) -> Vec<AnyView> {
    let parts = text.split('*').enumerate();
    parts
        .map(|(index, part)| match index % 2 {
            1 => view! { <b>{part}</b> }.into_any(),
            _ => view! { <Prose text=part/> }.into_any(),
        })
        .collect_view()
}
