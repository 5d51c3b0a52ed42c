//! The page of Tidegate. The same module runs twice: in the page itself, and in the worker that checks.

mod browser;
mod change;
mod checker;
#[allow(unreachable_pub, reason = "the component macro makes a `pub` item of each component")]
mod components;
mod engine;
mod examples;
mod keys;
mod message;
mod state;
mod tint;
mod track;
mod verdict;
mod worker;

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
        mount_to(page, components::Page).forget();
    }
}
