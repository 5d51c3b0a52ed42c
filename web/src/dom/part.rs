//! Parts of an element that are recreated when a signal changes.

use super::{document, focus};
use leptos::prelude::StoredValue;
use leptos::reactive::effect::RenderEffect;
use web_sys::Node;

/// Runs a closure now and when a signal that it read changes, until the current owner ends.
pub(crate) fn effect(mut run: Box<dyn FnMut()>) {
    StoredValue::new_local(RenderEffect::new(move |_: Option<()>| run()));
}

/// A part that a closure fills, between two comment nodes.
pub(super) fn part(place: &Node, mut fill: Box<dyn FnMut(&Node)>) {
    let (start, end) = (mark(place), mark(place));
    effect(Box::new(move || {
        let fresh = document().create_document_fragment();
        fill(&fresh);
        let focused = focus::within(&start, &end);
        clear(&start, &end);
        insert(&fresh, &end);
        if let Some(path) = focused {
            focus::restore(&start, &path);
        }
    }));
}

/// Appends a comment node.
pub(super) fn mark(place: &Node) -> Node {
    let mark: Node = document().create_comment("").into();
    let _ = place.append_child(&mark);
    mark
}

/// Inserts a node before another one.
pub(super) fn insert(node: &Node, before: &Node) {
    if let Some(place) = before.parent_node() {
        let _ = place.insert_before(node, Some(before));
    }
}

/// Removes the nodes between two marks.
fn clear(start: &Node, end: &Node) {
    while let Some(node) = start.next_sibling().filter(|node| !node.is_same_node(Some(end))) {
        remove(&node);
    }
}

/// Removes a node.
pub(super) fn remove(node: &Node) {
    if let Some(place) = node.parent_node() {
        let _ = place.remove_child(node);
    }
}
