//! The browser's address, clipboard, storage and theme. Failures of forbidden browser features are ignored.

use crate::change::{self, Change};
use leptos::mount::mount_to;
use leptos::prelude::{IntoView, window};
use leptos::task::spawn_local;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, FocusOptions, HtmlDocument, HtmlElement, HtmlTextAreaElement, ResizeObserver,
    Response, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition, Storage,
};

/// Storage key of the chosen theme; `theme.js` also reads it.
const THEME: &str = "tidegate.theme";

/// Mounts a page in the document's placeholder.
pub(crate) fn mount<N: IntoView + 'static>(page: impl FnOnce() -> N + 'static) {
    let place = root().and_then(|root| root.query_selector("#page").ok().flatten());
    if let Some(place) = place.and_then(|place| place.dyn_into::<HtmlElement>().ok()) {
        place.set_text_content(None);
        mount_to(place, page).forget();
    }
}

/// Calls a closure when an element gets a size, and on each change of size.
pub(crate) fn when_sized(element: &Element, call: impl FnMut() + 'static) {
    let call = Closure::<dyn FnMut()>::new(call).into_js_value();
    if let Ok(observer) = ResizeObserver::new(call.unchecked_ref()) {
        observer.observe(element);
    }
}

/// Returns the fragment of the address, with its `#`; empty if there is none.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Whether the page is embedded in another page: it then stores nothing and does not change the address.
pub(crate) fn embedded() -> bool {
    root().is_some_and(|root| root.has_attribute("data-embed"))
}

/// Whether the text is read-only.
pub(crate) fn fixed() -> bool {
    root().is_some_and(|root| root.has_attribute("data-fixed"))
}

fn root() -> Option<Element> {
    window().document().and_then(|document| document.document_element())
}

/// Replaces the fragment of the address without a new history entry.
pub(crate) fn set_fragment(link: &str) {
    if let Some(root) = root().filter(|_| embedded()) {
        // The embed's link to the full page reads this.
        let _ = root.set_attribute("data-link", link);
    } else if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(link));
    }
}

/// Sets the fragment of the address with a new history entry.
pub(crate) fn push_fragment(link: &str) {
    if let Some(history) = window().history().ok().filter(|_| !embedded()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(link));
    }
}

/// Navigates to a fragment or to another page.
pub(crate) fn go_to(address: &str) {
    let _ = window().location().set_href(address);
}

/// Encodes text as a part of an address.
pub(crate) fn encode(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// Returns the whole address.
pub(crate) fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Fetches the text of a file relative to the page; `None` on failure.
pub(crate) async fn fetch(file: &str) -> Option<String> {
    let response = JsFuture::from(window().fetch_with_str(file)).await.ok()?;
    let response: Response = response.dyn_into().ok().filter(Response::ok)?;
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}

/// Copies a text to the clipboard, if the browser has one.
pub(crate) fn copy(text: &str) {
    let navigator = window().navigator();
    if js_sys::Reflect::get(&navigator, &"clipboard".into())
        .is_ok_and(|clipboard| clipboard.is_object())
    {
        let written = navigator.clipboard().write_text(text);
        spawn_local(async move {
            // Refusal is harmless: the link is also in the address bar.
            let _ = JsFuture::from(written).await;
        });
    }
}

/// Longest change that the editor can undo, in bytes: the browser is too slow for longer ones.
const UNDOABLE: usize = 100_000;

/// Sets the content of a text area, as an undoable change if requested and possible.
pub(crate) fn write(area: &HtmlTextAreaElement, text: &str, undoable: bool) {
    let old = area.value();
    if old == text {
        return;
    }
    let change = change::between(&old, text);
    let short = old.len().max(text.len()) <= UNDOABLE;
    let done = undoable && short && type_over(area, &change) && area.value() == text;
    if !done {
        area.set_value(text);
    }
}

/// Types a change into a text area; the focus and the scroll position stay.
fn type_over(area: &HtmlTextAreaElement, change: &Change<'_>) -> bool {
    let document =
        window().document().and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    let Some(document) = document else { return false };
    let scrolled = area.closest(".editor__scroll").ok().flatten();
    let top = scrolled.as_ref().map_or(0, Element::scroll_top);
    let focused = document.active_element();
    let quietly = FocusOptions::new();
    quietly.set_prevent_scroll(true);
    let _ = area.focus_with_options(&quietly);
    let _ = area.set_selection_range(change.start, change.end);
    let command = if change.text.is_empty() { "delete" } else { "insertText" };
    let ready = document.active_element().as_ref() == Some(area.as_ref());
    let done = ready
        && document
            .exec_command_with_show_ui_and_value(command, false, change.text)
            .unwrap_or(false);
    match focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        Some(element) if element.tag_name() != "BODY" => {
            let _ = element.focus_with_options(&quietly);
        }
        _ => {
            let _ = area.blur();
        }
    }
    scrolled.iter().for_each(|element| element.set_scroll_top(top));
    done
}

/// Scrolls to the first element that a selector matches, if the page has one column: its top or its centre to that of the
/// window.
pub(crate) fn scroll_to(selector: &str, block: ScrollLogicalPosition) {
    let element = root().and_then(|root| root.query_selector(selector).ok().flatten());
    if let Some(element) = element.filter(|_| is_narrow()) {
        let options = ScrollIntoViewOptions::new();
        let calm = holds("(prefers-reduced-motion: reduce)");
        options.set_behavior(if calm { ScrollBehavior::Auto } else { ScrollBehavior::Smooth });
        options.set_block(block);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Scrolls to the execution, if the page has one column.
pub(crate) fn show_execution() {
    scroll_to("#execution", ScrollLogicalPosition::Start);
}

/// Scrolls the panel *Why* to its top.
pub(crate) fn show_findings() {
    let panel =
        root().and_then(|root| root.query_selector(".findings .panel__body").ok().flatten());
    panel.iter().for_each(|panel| panel.set_scroll_top(0));
}

/// Scrolls to the top of an element and of the window, and focuses the element.
pub(crate) fn begin(id: &str) {
    let element = window().document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        element.set_scroll_top(0);
        let _ = element.focus();
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Scrolls the container of an element as little as possible to show it.
pub(crate) fn show_near(id: &str) {
    let near = ScrollIntoViewOptions::new();
    near.set_block(ScrollLogicalPosition::Nearest);
    let element = window().document().and_then(|document| document.get_element_by_id(id));
    element.iter().for_each(|it| it.scroll_into_view_with_scroll_into_view_options(&near));
}

/// Scrolls the container of an element so that the element's start is visible.
pub(crate) fn show_start(id: &str) {
    let element = window().document().and_then(|document| document.get_element_by_id(id));
    element.iter().for_each(|it| it.scroll_into_view_with_bool(true));
}

/// Whether the panels are stacked in one column.
pub(crate) fn is_narrow() -> bool {
    holds("(max-width: 859px)")
}

/// Whether a media query holds.
fn holds(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

/// Returns the browser's local storage; `None` if it is forbidden or the page is embedded.
fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten().filter(|_| !embedded())
}

/// Returns the value of a key.
pub(crate) fn load(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Stores a text under a key.
pub(crate) fn save(key: &str, value: &str) {
    let _ = storage().map(|storage| storage.set_item(key, value));
}

/// Removes a key.
pub(crate) fn forget(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}

/// Returns the window's session storage; `None` if it is forbidden or the page is embedded.
fn window_storage() -> Option<Storage> {
    window().session_storage().ok().flatten().filter(|_| !embedded())
}

/// Returns the value of a key of this window.
pub(crate) fn load_here(key: &str) -> Option<String> {
    window_storage()?.get_item(key).ok().flatten()
}

/// Stores a text under a key of this window.
pub(crate) fn save_here(key: &str, value: &str) {
    let _ = window_storage().map(|storage| storage.set_item(key, value));
}

/// Whether the reader reloaded the page.
pub(crate) fn is_reloaded() -> bool {
    window().performance().is_some_and(|times| {
        times.navigation().type_() == web_sys::PerformanceNavigation::TYPE_RELOAD
    })
}

/// Whether the address requests a lesson or the start of the execution, for any text.
pub(crate) fn in_course() -> bool {
    window()
        .location()
        .search()
        .is_ok_and(|search| search.contains("lesson") || search.contains("start"))
}

/// Starts or ends a lesson, which hides everything that reveals the verdict.
pub(crate) fn set_lesson(begins: bool) {
    if let Some(root) = root() {
        let _ = root.remove_attribute("data-answered");
        let _ = root.toggle_attribute_with_force("data-lesson", begins);
    }
}

/// Whether a lesson waits for the reader's answer.
pub(crate) fn is_asked() -> bool {
    root().is_some_and(|root| {
        root.has_attribute("data-lesson") && !root.has_attribute("data-answered")
    })
}

/// Switches between light and dark. A choice that equals the system's is removed, so that the page follows the system again.
pub(crate) fn toggle_theme() {
    let Some(root) = root() else { return };
    let system_dark = holds("(prefers-color-scheme: dark)");
    let dark = root.get_attribute("data-theme").map_or(system_dark, |theme| theme == "dark");
    let chosen = if dark { "light" } else { "dark" };
    if dark != system_dark {
        let _ = root.remove_attribute("data-theme");
        let _ = storage().map(|storage| storage.remove_item(THEME));
    } else {
        let _ = root.set_attribute("data-theme", chosen);
        save(THEME, chosen);
    }
}

/// Starts or ends presentation mode.
pub(crate) fn set_presented(begins: bool) {
    let _ = root().map(|root| root.toggle_attribute_with_force("data-present", begins));
}
