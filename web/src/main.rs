//! The page of Tidegate: all that is seen. What judges is the engine, a module of its own.

mod browser;
mod change;
mod checker;
mod components;
mod dom;
mod editing;
mod engine;
mod examples;
mod fold;
mod keys;
mod library;
mod port;
mod recording;
mod state;
mod tint;
mod track;
mod verdict;

use dom::Show;
use leptos::prelude::{document, mount_to};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

fn main() {
    let page =
        document().get_element_by_id("page").and_then(|page| page.dyn_into::<HtmlElement>().ok());
    if let Some(page) = page {
        page.set_text_content(None);
        let place = page.clone();
        mount_to(page, move || components::page().put(&place)).forget();
    }
}
