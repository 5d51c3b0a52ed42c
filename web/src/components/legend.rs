//! The signs of the execution and the keys, with their meanings.

use super::dialog::Modal;
use super::document::{Document, any_action};
use crate::port;
use crate::state::{Dialog, State};
use leptos::prelude::*;
use std::sync::Arc;

/// The dialogs.
#[component]
pub(super) fn Legends() -> impl IntoView {
    view! {
        <Legend which=Dialog::Legend title="Legend" word="legend"/>
        <Legend which=Dialog::Keys title="Keys" word="keys"/>
    }
}

/// A dialog with a page of the engine.
#[component]
fn Legend(which: Dialog, title: &'static str, word: &'static str) -> impl IntoView {
    let state = State::expect();
    let page = Signal::derive(move || {
        state.chrome.engine.get().then(|| port::page(word.into())).flatten().map(Arc::new)
    });
    view! {
        <Modal which title>
            <Document page act=any_action(state)/>
        </Modal>
    }
}
