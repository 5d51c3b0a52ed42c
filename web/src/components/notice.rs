//! One line about something that happened.

use super::icon::Icon;
use super::prose::prose;
use crate::state::{Notice, State};
use leptos::prelude::*;

/// The line; nothing where there is nothing to tell.
#[component]
pub(crate) fn NoticeBar() -> impl IntoView {
    let state = State::expect();
    let line = move |notice: Notice| {
        let back = notice.back.then(|| {
            any! { <button class="button" type="button" on:click=move |_| state.back_to_own()>"Back to my own work"</button> }
        });
        any! {
            <div class="notice" class:notice--error=notice.error>
                <p class="notice__text">{prose(&notice.text)}</p>
                {back}
                <button class="button button--icon" type="button" aria-label="Close this message"
                    on:click=move |_| state.notice.set(None)>
                    <Icon name="close" />
                </button>
            </div>
        }
    };
    any! { <div class="notices" role="status">{move || state.notice.get().map(line)}</div> }
}
