//! Elements, made by plain calls: `section("panel").named("a-name").with((h2("panel__name").with("Barriers"), list))`.
//!
//! leptos provides signals, memos, owners and the scheduling of effects. This module provides the elements, in one type for
//! all components: two components differ in data, not in generated code, which would dominate the download.

mod document_page;
mod element;
mod focus;
mod keyed;
mod part;
mod show;
mod value;

pub(crate) use document_page::show_page;
pub(crate) use element::*;
pub(crate) use keyed::{Entry, Keyed, keyed};
pub(crate) use part::effect;
pub(crate) use show::{Group, Show, all};

use wasm_bindgen::JsCast;
use web_sys::{Document, Event, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};

fn document() -> Document {
    leptos::prelude::document()
}

/// Returns the value of the field that an event comes from.
pub(crate) fn value_of(event: &Event) -> String {
    let Some(field) = event.target() else { return String::new() };
    if let Some(field) = field.dyn_ref::<HtmlInputElement>() {
        field.value()
    } else if let Some(field) = field.dyn_ref::<HtmlSelectElement>() {
        field.value()
    } else {
        field.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value).unwrap_or_default()
    }
}
