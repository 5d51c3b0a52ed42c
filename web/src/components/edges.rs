//! Relations drawn over the lanes.

use super::keyed::{Each, key_of};
use super::{aria, press};
use crate::browser;
use crate::state::State;
use leptos::html::Div;
use leptos::prelude::*;
use protocol::Line;

/// The drawing, in the columns of the lanes.
#[component]
pub(super) fn Edges() -> impl IntoView {
    let state = State::expect();
    let lines = move || {
        let lines =
            state.execution.relating.view.with(|view| view.as_ref().map(|it| it.lines.clone()));
        lines.unwrap_or_default()
    };
    let sheet = NodeRef::<Div>::new();
    sheet.on_load(move |sheet| {
        let measured = sheet.clone();
        browser::when_sized(&sheet, move || {
            let (now, width) = (f64::from(measured.client_width()), state.execution.relating.width);
            if (width.get_untracked() - now).abs() > 0.5 {
                width.set(now);
            }
        });
    });
    view! {
        <div class="edges" hidden=move || !state.relates()>
            <div node_ref=sheet class="edges__sheet">
                <svg class="edges__lines" role="group" aria-label="Relations">
                    <Each each=lines key=key_of let(line)>
                        <Edge line/>
                    </Each>
                </svg>
            </div>
        </div>
    }
}

#[component]
fn Edge(line: Line) -> impl IntoView {
    let state = State::expect();
    let (name, clicked, pressed) = (line.name.clone(), line.name.clone(), line.name);
    let is_chosen = move || state.execution.relating.look.with(|look| look.asked == name);
    view! {
        <g
            class="edge"
            data-relation=line.relation
            role="button"
            tabindex="0"
            aria-label=format!("Why: {}", line.says)
            aria-pressed=move || aria(is_chosen())
            on:click=press(move || state.ask_why(&clicked))
            on:keydown=move |event| {
                if matches!(&*event.key(), "Enter" | " ") {
                    event.prevent_default();
                    event.stop_propagation();
                    state.ask_why(&pressed);
                }
            }
        >
            <path class="edge__hit" d=line.path.clone()></path>
            <path class="edge__line" d=line.path></path>
            {(!line.head.is_empty()).then(|| view! { <path class="edge__head" d=line.head></path> }.into_any())}
        </g>
    }
}
