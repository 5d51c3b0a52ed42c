//! The engine of the page, a module that loads after the first paint. It runs in the page for quick requests, and in workers
//! for checks.

mod desk;
mod export;
mod judge;
mod kin;
mod ledger;
mod library;
mod lines;
#[cfg(test)]
mod nothing_panics;
mod relations;
mod schedules;
mod sheets;
mod weave;
mod worker;
mod writing;

use desk::Desk;
use protocol::{pack, unpack};
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

fn main() {
    // In the page the engine only answers requests.
    if web_sys::window().is_none() {
        worker::run();
    }
}

/// Answers a [`protocol::Ask`] with a [`protocol::Reply`], both packed; empty for an unreadable request.
#[wasm_bindgen]
#[must_use]
pub fn answer(ask: &[u8]) -> Vec<u8> {
    let reply = |ask| DESK.with_borrow_mut(|desk| pack(&desk.answer(ask)));
    unpack(ask).map(reply).unwrap_or_default()
}

/// Returns the build identifier, [`protocol::BUILD`].
#[wasm_bindgen]
#[must_use]
pub fn build() -> String {
    protocol::BUILD.into()
}
