//! A modal dialog.

use super::icon::Icon;
use crate::state::{Dialog, State};
use leptos::html;
use leptos::prelude::*;

/// A dialog that is open while the state says so; `Esc` and a click beside it close it.
#[component]
pub(crate) fn Modal(
    /// Which.
    which: Dialog,
    /// Its title.
    title: &'static str,
    /// Its content, made each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let state = State::expect();
    let dialog = NodeRef::<html::Dialog>::new();
    let open = Memo::new(move |_| state.dialog.get() == Some(which));
    Effect::new(move |_| {
        let Some(element) = dialog.get() else { return };
        match open.get() {
            true if !element.open() => drop(element.show_modal()),
            false if element.open() => element.close(),
            _ => {}
        }
    });
    let close = move || {
        if open.get_untracked() {
            state.dialog.set(None);
        }
    };
    let beside = move |event: web_sys::MouseEvent| {
        if event.target() == event.current_target() {
            close();
        }
    };
    any! {
        <dialog class="dialog" node_ref=dialog aria-label=title on:close=move |_| close() on:click=beside>
            <div class="dialog__sheet">
                <header class="dialog__head">
                    <h2 class="dialog__name">{title}</h2>
                    <button class="button button--icon" type="button" aria-label="Close" on:click=move |_| close()>
                        <Icon name="close" />
                    </button>
                </header>
                {move || open.get().then(|| children())}
            </div>
        </dialog>
    }
}
