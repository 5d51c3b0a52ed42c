//! A modal dialog.

use super::icon::IconButton;
use super::{effect, press};
use crate::state::{Dialog, State};
use leptos::html;
use leptos::prelude::*;

/// A dialog that is open while the state says so. `Esc` and a click outside close it. Its content is created each time it
/// opens.
#[component]
pub(super) fn Modal(
    /// Which dialog it is.
    which: Dialog,
    /// Its name.
    title: &'static str,
    /// Its content.
    children: ChildrenFn,
) -> impl IntoView {
    let state = State::expect();
    let open = Memo::new(move |_| state.chrome.dialog.get() == Some(which));
    let close = move || {
        if open.get_untracked() {
            // The reader has seen the notice.
            if which == Dialog::Share {
                state.chrome.notice.set(None);
            }
            state.chrome.dialog.set(None);
        }
    };
    let dialog = NodeRef::<html::Dialog>::new();
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        match open.get() {
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=dialog
            class="dialog"
            aria-label=title
            on:close=move |_| close()
            on:click=move |event| {
                if event.target() == event.current_target() {
                    close();
                }
            }
        >
            <div class="dialog__sheet">
                <header class="dialog__head">
                    <h2 class="dialog__name">
                        {move || match (which, state.chrome.work.with(|work| work.page.clone())) {
                            (Dialog::Work, Some(page)) => page.title.clone(),
                            _ => title.to_owned(),
                        }}
                    </h2>
                    <IconButton name="Close" icon="close" on:click=press(close)/>
                </header>
                {move || open.get().then(|| children())}
            </div>
        </dialog>
    }
}
