//! A modal dialog.

use super::icon::icon_button;
use crate::dom::*;
use crate::state::{Dialog, State};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement};

/// A dialog that is open while the state says so. `Esc` and a click outside close it. Its content is created each time it
/// opens.
pub(super) fn modal(which: Dialog, title: &'static str, content: fn() -> El) -> El {
    let state = State::expect();
    let open = Memo::new(move |_| state.dialog.get() == Some(which));
    let close = move || {
        if open.get_untracked() {
            // The reader has seen the notice.
            if which == Dialog::Share {
                state.notice.set(None);
            }
            state.dialog.set(None);
        }
    };
    let beside = move |event: Event| {
        if event.target() == event.current_target() {
            close();
        }
    };
    let page = div("dialog__sheet").with((
        header("dialog__head").with((
            h2("dialog__name").with(title),
            icon_button("Close", "Close", "close").press(close),
        )),
        move || open.get().then(content),
    ));
    let dialog = dialog("dialog").attr("aria-label", title).with(page);
    let dialog = dialog.on("close", move |_| close()).on("click", beside);
    let element: HtmlDialogElement = dialog.element().unchecked_into();
    effect(Box::new(move || match open.get() {
        true if !element.open() => drop(element.show_modal()),
        false if element.open() => element.close(),
        _ => {}
    }));
    dialog
}
