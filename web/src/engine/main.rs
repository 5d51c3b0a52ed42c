//! The engine of the page, a module that loads after the first paint. It runs in the page for quick requests, and in workers
//! for checks.

mod export;
mod front;
mod judge;
mod kin;
mod launched;
mod ledger;
mod library;
mod lines;
#[cfg(test)]
mod nothing_panics;
mod pages;
mod relation_layout;
mod relation_page;
mod relations;
mod schedules;
mod session;
mod understood;
mod worker;
mod writing;

use protocol::{pack, unpack};
use session::Session;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

fn main() {
    front::connect();
    // In the page the engine only answers requests.
    if web_sys::window().is_none() {
        worker::run();
    }
}

/// Answers a [`protocol::Ask`] with a [`protocol::Reply`], both packed; empty for an unreadable request.
#[wasm_bindgen]
#[must_use]
pub fn answer(ask: &[u8]) -> Vec<u8> {
    let reply = |ask| SESSION.with_borrow_mut(|session| pack(&session.answer(ask)));
    unpack(ask).map(reply).unwrap_or_default()
}

/// Returns the build identifier, [`protocol::BUILD`].
#[wasm_bindgen]
#[must_use]
pub fn build() -> String {
    protocol::BUILD.into()
}
