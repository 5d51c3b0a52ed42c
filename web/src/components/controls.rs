//! Back, forward, and the scrubber.

use super::icon::{Icon, IconButton};
use super::{aria, effect, press};
use crate::state::State;
use leptos::html::Input;
use leptos::prelude::*;

/// The playback controls.
#[component]
pub(super) fn Controls() -> impl IntoView {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.execution.trace.with(|trace| trace.cursor()));
    let length = Memo::new(move |_| state.execution.trace.with(|trace| trace.length()));
    let at_start = move || aria(cursor.get() == 0);
    let at_end = move || aria(cursor.get() == length.get());
    let scrub = NodeRef::<Input>::new();
    // Set the maximum first: the browser clamps a value above it.
    effect(move || {
        let Some(field) = scrub.get() else { return };
        field.set_max(&length.get().to_string());
        field.set_value(&cursor.get().to_string());
    });
    view! {
        <div class="controls" role="group" aria-label="Playback">
            <IconButton
                name="Back to launch"
                icon="first"
                attr:aria-disabled=at_start
                on:click=press(move || state.go_to(0))
            />
            <IconButton
                name="Step back"
                icon="back"
                attr:aria-disabled=at_start
                on:click=press(move || state.back())
            />
            <input
                node_ref=scrub
                class="controls__scrub"
                type="range"
                min="0"
                aria-label="Steps performed"
                on:input=move |event| state.go_to(event_target_value(&event).parse().unwrap_or_default())
            />
            <IconButton
                name="Step forward"
                icon="forward"
                attr:aria-disabled=at_end
                on:click=press(move || state.forward())
            />
            <IconButton
                name="Last step"
                icon="last"
                attr:aria-disabled=at_end
                on:click=press(move || state.go_to(usize::MAX))
            />
            <button
                class="button button--icon"
                type="button"
                aria-label="Play (g)"
                title="Play or pause (g)"
                aria-pressed=move || aria(state.execution.playing.get())
                on:click=press(move || state.play())
            >
                {move || {
                    let name = if state.execution.playing.get() { "pause" } else { "play" };
                    view! { <Icon name/> }.into_any()
                }}
            </button>
            <IconButton name="Run all (r)" icon="run" on:click=press(move || state.run())/>
            <output class="controls__count">{move || format!("{}/{}", cursor.get(), length.get())}</output>
        </div>
    }
}
