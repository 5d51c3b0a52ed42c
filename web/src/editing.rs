//! The page's end of the editor, which is a bundle of JavaScript of its own, fetched behind the engine. Until it is there,
//! and without it, the text area is the editor. Places are UTF-16 code units.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{HtmlElement, HtmlTextAreaElement};

#[wasm_bindgen(raw_module = "./editing.js")]
extern "C" {
    /// Fetches the editor and puts it into an element, in the place of a text area whose text once was `first`. From then
    /// on an event `written` at the element tells that the reader wrote something.
    #[wasm_bindgen(catch)]
    pub(crate) async fn mount(
        host: &HtmlElement,
        area: &HtmlTextAreaElement,
        first: &str,
    ) -> Result<(), JsValue>;
    /// The text in the editor.
    pub(crate) fn text() -> String;
    /// Makes a text the content, as a change that the reader can undo.
    pub(crate) fn write(text: &str);
    /// Turns to another scenario by its number: its text, with what can be undone in it.
    pub(crate) fn turn(scenario: u32, text: &str);
    /// Marks the line of the current step; 0 marks none.
    pub(crate) fn step(line: u32);
    /// Adds a problem to those that [`mark`] will show.
    pub(crate) fn problem(
        start: u32,
        end: u32,
        severity: &str,
        message: &str,
        hint: Option<&str>,
        replacement: Option<&str>,
    );
    /// Adds a finding at a line to those that [`mark`] will show.
    pub(crate) fn fault(line: u32, tone: &str, message: &str);
    /// Shows what was added since it was called last, in the place of what it showed then.
    pub(crate) fn mark();
    /// Selects a part of the editor or of the text area and goes there.
    pub(crate) fn select(start: u32, end: u32);
    /// Lays the text out, where it can be read; whether there is an editor that can.
    #[wasm_bindgen(js_name = layOut)]
    pub(crate) fn lay_out() -> bool;
    /// The colours of a text as the engine gives them; none before it is there.
    pub(crate) fn tints(text: &str) -> Vec<u32>;
}
