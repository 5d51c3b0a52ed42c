//! The list of keys.

use super::dialog::Modal;
use crate::keys::{HELP, Help};
use crate::state::Dialog;
use leptos::prelude::*;

/// The dialog of keys.
#[component]
pub(super) fn Keys() -> impl IntoView {
    let rows = || HELP.iter().filter(|help| !help.keys.is_empty()).map(row).collect_view();
    view! {
        <Modal which=Dialog::Keys title="Keys">
            <div>
                <dl class="keys">{rows()}</dl>
                <p class="quiet">
                    "Single-letter keys do not apply in the editor and other fields."
                </p>
            </div>
        </Modal>
    }
}

fn row(help: &'static Help) -> AnyView {
    view! {
        <div class="keys__row">
            <dt><KeyCaps keys=help.keys/></dt>
            <dd>{help.what}</dd>
        </div>
    }
    .into_any()
}

/// Keys as printed on a keyboard.
#[component]
pub(super) fn KeyCaps(keys: &'static [&'static str]) -> impl IntoView {
    keys.iter().map(|&key| view! { <kbd class="key">{key}</kbd> }.into_any()).collect_view()
}
