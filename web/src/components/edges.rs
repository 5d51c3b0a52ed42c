//! Relations drawn over the lanes.

use crate::browser;
use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use protocol::Line;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// The drawing, in the columns of the lanes.
pub(super) fn edges(state: State) -> El {
    let lines = keyed(move || {
        let lines = state.relating.view.with(|view| view.as_ref().map(|it| it.lines.clone()));
        let lines = lines.unwrap_or_default().into_iter();
        lines.map(|it| Entry::new(&it.clone(), move || line(state, it))).collect()
    });
    let drawing = div("edges__sheet").with(
        svg("svg", "edges__lines")
            .attr("role", "group")
            .attr("aria-label", "Relations")
            .with(lines),
    );
    watch(&drawing, state.relating.width);
    div("edges").bind("hidden", move || !state.relates()).with(drawing)
}

fn line(state: State, line: Line) -> El {
    let (same, press) = (line.name.clone(), line.name.clone());
    let chosen = move || state.relating.look.with(|look| look.asked == same);
    let (wide, thin) = (path("edge__hit", &line.path), path("edge__line", &line.path));
    let head = (!line.head.is_empty()).then(|| path("edge__head", &line.head));
    svg("g", "edge")
        .attr("data-relation", &line.relation)
        .attr("role", "button")
        .attr("tabindex", "0")
        .attr("aria-label", format!("Why: {}", line.says))
        .says("aria-pressed", chosen)
        .press(move || state.ask_why(&line.name))
        .on("keydown", move |event| {
            let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default();
            if key == "Enter" || key == " " {
                event.prevent_default();
                event.stop_propagation();
                state.ask_why(&press);
            }
        })
        .with((wide, thin, head))
}

fn path(class: &str, path: &str) -> El {
    svg("path", class).attr("d", path)
}

/// Keeps a signal equal to the width of an element.
fn watch(drawing: &El, width: RwSignal<f64>) {
    let element = drawing.element();
    let measured = element.clone();
    browser::when_sized(&element, move || {
        let now = f64::from(measured.client_width());
        if (width.get_untracked() - now).abs() > 0.5 {
            width.set(now);
        }
    });
}
