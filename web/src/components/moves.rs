//! What each agent can do next.

use super::icon::icon;
use super::lanes::LANES;
use crate::dom::*;
use crate::engine::{AgentView, Move};
use crate::fold;
use crate::state::State;
use leptos::prelude::*;

/// The foot of the lanes: a cell for each agent.
pub(super) fn moves() -> El {
    let state = State::expect();
    let cells = move || {
        let lanes = state.lanes.get();
        state.track.with(|track| {
            let agents = track.agents();
            let folded = lanes.bands.iter().filter(|band| band.folded).filter_map(|band| {
                let of = agents.get(band.first..band.first + band.agents)?;
                Some(cell_of_band(state, band, of))
            });
            let own = agents.iter().zip(0..).zip(&lanes.of);
            let own = own.filter(|(_, (column, folded))| !folded && *column < LANES);
            let own = own.map(|((agent, at), (column, _))| cell(state, *column, at, agent));
            all(own.chain(folded))
        })
    };
    div("lanes__next")
        .attr("role", "group")
        .attr("aria-label", "Next operations")
        .with((span("lanes__next-name").with("Next"), cells))
}

fn cell(state: State, column: usize, lane: usize, agent: &AgentView) -> El {
    let place = || div("moves").style("grid-column", column + 3);
    let over = matches!(agent.status.as_str(), "ended" | "stopped") || agent.moves.is_empty();
    if over {
        let word = span("move move--ended").with((icon("end"), &*agent.status));
        return place().with(word);
    }
    place().with(all(agent.moves.iter().map(|step| next(state, lane, &agent.name, step))))
}

/// A folded band: the first step that one of its agents can perform, and how many more can go on.
fn cell_of_band(state: State, band: &fold::Band, agents: &[AgentView]) -> El {
    let ready = || agents.iter().filter(|agent| agent.moves.iter().any(|step| step.enabled));
    let first = ready().next().and_then(|agent| {
        let step = agent.moves.iter().find(|step| step.enabled)?;
        Some(next(state, usize::MAX, &agent.name, step))
    });
    let rest = ready().count().saturating_sub(1);
    div("moves").style("grid-column", band.column + 3).attr("hidden", band.column >= LANES).with((
        first,
        (rest > 0).then(|| span("quiet moves__rest").with(format!("and {rest} more"))),
    ))
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
