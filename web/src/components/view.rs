//! The view that the address names, shown instead of the playground.

use super::document::{Document, any_action};
use super::{aria, effect};
use crate::browser;
use crate::state::State;
use leptos::prelude::*;

/// The view; hidden while the playground is shown.
#[component]
pub(super) fn Reference() -> impl IntoView {
    let state = State::expect();
    let page = Memo::new(move |_| state.page());
    let is_waiting = move || page.with(Option::is_none);
    let mut is_later = false;
    effect(move || {
        state.chrome.view_changed.track();
        // Another view starts at its top and takes the focus.
        if std::mem::replace(&mut is_later, true) {
            browser::begin("view");
        }
    });
    effect(move || {
        // A section of a document.
        let part = state.chrome.view.with(|view| {
            view.as_ref()?.split('?').next()?.split_once('/').map(|(_, part)| part.to_owned())
        });
        if page.with(Option::is_some)
            && let Some(part) = part
        {
            // The document is drawn after this effect.
            request_animation_frame(move || browser::show_start(&format!("at-{part}")));
        }
    });
    effect(move || {
        let name = page.get().filter(|_| state.chrome.view.with(Option::is_some));
        let name = name.map_or(String::new(), |page| format!("{} \u{b7} ", page.title));
        document().set_title(&format!("{name}Tidegate"));
    });
    view! {
        <main
            class="view"
            id="view"
            tabindex="-1"
            hidden=move || state.chrome.view.with(Option::is_none)
            aria-busy=move || aria(is_waiting())
        >
            <p class="view__wait calm" hidden=move || !is_waiting()>
                "Loading… If this does not finish, the server cannot be reached."
            </p>
            <Document class="view__body" page act=any_action(state)/>
        </main>
    }
}
