//! A list whose items keep their elements while their keys stay.

use leptos::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An item: what tells it from others, and how to draw it where it is new.
pub(super) struct Entry {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Entry {
    /// An item that is drawn anew when a key changes.
    pub(super) fn new(key: &impl Hash, draw: impl FnOnce() -> AnyView + Send + 'static) -> Self {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        Self { key: hasher.finish(), draw: Box::new(draw) }
    }
}

/// The items of all lists that are drawn like this: there is one such list, whatever is in it.
pub(super) fn keyed(each: impl Fn() -> Vec<Entry> + Send + Sync + 'static) -> AnyView {
    list(Box::new(each))
}

fn list(each: Box<dyn Fn() -> Vec<Entry> + Send + Sync>) -> AnyView {
    any! { <For each key=|entry: &Entry| entry.key children=|entry: Entry| (entry.draw)() /> }
}
