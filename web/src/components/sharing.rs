//! The share dialog.

use super::dialog::Modal;
use super::document::{Document, any_action};
use crate::port;
use crate::state::{Dialog, State};
use leptos::prelude::*;
use std::sync::Arc;

/// The dialog; the engine creates its content.
#[component]
pub(super) fn Sharing() -> impl IntoView {
    let state = State::expect();
    let notice = move || state.chrome.notice.get().map(|notice| notice.text);
    let page = move || Signal::stored(port::page("share".into()).map(Arc::new));
    view! {
        <Modal which=Dialog::Share title="Share">
            <div>
                <p class="share__told" role="status">{move || notice()}</p>
                <Document class="share" page=page() act=any_action(state)/>
            </div>
        </Modal>
    }
}
