//! The focus in a part that is recreated: it stays at the same position.

use super::document;
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, Node};

/// The path from a part to the focused element: the number of siblings to skip at each level, outermost first.
pub(super) struct Path {
    passed: Vec<u32>,
    tag: String,
}

/// Returns the path of the focus, if it is between two marks.
pub(super) fn within(start: &Node, end: &Node) -> Option<Path> {
    let focused = document().active_element().filter(|element| element.tag_name() != "BODY")?;
    let place = start.parent_node().filter(|place| place.contains(Some(&focused)))?;
    let mut passed = Vec::new();
    let mut node: Node = focused.clone().into();
    while let Some(parent) = node.parent_node() {
        let outermost = parent.is_same_node(Some(&place));
        let before = std::iter::successors(node.previous_sibling(), Node::previous_sibling);
        if outermost {
            let before: Vec<Node> = before.collect();
            let at = before.iter().position(|node| node.is_same_node(Some(start)))?;
            let beyond = before.iter().any(|node| node.is_same_node(Some(end)));
            passed.push(at as u32);
            passed.reverse();
            return (!beyond).then_some(Path { passed, tag: focused.tag_name() });
        }
        passed.push(before.count() as u32);
        node = parent;
    }
    None
}

/// Focuses the element at a path, if it is of the same kind.
pub(super) fn restore(start: &Node, path: &Path) {
    let mut node = start.next_sibling();
    for (level, passed) in path.passed.iter().enumerate() {
        if level > 0 {
            node = node.and_then(|node| node.first_child());
        }
        for _ in 0..*passed {
            node = node.and_then(|node| node.next_sibling());
        }
    }
    let element = node.and_then(|node| node.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element.filter(|element| element.tag_name() == path.tag) {
        let quietly = FocusOptions::new();
        quietly.set_prevent_scroll(true);
        let _ = element.focus_with_options(&quietly);
    }
}
