//! The page's connection to the editor, a separate JavaScript bundle that is fetched after the engine. Until it has loaded, or
//! without it, the text area is the editor. Positions are UTF-16 code units.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{HtmlElement, HtmlTextAreaElement};

#[wasm_bindgen(raw_module = "./editing.js")]
extern "C" {
    /// Fetches the editor and mounts it in an element instead of a text area whose text was `first`. The element then
    /// dispatches an event `written` when the reader writes something.
    #[wasm_bindgen(catch)]
    pub(crate) async fn mount(
        host: &HtmlElement,
        area: &HtmlTextAreaElement,
        first: &str,
    ) -> Result<(), JsValue>;
    /// Returns the text in the editor.
    pub(crate) fn text() -> String;
    /// Sets the content as an undoable change.
    pub(crate) fn write(text: &str);
    /// Switches to the scenario with a number: its text and its undo history.
    pub(crate) fn turn(scenario: u32, text: &str);
    /// Marks the line of the current step; 0 marks no line.
    pub(crate) fn step(line: u32);
    /// Queues a problem for the next call of [`mark`].
    pub(crate) fn problem(
        start: u32,
        end: u32,
        severity: &str,
        message: &str,
        hint: Option<&str>,
        replacement: Option<&str>,
    );
    /// Queues a finding at a line for the next call of [`mark`].
    pub(crate) fn fault(line: u32, tone: &str, message: &str);
    /// Shows the marks that were queued since the last call, instead of those shown before.
    pub(crate) fn mark();
    /// Selects a part of the editor or of the text area and scrolls to it.
    pub(crate) fn select(start: u32, end: u32);
    /// Formats the text if it has no errors; returns whether an editor exists.
    #[wasm_bindgen(js_name = layOut)]
    pub(crate) fn lay_out() -> bool;
    /// Returns the engine's colours of a text; empty before the engine has loaded.
    pub(crate) fn tints(text: &str) -> Vec<u32>;
}
