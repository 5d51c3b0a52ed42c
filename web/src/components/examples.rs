//! The list of examples.

use super::dialog::Modal;
use super::icon::Icon;
use super::prose::prose;
use crate::examples::{self, Example};
use crate::state::{Dialog, State};
use crate::verdict::face;
use leptos::prelude::*;

/// The dialog of examples.
#[component]
pub(crate) fn Examples() -> impl IntoView {
    any! {
        <Modal which=Dialog::Examples title="Examples">
            <ul class="gallery">{examples::gallery().into_iter().map(|example| any! { <Item example /> }).collect_view()}</ul>
        </Modal>
    }
}

#[component]
fn Item(example: Example) -> impl IntoView {
    let state = State::expect();
    let face = face(example.expected());
    let open = move |_| {
        state.dialog.set(None);
        state.open_example(&example);
    };
    any! {
        <li>
            <button class="example" type="button" on:click=open>
                <span class="badge" data-tone=face.tone><Icon name=face.tone />{example.expected()}</span>
                <span class="example__title">{example.title()}</span>
                <code class="example__target">{example.target()}</code>
                <span class="example__note">{prose(example.note())}</span>
            </button>
        </li>
    }
}
