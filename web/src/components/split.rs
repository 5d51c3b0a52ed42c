//! Separators between panels: dragged, moved with arrow keys, folded with Enter or a double click. Sizes are kept in this
//! browser.

use super::effect;
use crate::browser;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

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

/// The smallest size of a panel that is not folded. Sizes are tenths of a percent of the parent.
const LEAST: i32 = 80;
/// The largest size.
const MOST: i32 = 850;
/// The change of an arrow key.
const STEP: i32 = 20;
/// The size after which a folded panel opens if it never had another.
const USUAL: i32 = 300;

impl Split {
    fn key(self) -> String {
        ["tidegate.size.", self.name].concat()
    }

    fn load(self) -> Option<i32> {
        read(&browser::load(&self.key())?).filter(|size| (0..=MOST).contains(size))
    }

    fn save(self, size: Option<i32>) {
        match size {
            Some(size) => browser::save(&self.key(), &percent(size)),
            None => browser::forget(&self.key()),
        }
    }

    /// The size that places the separator at a pointer; a small one folds the panel.
    fn at(self, pointer: &PointerEvent, parent: &Element) -> i32 {
        let place = parent.get_bounding_client_rect();
        let part = match self.stacked {
            true => (f64::from(pointer.client_y()) - place.top()) / place.height(),
            false => (f64::from(pointer.client_x()) - place.left()) / place.width(),
        };
        clamp((1000.0 * if self.last { 1.0 - part } else { part }) as i32)
    }

    /// The present size.
    fn measured(self, handle: &HtmlElement) -> i32 {
        let sized = match self.last {
            true => handle.next_element_sibling(),
            false => handle.previous_element_sibling(),
        };
        let size = |it: &Element| match self.stacked {
            true => it.client_height(),
            false => it.client_width(),
        };
        let whole = handle.parent_element().as_ref().map_or(0, size).max(1);
        1000 * sized.as_ref().map_or(0, size) / whole
    }
}

fn clamp(size: i32) -> i32 {
    if size < LEAST / 2 { 0 } else { size.clamp(LEAST, MOST) }
}

/// A size in percent, with one decimal.
fn percent(size: i32) -> String {
    format!("{}.{}", size / 10, size % 10)
}

/// Reads a size in percent.
fn read(text: &str) -> Option<i32> {
    let (whole, tenths) = text.split_once('.').unwrap_or((text, "0"));
    let tenths: i32 = tenths.get(..1)?.parse().ok()?;
    Some(10 * i32::from(whole.parse::<u16>().ok()?) + tenths)
}

/// The size of a panel while the page is open.
#[derive(Clone, Copy)]
struct Sizing {
    split: Split,
    /// The size; `None` for the size in the styles.
    size: RwSignal<Option<i32>>,
    /// The size before the panel was folded.
    before: StoredValue<Option<i32>>,
}

impl Sizing {
    fn load(split: Split) -> Self {
        let size = RwSignal::new(split.load());
        let before = StoredValue::new(size.get_untracked().filter(|size| *size > 0));
        Self { split, size, before }
    }

    fn save(self) {
        self.split.save(self.size.get_untracked());
    }

    /// Folds or unfolds the panel.
    fn turn(self) {
        let now = self.size.get_untracked();
        let next = match now {
            Some(0) => self.before.get_value(),
            _ => Some(0),
        };
        self.before.set_value(now.filter(|size| *size > 0));
        // A panel that was folded when the page was opened has no earlier size.
        self.size.set(if now == Some(0) { Some(next.unwrap_or(USUAL)) } else { next });
        self.save();
    }

    /// Handles a key on the separator.
    fn press(self, event: &KeyboardEvent, handle: &HtmlElement) {
        let grows = if self.split.last { STEP } else { -STEP };
        let change = match (&*event.key(), self.split.stacked) {
            ("Enter", _) => return self.turn(),
            ("Home", _) => None,
            ("ArrowLeft", false) | ("ArrowUp", true) => Some(grows),
            ("ArrowRight", false) | ("ArrowDown", true) => Some(-grows),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        let now = self.size.get_untracked().unwrap_or_else(|| self.split.measured(handle));
        self.size.set(change.map(|change| clamp(now + change)));
        self.save();
    }
}

/// The separator between the panels before and after it.
#[component]
pub(super) fn Separator(split: Split) -> impl IntoView {
    let sizing = Sizing::load(split);
    let size = sizing.size;
    let dragged = RwSignal::new(false);
    let handle = NodeRef::<Div>::new();
    effect(move || {
        let size = size.get().map(|size| percent(size) + "%");
        browser::set_property(&["--", split.name, "-size"].concat(), size.as_deref());
    });
    let begin = move |pointer: PointerEvent| {
        let Some(handle) = handle.get() else { return };
        pointer.prevent_default();
        let _ = handle.focus();
        let _ = handle.set_pointer_capture(pointer.pointer_id());
        dragged.set(true);
    };
    let drag = move |pointer: PointerEvent| {
        let target = pointer.target().and_then(|it| it.dyn_into::<Element>().ok());
        let parent = target.and_then(|target| target.parent_element());
        if let Some(parent) = parent.filter(|_| dragged.get_untracked()) {
            size.set(Some(split.at(&pointer, &parent)));
        }
    };
    view! {
        <div
            node_ref=handle
            class="split"
            class:split--dragged=move || dragged.get()
            data-split=split.name
            role="separator"
            tabindex="0"
            aria-label=split.label
            aria-orientation=if split.stacked { "horizontal" } else { "vertical" }
            aria-valuemin="0"
            aria-valuemax=(MOST / 10).to_string()
            aria-valuenow=move || ((size.get().unwrap_or(USUAL) + 5) / 10).to_string()
            title="Drag to resize; double-click or Enter to fold"
            data-folds=move || {
                (size.get() == Some(0)).then_some(if split.last { "next" } else { "previous" })
            }
            on:pointerdown=begin
            on:pointermove=drag
            on:lostpointercapture=move |_| {
                dragged.set(false);
                sizing.save();
            }
            on:dblclick=move |_| sizing.turn()
            on:keydown=move |event| {
                if let Some(handle) = handle.get() {
                    sizing.press(&event, &handle);
                }
            }
        ></div>
    }
}

#[cfg(test)]
mod tests {
    use super::{percent, read};

    #[test]
    fn sizes_are_kept_in_percent() {
        assert_eq!((percent(305), read("30.5"), read("8")), ("30.5".into(), Some(305), Some(80)));
        assert_eq!((read(""), read("-1.0"), read("1.x"), read("a")), (None, None, None, None));
    }
}
