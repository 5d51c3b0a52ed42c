//! Shows document pages. A page is data that the engine sends again whole, so a view made again for each of them would lose
//! focus, caret, scroll position and open folds: existing elements are changed in place instead, and equal parts are not
//! touched.

use super::effect;
use crate::state::State;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::document_page::{DocumentPage, Element, Part, is_plain};
use std::sync::Arc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element as Dom, Event, HtmlElement, Node};

/// A page of the engine; `None` leaves it empty.
#[component]
pub(super) fn Document<F>(
    /// Its classes.
    #[prop(optional)]
    class: &'static str,
    /// The page.
    #[prop(into)]
    page: Signal<Option<Arc<DocumentPage>>>,
    /// Performs its actions: receives the word of the action, its argument, and the value of the field that requests it.
    act: F,
) -> impl IntoView
where
    F: Fn(&str, &str, &str) + Copy + 'static,
{
    let place = NodeRef::<Div>::new();
    let mut shown = None;
    effect(move || {
        let Some(place) = place.get() else { return };
        let next = page.get();
        patch(&place, parts_of(&shown), parts_of(&next));
        shown = next;
    });
    view! {
        <div
            node_ref=place
            class=class
            on:click=move |event| perform(&event, false, act)
            on:input=move |event| perform(&event, true, act)
        ></div>
    }
}

/// Performs any action of a page.
pub(super) fn any_action(state: State) -> impl Fn(&str, &str, &str) + Copy {
    move |word: &str, to: &str, value: &str| state.act(word, to, value)
}

/// Performs the action of the element that an event comes from, if its field requests it in this way.
fn perform(event: &Event, by_field: bool, act: impl Fn(&str, &str, &str)) {
    let from = event.target().and_then(|target| target.dyn_into::<Dom>().ok());
    let doer = from.and_then(|from| from.closest("[data-do]").ok().flatten());
    let Some(doer) = doer else { return };
    let is_field = matches!(&*doer.tag_name(), "INPUT" | "SELECT");
    if is_field == by_field {
        let part = |name| doer.get_attribute(name).unwrap_or_default();
        let value = if is_field { event_target_value(event) } else { String::new() };
        act(&part("data-do"), &part("data-to"), &value);
    }
}

fn parts_of(page: &Option<Arc<DocumentPage>>) -> &[Part] {
    page.as_ref().map_or(&[], |page| &page.parts)
}

/// Updates the nodes of an element from old parts to new parts; equal parts are not touched.
fn patch(place: &Node, shown: &[Part], parts: &[Part]) {
    let mut next = place.first_child();
    for (at, part) in parts.iter().enumerate() {
        let mut shown = shown.get(at);
        let node = match next.take() {
            Some(node) if shown == Some(part) && !is_filled_in(part) => {
                next = node.next_sibling();
                continue;
            }
            Some(node) if is_like(&node, part) => node,
            old => {
                let node = make(part);
                let _ = match old {
                    Some(old) => place.replace_child(&node, &old),
                    None => place.append_child(&node),
                };
                shown = None;
                node
            }
        };
        fill(&node, shown, part);
        next = node.next_sibling();
    }
    while let Some(node) = next {
        next = node.next_sibling();
        let _ = place.remove_child(&node);
    }
}

/// Whether the reader can have changed a part: it contains a field.
fn is_filled_in(part: &Part) -> bool {
    let Part::Element(element) = part else { return false };
    let is_field = |(name, _): &(_, _)| matches!(AsRef::<str>::as_ref(name), "value" | "checked");
    element.attributes.iter().any(is_field) || element.parts.iter().any(is_filled_in)
}

/// Whether a node can be updated to show a part.
fn is_like(node: &Node, part: &Part) -> bool {
    match part {
        Part::Text(_) => node.node_type() == Node::TEXT_NODE,
        Part::Element(element) => {
            let is_same = |it: &Dom| it.local_name() == element.tag.name();
            node.dyn_ref::<Dom>().is_some_and(is_same)
        }
    }
}

fn make(part: &Part) -> Node {
    match part {
        Part::Text(text) => document().create_text_node(text).into(),
        Part::Element(element) => {
            let space = match element.tag.draws() {
                true => "http://www.w3.org/2000/svg",
                false => "http://www.w3.org/1999/xhtml",
            };
            let made = document().create_element_ns(Some(space), element.tag.name());
            made.expect("a name that elements can have").into()
        }
    }
}

fn fill(node: &Node, shown: Option<&Part>, part: &Part) {
    match (part, node.dyn_ref::<Dom>()) {
        (Part::Text(text), _) if node.node_value().as_ref() != Some(text) => {
            node.set_node_value(Some(text));
        }
        (Part::Element(element), Some(dom)) => {
            let shown = match shown {
                Some(Part::Element(shown)) => Some(shown),
                _ => None,
            };
            if shown.is_none_or(|shown| shown.attributes != element.attributes) {
                dress(dom, element);
            }
            patch(dom, shown.map_or(&[], |shown| &shown.parts), &element.parts);
            // A field may contain the option that its value names.
            let value = element.attributes.iter().find(|(name, _)| name == "value");
            value.iter().for_each(|(_, value)| set_value(dom, value));
            if element.attributes.iter().any(|(name, _)| name == "checked") {
                let _ = js_sys::Reflect::set(dom, &"checked".into(), &JsValue::TRUE);
            }
        }
        _ => {}
    }
}

/// Sets the attributes of an element and removes others; folds that the reader opened stay open.
fn dress(dom: &Dom, element: &Element) {
    for name in dom.get_attribute_names() {
        let name = name.as_string().unwrap_or_default();
        let stays = element.attributes.iter().any(|(other, _)| *other == name);
        if !stays && !matches!(&*name, "open" | "style") {
            let _ = dom.remove_attribute(&name);
        }
    }
    for (name, value) in element.attributes.iter().filter(|(name, value)| is_plain(name, value)) {
        if name.starts_with("--") {
            let _ = dom.unchecked_ref::<HtmlElement>().style().set_property(name, value);
        } else if dom.get_attribute(name).as_ref() != Some(value) {
            let _ = dom.set_attribute(name, value);
        }
    }
}

/// Sets the value of a field if it differs.
fn set_value(dom: &Dom, value: &str) {
    let name = JsValue::from_str("value");
    let shown = js_sys::Reflect::get(dom, &name).ok().and_then(|shown| shown.as_string());
    if shown.as_deref() != Some(value) {
        let _ = js_sys::Reflect::set(dom, &name, &JsValue::from_str(value));
    }
}
