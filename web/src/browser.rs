//! The browser's address, clipboard, storage and theme. Whatever the browser forbids is quietly left out.

use gloo::storage::{LocalStorage, Storage};
use leptos::prelude::window;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlTextAreaElement;

/// Storage key of the chosen theme; `theme.js` reads it, too.
const THEME: &str = "tidegate.theme";

/// The fragment of the address, with its `#`; empty without one.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Puts a fragment into the address without a new entry in the history.
pub(crate) fn set_fragment(link: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(link));
    }
}

/// The whole address.
pub(crate) fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Puts a text on the clipboard, where the browser has one.
pub(crate) fn copy(text: &str) {
    let navigator = window().navigator();
    if js_sys::Reflect::get(&navigator, &"clipboard".into())
        .is_ok_and(|clipboard| clipboard.is_object())
    {
        let written = navigator.clipboard().write_text(text);
        spawn_local(async move {
            // A refusal is no harm: the link is in the address bar, too.
            let _ = JsFuture::from(written).await;
        });
    }
}

/// Selects a part of a text area, given in UTF-16 code units.
pub(crate) fn select(id: &str, start: u32, end: u32) {
    let area = window().document().and_then(|document| document.get_element_by_id(id));
    if let Some(area) = area.and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok()) {
        let _ = area.focus();
        let _ = area.set_selection_range(start, end);
    }
}

/// What is kept under a key.
pub(crate) fn load(key: &str) -> Option<String> {
    LocalStorage::raw().get_item(key).ok().flatten()
}

/// Keeps a text under a key.
pub(crate) fn save(key: &str, value: &str) {
    let _ = LocalStorage::raw().set_item(key, value);
}

/// Switches between light and dark. A choice that agrees with the system is forgotten, so that the page follows it again.
pub(crate) fn toggle_theme() {
    let Some(root) = window().document().and_then(|document| document.document_element()) else {
        return;
    };
    let system_dark = window()
        .match_media("(prefers-color-scheme: dark)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches());
    let dark = root.get_attribute("data-theme").map_or(system_dark, |theme| theme == "dark");
    let chosen = if dark { "light" } else { "dark" };
    if dark != system_dark {
        let _ = root.remove_attribute("data-theme");
        let _ = LocalStorage::raw().remove_item(THEME);
    } else {
        let _ = root.set_attribute("data-theme", chosen);
        save(THEME, chosen);
    }
}
