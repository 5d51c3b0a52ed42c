//! Back, forward, and the scrubber.

use super::icon::{icon, icon_button};
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

/// The playback controls.
pub(super) fn controls() -> El {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.trace.with(|trace| trace.cursor()));
    let length = Memo::new(move |_| state.trace.with(|trace| trace.length()));
    let at_start = move || cursor.get() == 0;
    let at_end = move || cursor.get() == length.get();
    let scrub = input("controls__scrub")
        .attr("type", "range")
        .attr("min", "0")
        .attr("aria-label", "Steps performed")
        .on("input", move |event| state.go_to(value_of(&event).parse().unwrap_or_default()));
    let field: HtmlInputElement = scrub.element().unchecked_into();
    // Set the maximum first: the browser clamps a value above it.
    effect(Box::new(move || {
        field.set_max(&length.get().to_string());
        field.set_value(&cursor.get().to_string());
    }));
    div("controls").attr("role", "group").attr("aria-label", "Playback").with((
        control("Back to launch", "first")
            .says("aria-disabled", at_start)
            .press(move || state.go_to(0)),
        control("Step back", "back").says("aria-disabled", at_start).press(move || state.back()),
        scrub,
        control("Step forward", "forward")
            .says("aria-disabled", at_end)
            .press(move || state.forward()),
        control("Last step", "last")
            .says("aria-disabled", at_end)
            .press(move || state.go_to(usize::MAX)),
        button("button button--icon")
            .attr("aria-label", "Play (g)")
            .attr("title", "Play or pause (g)")
            .says("aria-pressed", move || state.playing.get())
            .press(move || state.play())
            .with(move || icon(if state.playing.get() { "pause" } else { "play" })),
        control("Run all (r)", "run").press(move || state.run()),
        output("controls__count").with(move || format!("{}/{}", cursor.get(), length.get())),
    ))
}

fn control(label: &'static str, glyph: &'static str) -> El {
    icon_button(label, label, glyph)
}
