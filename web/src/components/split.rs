//! Separators between panels. `split.js` drags, moves and folds them, and keeps the sizes.

use leptos::prelude::*;

/// A separator: which panel it sizes, and how.
#[derive(Clone, Copy)]
pub(super) struct Split {
    /// The name of the size: of a custom property of the page, and of the key in the storage.
    name: &'static str,
    /// Its label.
    label: &'static str,
    /// Its orientation: `horizontal` between panels of which one is below the other.
    orientation: &'static str,
}

/// The width of the text and its explanation.
pub(super) const TEXT: Split =
    Split { name: "text", label: "Width of the text", orientation: "vertical" };
/// The height of the explanation.
pub(super) const INQUIRY: Split =
    Split { name: "inquiry", label: "Height of the analysis", orientation: "horizontal" };
/// The width of the state.
pub(super) const STATE: Split =
    Split { name: "state", label: "Width of the state", orientation: "vertical" };

/// The separator between the panels before and after it.
#[component]
pub(super) fn Separator(split: Split) -> impl IntoView {
    view! {
        <div
            class="split"
            data-split=split.name
            role="separator"
            tabindex="0"
            aria-label=split.label
            aria-orientation=split.orientation
            aria-valuemin="0"
            aria-valuemax="85"
            aria-valuenow="30"
            title="Drag to resize; double-click or Enter to fold"
        ></div>
    }
}
