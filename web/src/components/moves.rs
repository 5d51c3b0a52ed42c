//! What each agent can do next.

use super::icon::Icon;
use super::lanes::LANES;
use crate::engine::{AgentView, Move};
use crate::state::State;
use leptos::prelude::*;

/// The foot of the lanes: a cell for each agent.
#[component]
pub(crate) fn Moves() -> impl IntoView {
    let state = State::expect();
    let cells = move || {
        state.track.with(|track| {
            track
                .agents()
                .iter()
                .take(LANES)
                .enumerate()
                .map(|(lane, agent)| cell(state, lane, agent))
                .collect_view()
        })
    };
    any! {
        <div class="lanes__next" role="group" aria-label="Next operations">
            <span class="lanes__next-name">"Next"</span>
            {cells}
        </div>
    }
}

fn cell(state: State, lane: usize, agent: &AgentView) -> impl IntoView + use<> {
    let over = matches!(agent.status.as_str(), "ended" | "stopped") || agent.moves.is_empty();
    if over {
        let word = agent.status.clone();
        return any! { <div class="moves"><span class="move move--ended"><Icon name="end" />{word}</span></div> }.into_any();
    }
    let moves = agent.moves.iter().map(|step| next(state, lane, &agent.name, step)).collect_view();
    any! { <div class="moves">{moves}</div> }.into_any()
}

fn next(state: State, lane: usize, agent: &str, step: &Move) -> impl IntoView + use<> {
    let label = step.label.clone();
    if !step.enabled {
        let reason = step.blocked.clone().unwrap_or_else(|| "It cannot be performed now.".into());
        return any! { <span class="move move--blocked" title=reason><Icon name="deadlock" /><span class="move__label">{label}</span></span> }
            .into_any();
    }
    let key = step.key.clone();
    let words = format!("Perform {label}, {agent}");
    any! {
        <button class="move" type="button" title=words.clone() aria-label=words data-key=key.clone() on:click=move |_| state.perform(&key)>
            {(lane < 10).then(|| any! { <kbd class="key" aria-hidden="true">{lane}</kbd> })}
            <span class="move__label">{label}</span>
        </button>
    }
    .into_any()
}
