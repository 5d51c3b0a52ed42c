//! What each agent can do next.

use super::icon::icon;
use super::lanes::LANES;
use crate::dom::*;
use crate::engine::{AgentView, Move};
use crate::state::State;
use leptos::prelude::*;

/// The foot of the lanes: a cell for each agent.
pub(super) fn moves() -> El {
    let state = State::expect();
    let cells = move || {
        state.track.with(|track| {
            let agents = track.agents().iter().take(LANES).enumerate();
            all(agents.map(|(lane, agent)| cell(state, lane, agent)))
        })
    };
    div("lanes__next")
        .attr("role", "group")
        .attr("aria-label", "Next operations")
        .with((span("lanes__next-name").with("Next"), cells))
}

fn cell(state: State, lane: usize, agent: &AgentView) -> El {
    let over = matches!(agent.status.as_str(), "ended" | "stopped") || agent.moves.is_empty();
    if over {
        let word = span("move move--ended").with((icon("end"), &*agent.status));
        return div("moves").with(word);
    }
    div("moves").with(all(agent.moves.iter().map(|step| next(state, lane, &agent.name, step))))
}

fn next(state: State, lane: usize, agent: &str, step: &Move) -> El {
    let label = span("move__label").with(&*step.label);
    if !step.enabled {
        let reason = step.blocked.as_deref().unwrap_or("It cannot be performed now.");
        return span("move move--blocked").attr("title", reason).with((icon("deadlock"), label));
    }
    let key = step.key.clone();
    let words = format!("Perform {}, {agent}", step.label);
    let digit = (lane < 10).then(|| i("key").attr("aria-hidden", "true").attr("data-digit", lane));
    button("move")
        .attr("title", &words)
        .attr("aria-label", &words)
        .attr("data-key", &step.key)
        .press(move || state.perform(&key))
        .with((digit, label))
}
