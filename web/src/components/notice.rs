//! One line about an event.

use super::icon::IconButton;
use super::press;
use super::prose::Prose;
use crate::state::{Dialog, Notice, State};
use leptos::prelude::*;

/// The line; nothing if there is no notice.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let state = State::expect();
    let line = move || {
        // The share dialog shows its own notice.
        let is_beside = state.chrome.dialog.get() != Some(Dialog::Share);
        state
            .chrome
            .notice
            .get()
            .filter(|_| is_beside)
            .map(|notice| view! { <Line notice/> }.into_any())
    };
    view! { <div class="notices" role="status">{move || line()}</div> }
}

#[component]
fn Line(notice: Notice) -> impl IntoView {
    let state = State::expect();
    let recorded = notice.recorded.map(|recorded| {
        view! {
            <button
                class="button"
                type="button"
                on:click=press(move || state.begin_work(&format!("recorded:{recorded}")))
            >
                "Show difference"
            </button>
        }
        .into_any()
    });
    let back = notice.back.then(|| {
        view! {
            <button class="button" type="button" on:click=press(move || state.reopen_scenario())>
                "Reopen"
            </button>
        }
        .into_any()
    });
    view! {
        <div class="notice" class:notice--error=notice.error>
            <p class="notice__text"><Prose text=notice.text/></p>
            {recorded}
            {back}
            <IconButton name="Dismiss" icon="close" on:click=press(move || state.chrome.notice.set(None))/>
        </div>
    }
}
