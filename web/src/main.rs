//! The page of Tidegate. The same module runs twice: in the page itself, and in the worker that checks.

mod browser;
mod change;
mod checker;
mod components;
mod dom;
mod engine;
mod examples;
mod keys;
mod library;
mod message;
mod state;
mod tint;
mod track;
mod verdict;
mod worker;

use dom::Show;
use leptos::prelude::{document, mount_to};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

fn main() {
    if web_sys::window().is_none() {
        return worker::run();
    }
    let page =
        document().get_element_by_id("page").and_then(|page| page.dyn_into::<HtmlElement>().ok());
    if let Some(page) = page {
        page.set_text_content(None);
        let place = page.clone();
        mount_to(page, move || components::page().put(&place)).forget();
    }
}
