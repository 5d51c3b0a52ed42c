//! The list of keys.

use super::dialog::Modal;
use crate::keys::HELP;
use crate::state::Dialog;
use leptos::prelude::*;

/// The dialog of keys.
#[component]
pub(crate) fn Keys() -> impl IntoView {
    any! {
        <Modal which=Dialog::Keys title="Keys">
            <dl class="keys">{HELP.iter().map(row).collect_view()}</dl>
            <p class="quiet">"In the editor and in other fields, keys do what they always do there."</p>
        </Modal>
    }
}

fn row((keys, what): &'static (&'static [&'static str], &'static str)) -> impl IntoView {
    let keys = keys.iter().map(|&key| any! { <kbd class="key">{key}</kbd> }).collect_view();
    any! {
        <div class="keys__row">
            <dt>{keys}</dt>
            <dd>{*what}</dd>
        </div>
    }
}
