//! Back, forward, and the scrubber.

use super::icon::Icon;
use crate::state::State;
use leptos::prelude::*;

/// The controls of time.
#[component]
pub(crate) fn Controls() -> impl IntoView {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.track.with(|track| track.cursor()));
    let length = Memo::new(move |_| state.track.with(|track| track.length()));
    let at_start = move || cursor.get() == 0;
    let at_end = move || cursor.get() == length.get();
    let never = || false;
    let scrub = move |event| state.go_to(event_target_value(&event).parse().unwrap_or_default());
    any! {
        <div class="controls" role="group" aria-label="Time">
            {button("Back to launch", "first", at_start, move || state.go_to(0))}
            {button("Step back", "back", at_start, move || state.back())}
            <input
                class="controls__scrub"
                type="range"
                min="0"
                aria-label="Steps performed"
                prop:max=move || length.get().to_string()
                prop:value=move || cursor.get().to_string()
                on:input=scrub
            />
            {button("Step forward", "forward", at_end, move || state.forward())}
            {button("Forward to the last step", "last", at_end, move || state.go_to(usize::MAX))}
            {button("Run to the end (r)", "run", never, move || state.run())}
            <output class="controls__count">{move || format!("{}/{}", cursor.get(), length.get())}</output>
        </div>
    }
}

fn button(
    label: &'static str,
    icon: &'static str,
    disabled: impl Fn() -> bool + Send + 'static,
    press: impl Fn() + 'static,
) -> impl IntoView {
    any! {
        <button class="button button--icon" type="button" aria-label=label title=label aria-disabled=move || disabled().to_string()
            on:click=move |_| press()>
            <Icon name=icon />
        </button>
    }
}
