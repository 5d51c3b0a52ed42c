//! Icons, drawn on a grid of 16.

use leptos::prelude::*;
use protocol::verdict::glyph;

/// An icon; it is hidden from screen readers because the adjacent text has the same meaning.
#[component]
pub(super) fn Icon(
    /// Its name, or the tone of a verdict.
    name: &'static str,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=path(name)></path>
        </svg>
    }
}

/// A button that shows only an icon.
#[component]
pub(super) fn IconButton(
    /// Its name for screen readers.
    name: &'static str,
    /// Its tooltip; by default its name.
    #[prop(optional)]
    title: Option<&'static str>,
    /// The name of the icon.
    icon: &'static str,
) -> impl IntoView {
    view! {
        <button
            class="button button--icon"
            type="button"
            aria-label=name
            title=title.unwrap_or(name)
        >
            <Icon name=icon/>
        </button>
    }
}

/// Returns the path of an icon.
fn path(name: &str) -> &'static str {
    match name {
        "first" => "M4 3v10M11.500 3.500L7 8l4.500 4.500",
        "back" => "M10 3.500L5.500 8l4.500 4.500",
        "forward" => "M6 3.500L10.500 8L6 12.500",
        "last" => "M12 3v10M4.500 3.500L9 8l-4.500 4.500",
        "theme" => "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
        "keys" => "M1.500 4.500h13v7h-13zM4 7h.2M6.700 7h.2M9.400 7h.2M12 7h.2M5 9.500h6",
        "share" => {
            "M6.500 9.500l3-3M7 4.800l1.600-1.600a3 3 0 0 1 4.200 4.200L11.200 9M9 11.200l-1.600 1.600a3 3 0 0 1-4.200-4.200L4.800 7"
        }
        "tour" => {
            "M8 1.800a6.200 6.200 0 1 0 0 12.400a6.200 6.200 0 0 0 0-12.400zM10.500 5.500L9 9L5.500 10.500L7 7z"
        }
        "examples" => "M2 3.500h12M2 8h12M2 12.500h8",
        "language" => {
            "M8 4.500C6.500 3 4 2.800 2 3v9.500c2-.2 4.500 0 6 1.500c1.500-1.500 4-1.700 6-1.500V3c-2-.2-4.500 0-6 1.500zM8 4.500V14"
        }
        "course" => "M1.500 6L8 3l6.500 3L8 9zM4.500 7.500v4c2 1.500 5 1.500 7 0v-4",
        "search" => "M7 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9zM10.500 10.500L14 14",
        "plus" => "M8 3v10M3 8h10",
        "close" => "M4 4l8 8M12 4l-8 8",
        "lock" => "M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500",
        "play" => "M4.500 3L12 8l-7.500 5z",
        "pause" => "M5.500 3.500v9M10.500 3.500v9",
        "replay" => "M3.500 8a4.700 4.700 0 1 0 1.600-3.500M3 2.300v3.200h3.200",
        "run" => "M2.5 3L8 8l-5.5 5zM8.500 3L14 8l-5.500 5z",
        "end" => "M4 4h8v8H4z",
        tone => glyph(tone),
    }
}
