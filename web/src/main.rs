//! The page of Tidegate: everything visible. The engine, a separate module, checks scenarios.

mod browser;
mod change;
mod checker;
mod components;
mod editing;
mod engine;
mod examples;
mod fold;
mod header_lines;
mod keys;
mod library;
mod port;
mod rails;
mod recording;
mod state;
mod tint;
mod trace;
mod verdict;

use components::page::Page;
use leptos::prelude::*;

fn main() {
    browser::mount(|| view! { <Page/> });
}
