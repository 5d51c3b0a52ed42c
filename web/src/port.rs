//! The page's connection to the engine module in the page, which answers immediately.

use crate::engine::Shared;
use protocol::{
    Ask, BUILD, DocumentPage, Doubts, Exported, Form, Look, Opened, Panel, RelationView, Reply,
    Shown, Terms, pack, unpack,
};
use tidegate_check::link::encode_plain;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

#[wasm_bindgen(raw_module = "./port.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = load)]
    async fn fetch(build: &str) -> Result<JsValue, JsValue>;
    /// Starts a lesson, whose verdict is hidden until the reader has chosen one.
    pub(crate) fn lesson();
    /// Shows the overview beside a board: see [`Trace::packed`](crate::trace::Trace::packed).
    pub(crate) fn overview(board: &HtmlElement, packed: &[u32]);
    /// Lets the reader choose files, and checks them in a table.
    pub(crate) fn files();
    /// Offers a text as a file with a name.
    pub(crate) fn save(name: &str, text: &str);
    #[wasm_bindgen(catch, js_name = loadFront)]
    async fn fetch_front(build: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_name = answer)]
    fn send(ask: &[u8]) -> Result<Vec<u8>, JsValue>;
}

/// Loads the engine and returns its compiled module for workers.
pub(crate) async fn load() -> Result<JsValue, String> {
    fetch(BUILD).await.map_err(|error| message(&error))
}

/// Loads the front ends for compiled code.
pub(crate) async fn load_front() -> Result<(), String> {
    fetch_front(BUILD).await.map(drop).map_err(|error| message(&error))
}

fn message(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => "it could not be fetched".to_owned(),
    }
}

/// Requests a change of the execution and returns the result.
pub(crate) fn step(ask: &Ask) -> Option<Shown> {
    match answer(ask)? {
        Reply::Stepped(shown) => shown.map(|shown| *shown),
        _ => None,
    }
}

/// Opens a text.
pub(crate) fn open(
    text: String,
    terms: Terms,
    (keys, cursor, machine): (Vec<String>, usize, bool),
    edited: bool,
) -> Option<Opened> {
    match answer(&Ask::Open { text, terms, keys, cursor, edited, machine })? {
        Reply::Opened(opened) => Some(*opened),
        _ => None,
    }
}

/// Returns a text as machine code, or why it has none.
pub(crate) fn code(text: String, terms: Terms) -> Option<DocumentPage> {
    shown(&Ask::Code { text, terms })
}

/// Returns the readings that affect the verdict.
pub(crate) fn readings(doubts: Doubts) -> Option<DocumentPage> {
    shown(&Ask::Readings(doubts))
}

/// Returns the available targets, under headings.
pub(crate) fn targets() -> Vec<(String, Vec<String>)> {
    match answer(&Ask::Targets) {
        Some(Reply::Targets(targets)) => targets,
        _ => Vec::new(),
    }
}

/// Returns the name and the fragment of every place in the views.
pub(crate) fn places() -> Vec<(String, String)> {
    match answer(&Ask::Places) {
        Some(Reply::Places(places)) => places,
        _ => Vec::new(),
    }
}

/// Encodes the state of the page as a fragment. Only the engine can compress it well.
pub(crate) fn encode(shared: &Shared) -> String {
    link(shared).unwrap_or_else(|| encode_plain(shared))
}

/// Encodes the state of the page as a fragment; `None` before the engine has loaded.
fn link(shared: &Shared) -> Option<String> {
    let Shared { text, target, readings, steps, verdict, panels, .. } = shared.clone();
    let terms = Terms { target, readings, max_states: None };
    match answer(&Ask::Link { text, terms, keys: steps, verdict, panels })? {
        Reply::Exported(link) => link.ok(),
        _ => None,
    }
}

/// Gives the engine the texts of the views.
pub(crate) fn keep(library: String) {
    let _ = answer(&Ask::Library(library));
}

/// Returns the view of a fragment; `None` if there is none.
pub(crate) fn page(fragment: String) -> Option<DocumentPage> {
    shown(&Ask::DocumentPage(fragment))
}

/// Returns a panel of the execution.
pub(crate) fn panel(panel: Panel) -> Option<DocumentPage> {
    shown(&Ask::Panel(panel))
}

fn shown(ask: &Ask) -> Option<DocumentPage> {
    match answer(ask)? {
        Reply::DocumentPage(page) => page.map(|page| *page),
        _ => None,
    }
}

/// Returns the relations of the performed steps, if there are any.
pub(crate) fn relations(look: Look) -> Option<RelationView> {
    match answer(&Ask::Relations(look))? {
        Reply::Relations(view) => view.map(|view| *view),
        _ => None,
    }
}

/// Exports a text in another form, or returns why it cannot.
pub(crate) fn export(
    form: Form,
    text: String,
    terms: Terms,
    keys: Vec<String>,
    address: String,
) -> Exported {
    match answer(&Ask::Export { form, text, terms, keys, address }) {
        Some(Reply::Exported(exported)) => exported,
        _ => Err("The engine is still loading.".into()),
    }
}

/// Returns `None` if the engine failed.
fn answer(ask: &Ask) -> Option<Reply> {
    unpack(&send(&pack(ask)).ok()?)
}
