//! The browser's address, clipboard, storage and theme. Whatever the browser forbids is quietly left out.

use crate::change::{self, Change};
use crate::dom::Show;
use leptos::prelude::{mount_to, window};
use leptos::task::spawn_local;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, FocusOptions, HtmlDocument, HtmlElement, HtmlTextAreaElement, ResizeObserver,
    Response, ScrollBehavior, ScrollIntoViewOptions, Storage,
};

/// Storage key of the chosen theme; `theme.js` reads it, too.
const THEME: &str = "tidegate.theme";

/// Puts a page into the place that the document has for it.
pub(crate) fn mount<P: Show + 'static>(page: fn() -> P) {
    let place = root().and_then(|root| root.query_selector("#page").ok().flatten());
    if let Some(place) = place.and_then(|place| place.dyn_into::<HtmlElement>().ok()) {
        place.set_text_content(None);
        let inner = place.clone();
        mount_to(place, move || page().put(&inner)).forget();
    }
}

/// Calls once an element has a size, and whenever it gets another.
pub(crate) fn when_sized(element: &Element, call: impl FnMut() + 'static) {
    let call = Closure::<dyn FnMut()>::new(call).into_js_value();
    if let Ok(observer) = ResizeObserver::new(call.unchecked_ref()) {
        observer.observe(element);
    }
}

/// The fragment of the address, with its `#`; empty without one.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Whether the page stands in somebody else's page: then it keeps nothing and leaves addresses alone.
pub(crate) fn embedded() -> bool {
    root().is_some_and(|root| root.has_attribute("data-embed"))
}

/// Whether the text is to be read only.
pub(crate) fn fixed() -> bool {
    root().is_some_and(|root| root.has_attribute("data-fixed"))
}

fn root() -> Option<Element> {
    window().document().and_then(|document| document.document_element())
}

/// Puts a fragment into the address without a new entry in the history.
pub(crate) fn set_fragment(link: &str) {
    if let Some(root) = root().filter(|_| embedded()) {
        // For the link that leads out of the frame.
        let _ = root.set_attribute("data-link", link);
    } else if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(link));
    }
}

/// Puts a fragment into the address as a new entry in the history.
pub(crate) fn push_fragment(link: &str) {
    if let Some(history) = window().history().ok().filter(|_| !embedded()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(link));
    }
}

/// Follows a link to a fragment.
pub(crate) fn go_to(fragment: &str) {
    let _ = window().location().set_hash(fragment);
}

/// Text as a part of an address.
pub(crate) fn encode(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// The whole address.
pub(crate) fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// The text of a file beside the page; none where it cannot be had.
pub(crate) async fn fetch(file: &str) -> Option<String> {
    let response = JsFuture::from(window().fetch_with_str(file)).await.ok()?;
    let response: Response = response.dyn_into().ok().filter(Response::ok)?;
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
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

/// Longest change that can be undone in the editor, in bytes: longer ones take the browser too long.
const UNDOABLE: usize = 100_000;

/// Makes a text the content of a text area; as a change that the reader can undo, where that is asked for and possible.
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

/// Types a change into a text area; the focus and what is in sight stay as they were.
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

/// Scrolls to the panel of an identifier, where the page is one column and not all of it is in sight.
pub(crate) fn scroll_to(id: &str) {
    let Some(panel) = window().document().and_then(|document| document.get_element_by_id(id))
    else {
        return;
    };
    if is_narrow() {
        let options = ScrollIntoViewOptions::new();
        let calm = holds("(prefers-reduced-motion: reduce)");
        options.set_behavior(if calm { ScrollBehavior::Auto } else { ScrollBehavior::Smooth });
        panel.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Scrolls what an element is in so that it begins in sight.
pub(crate) fn show_start(id: &str) {
    let element = window().document().and_then(|document| document.get_element_by_id(id));
    element.iter().for_each(|it| it.scroll_into_view_with_bool(true));
}

/// Whether the panels stand below one another.
pub(crate) fn is_narrow() -> bool {
    holds("(max-width: 859px)")
}

/// Whether a media query holds.
fn holds(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

/// What this browser keeps for the page; none where that is forbidden, or not the page's own business.
fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten().filter(|_| !embedded())
}

/// What is kept under a key.
pub(crate) fn load(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Keeps a text under a key.
pub(crate) fn save(key: &str, value: &str) {
    let _ = storage().map(|storage| storage.set_item(key, value));
}

/// Keeps nothing under a key any more.
pub(crate) fn forget(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}

/// What this window keeps until it is closed; none where that is forbidden, or not the page's own business.
fn window_storage() -> Option<Storage> {
    window().session_storage().ok().flatten().filter(|_| !embedded())
}

/// What this window keeps under a key.
pub(crate) fn load_here(key: &str) -> Option<String> {
    window_storage()?.get_item(key).ok().flatten()
}

/// Keeps a text under a key in this window.
pub(crate) fn save_here(key: &str, value: &str) {
    let _ = window_storage().map(|storage| storage.set_item(key, value));
}

/// Whether the reader loaded the page anew where it was open already.
pub(crate) fn is_reloaded() -> bool {
    window().performance().is_some_and(|times| {
        times.navigation().type_() == web_sys::PerformanceNavigation::TYPE_RELOAD
    })
}

/// Whether the address asks for a lesson, whatever the text is.
pub(crate) fn in_course() -> bool {
    window().location().search().is_ok_and(|search| search.contains("lesson"))
}

/// Begins or ends a lesson: while one is under way, what gives its verdict away is not seen.
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

/// Switches between light and dark. A choice that agrees with the system is forgotten, so that the page follows it again.
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

/// Begins or ends to present: the page larger, and only what is to be seen from afar.
pub(crate) fn set_presented(begins: bool) {
    let _ = root().map(|root| root.toggle_attribute_with_force("data-present", begins));
}
