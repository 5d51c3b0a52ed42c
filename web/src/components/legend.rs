//! The signs of the execution, with their meanings.

use super::dialog::Modal;
use super::document::{Document, any_action};
use crate::port;
use crate::state::{Dialog, State};
use leptos::prelude::*;
use std::sync::Arc;

/// The dialog.
#[component]
pub(super) fn Legend() -> impl IntoView {
    let state = State::expect();
    let page = Signal::derive(move || {
        state.chrome.engine.get().then(|| port::page("legend".into())).flatten().map(Arc::new)
    });
    view! {
        <Modal which=Dialog::Legend title="Legend">
            <Document page act=any_action(state)/>
        </Modal>
    }
}
