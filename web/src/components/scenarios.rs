//! The open scenarios.

use super::icon::{Icon, IconButton};
use super::press;
use crate::state::{Scenario, State};
use crate::{keys, port};
use leptos::prelude::*;
use protocol::document_page::Action;

/// The list of open scenarios, with a button for a new one.
#[component]
pub(super) fn Scenarios() -> impl IntoView {
    let state = State::expect();
    let entries = move || {
        state.document.scenarios.with(|all| {
            let several = all.len() > 1;
            let entry = |it: &Scenario| view! { <Entry scenario=it.clone() several/> }.into_any();
            all.iter().map(entry).collect_view()
        })
    };
    view! {
        <nav class="scenarios" aria-label="Scenarios">
            <ul class="scenarios__list">{move || entries()}</ul>
            <IconButton
                name="New scenario"
                title="New scenario (a)"
                icon="plus"
                on:click=press(move || {
                    keys::press(state, "a");
                })
            />
            <button
                class="button button--small"
                type="button"
                title="Open files; several become a table"
                on:click=press(port::files)
            >
                "Open…"
            </button>
        </nav>
        {move || state.is_blank().then(|| view! { <Starts/> }.into_any())}
    }
}

/// Scenarios to start from: the name of each, and its path.
const STARTS: [(&str, &str); 4] = [
    ("Workgroup barrier", "two-waves-meet"),
    ("Named barriers", "two-stage-pipeline-named"),
    ("mbarrier pipeline", "two-stage-pipeline"),
    ("OpenCL", "two-stage-pipeline-opencl"),
];

/// What an empty text can become.
#[component]
fn Starts() -> impl IntoView {
    let state = State::expect();
    let start = |(name, file): (&'static str, &'static str)| {
        let open = move || {
            state.act(Action::Open.word(), &["examples/", file, ".tide"].concat(), "");
        };
        view! { <button class="button button--small" type="button" on:click=press(open)>{name}</button> }
            .into_any()
    };
    view! {
        <div class="starts">
            <p class="quiet">
                "Paste or drop code: .s, .ptx, .sass, .ll, .cl, .cu, .hip, .tide. Or start from:"
            </p>
            {STARTS.map(start).into_iter().collect_view()}
        </div>
    }
}

#[component]
fn Entry(
    scenario: Scenario,
    /// Whether there are others, so that it can be closed.
    several: bool,
) -> impl IntoView {
    let state = State::expect();
    let (number, left) = (scenario.number, scenario.title);
    let is_here = move || state.document.scenario.get() == number;
    let title = Memo::new(move |_| match is_here() {
        true => state.title(),
        false => left.clone(),
    });
    let close = move || state.close_scenario(number);
    let cross = several.then(|| {
        view! {
            <button
                class="button button--icon"
                type="button"
                aria-label=move || format!("Close {}", title.get())
                title="Close (Delete)"
                on:click=press(close)
            >
                <Icon name="close"/>
            </button>
        }
        .into_any()
    });
    view! {
        <li class="scenario" class:scenario--here=is_here>
            <button
                class="scenario__name"
                type="button"
                aria-current=move || is_here().then_some("true")
                title=move || title.get()
                on:click=press(move || state.turn_to(number))
                on:keydown=move |event| {
                    if several && event.key() == "Delete" {
                        event.prevent_default();
                        close();
                    }
                }
            >
                {move || title.get()}
            </button>
            {cross}
        </li>
    }
}
