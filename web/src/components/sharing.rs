//! The share dialog.

use super::dialog::modal;
use super::view::acting;
use crate::dom::*;
use crate::port;
use crate::state::{Dialog, State};
use leptos::prelude::Get;

/// The dialog; the engine creates its content.
pub(super) fn sharing() -> El {
    modal(Dialog::Share, "Share", || {
        let state = State::expect();
        let ways = div("share");
        show_page(&ways.element(), || port::page("share".into()).map(Box::new));
        let notice = move || state.notice.get().map(|notice| notice.text);
        div("").with((p("share__told").attr("role", "status").with(notice), acting(state, ways)))
    })
}
