//! Separators between panels: dragged, moved with arrow keys, folded with Enter or a double click. Sizes are kept in this
//! browser.

use crate::browser;
use crate::dom::*;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent};

/// A separator: which panel it sizes, and how.
#[derive(Clone, Copy)]
pub(super) struct Split {
    /// The name of the size: of a custom property of the page, and of the key in the storage.
    name: &'static str,
    /// Its label.
    label: &'static str,
    /// Whether the panels are one below the other.
    stacked: bool,
    /// Whether the sized panel is the last one.
    last: bool,
}

/// The width of the text and its explanation.
pub(super) const TEXT: Split =
    Split { name: "text", label: "Width of the text", stacked: false, last: false };
/// The height of the explanation.
pub(super) const INQUIRY: Split =
    Split { name: "inquiry", label: "Height of the analysis", stacked: true, last: true };
/// The width of the state.
pub(super) const STATE: Split =
    Split { name: "state", label: "Width of the state", stacked: false, last: true };

/// The smallest size of a panel that is not folded, in percent.
const LEAST: f64 = 8.0;
/// The largest size.
const MOST: f64 = 85.0;
/// The change of an arrow key.
const STEP: f64 = 2.0;
/// The size after which a folded panel opens if it never had another.
const USUAL: f64 = 30.0;

impl Split {
    fn key(self) -> String {
        ["tidegate.size.", self.name].concat()
    }

    fn load(self) -> Option<f64> {
        browser::load(&self.key())?.parse().ok().filter(|size: &f64| (0.0..=MOST).contains(size))
    }

    fn save(self, size: Option<f64>) {
        match size {
            Some(size) => browser::save(&self.key(), &format!("{size:.1}")),
            None => browser::forget(&self.key()),
        }
    }

    /// The size in percent of the parent that places the separator at a pointer; a small one folds the panel.
    fn at(self, pointer: &PointerEvent, parent: &Element) -> f64 {
        let place = parent.get_bounding_client_rect();
        let part = match self.stacked {
            true => (f64::from(pointer.client_y()) - place.top()) / place.height(),
            false => (f64::from(pointer.client_x()) - place.left()) / place.width(),
        };
        clamp(100.0 * if self.last { 1.0 - part } else { part })
    }

    /// The present size in percent.
    fn measured(self, handle: &HtmlElement) -> f64 {
        let sized = match self.last {
            true => handle.next_element_sibling(),
            false => handle.previous_element_sibling(),
        };
        let size = |it: &Element| match self.stacked {
            true => it.client_height(),
            false => it.client_width(),
        };
        let whole = handle.parent_element().as_ref().map_or(0, size).max(1);
        100.0 * f64::from(sized.as_ref().map_or(0, size)) / f64::from(whole)
    }
}

fn clamp(size: f64) -> f64 {
    if size < LEAST / 2.0 { 0.0 } else { size.clamp(LEAST, MOST) }
}

/// The separator between the panels before and after it.
pub(super) fn split(it: Split) -> El {
    let size = RwSignal::new(it.load());
    // The size before the panel was folded.
    let before = StoredValue::new(size.get_untracked().filter(|size| *size > 0.0));
    let dragged = RwSignal::new(false);
    let handle = div("split").attr("data-split", it.name);
    let element = handle.element();
    let measured = element.clone();
    effect(Box::new(move || {
        let size = size.get().map(|size| format!("{size}%"));
        browser::set_property(&["--", it.name, "-size"].concat(), size.as_deref());
    }));
    let turn = move || {
        let now = size.get_untracked();
        let next = match now {
            Some(0.0) => before.get_value(),
            _ => Some(0.0),
        };
        before.set_value(now.filter(|size| *size > 0.0));
        // A panel that was folded when the page was opened has no earlier size.
        size.set(if now == Some(0.0) { Some(next.unwrap_or(USUAL)) } else { next });
        it.save(size.get_untracked());
    };
    handle
        .attr("role", "separator")
        .attr("tabindex", "0")
        .attr("aria-label", it.label)
        .attr("aria-orientation", if it.stacked { "horizontal" } else { "vertical" })
        .attr("aria-valuemin", "0")
        .attr("aria-valuemax", MOST.to_string())
        .bind("aria-valuenow", move || size.get().unwrap_or(USUAL).round().to_string())
        .attr("title", "Drag to resize; double-click or Enter to fold")
        .bind("data-folds", move || {
            (size.get() == Some(0.0)).then_some(if it.last { "next" } else { "previous" })
        })
        .toggle("split--dragged", move || dragged.get())
        .on("pointerdown", move |event: Event| {
            let Ok(pointer) = event.dyn_into::<PointerEvent>() else { return };
            pointer.prevent_default();
            let _ = element.focus();
            let _ = element.set_pointer_capture(pointer.pointer_id());
            dragged.set(true);
        })
        .on("pointermove", move |event: Event| {
            if !dragged.get_untracked() {
                return;
            }
            let Ok(pointer) = event.dyn_into::<PointerEvent>() else { return };
            let target = pointer.target().and_then(|it| it.dyn_into::<Element>().ok());
            if let Some(parent) = target.and_then(|target| target.parent_element()) {
                size.set(Some(it.at(&pointer, &parent)));
            }
        })
        .on("lostpointercapture", move |_| {
            dragged.set(false);
            it.save(size.get_untracked());
        })
        .on("dblclick", move |_| turn())
        .on("keydown", move |event: Event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key) else {
                return;
            };
            let grows = if it.last { STEP } else { -STEP };
            let change = match (&*key, it.stacked) {
                ("Enter", _) => return turn(),
                ("Home", _) => None,
                ("ArrowLeft", false) | ("ArrowUp", true) => Some(grows),
                ("ArrowRight", false) | ("ArrowDown", true) => Some(-grows),
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            let now = size.get_untracked().unwrap_or_else(|| it.measured(&measured));
            size.set(change.map(|change| clamp(now + change)));
            it.save(size.get_untracked());
        })
}
