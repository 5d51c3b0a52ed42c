//! The next operations of each agent.

use super::icon::icon;
use super::lanes::LANES;
use crate::dom::*;
use crate::engine::{AgentView, Move};
use crate::fold;
use crate::state::State;
use crate::trace::Trace;
use leptos::prelude::*;
use std::ops::Range;

/// The row below the lanes: a cell for each visible lane.
pub(super) fn moves(drawn: Memo<Range<usize>>) -> El {
    let state = State::expect();
    let cells = keyed(move || {
        let (lanes, drawn) = (state.lanes.get(), drawn.get());
        let seen = |column: usize| column < LANES && drawn.contains(&column);
        let folded = lanes.bands.iter().filter(|band| band.folded && seen(band.column));
        let folded = folded.map(|band| {
            let band = band.clone();
            (band.column, Entry::new(&band.clone(), move || cell_of_band(state, band)))
        });
        let own = (0..).zip(&lanes.of).filter(|(_, (column, folded))| !folded && seen(*column));
        let own = own
            .map(|(at, &(column, _))| (column, at))
            .map(|it| (it.0, Entry::new(&it, move || cell(state, it.0, it.1))));
        let mut cells: Vec<(usize, Entry)> = own.chain(folded).collect();
        cells.sort_by_key(|(column, _)| *column);
        cells.into_iter().map(|(_, cell)| cell).collect()
    });
    div("lanes__next")
        .attr("role", "group")
        .attr("aria-label", "Next operations")
        .with((span("lanes__next-name").with("Next"), cells))
}

fn place(column: usize) -> El {
    div("moves").style("grid-column", column + 3)
}

/// The next operations of an agent. The cell stays while its agent does not move; only the reason of a blocked wait changes.
fn cell(state: State, column: usize, lane: usize) -> El {
    let agent = Memo::new(move |_| {
        let mut agent = state.below(|trace| trace.agents().get(lane).cloned())?;
        agent.moves.iter_mut().for_each(|step| step.blocked = None);
        Some(agent)
    });
    place(column).with(move || agent.with(|agent| Some(choices(state, lane, agent.as_ref()?))))
}

fn choices(state: State, lane: usize, agent: &AgentView) -> Vec<El> {
    let over = matches!(agent.status.as_str(), "ended" | "stopped") || agent.moves.is_empty();
    match over {
        true => vec![span("move move--ended").with((icon("end"), &*agent.status))],
        false => all(agent.moves.iter().enumerate().map(|(at, step)| match step.enabled {
            true => next(state, lane, &agent.name, step),
            false => blocked(state, (lane, at), step),
        })),
    }
}

/// A folded band: the first enabled step of its agents, and the number of other agents that can continue.
fn cell_of_band(state: State, band: fold::Band) -> El {
    let agents = band.first..band.first + band.agents;
    let ready = Memo::new(move |_| {
        state.below(|trace| {
            let agents = trace.agents().get(agents.clone()).unwrap_or_default();
            let can = |agent: &&AgentView| agent.moves.iter().any(|step| step.enabled);
            (agents.iter().find(can).cloned(), agents.iter().filter(can).count())
        })
    });
    place(band.column).with(move || {
        ready.with(|(first, count)| {
            let first = first.as_ref().and_then(|agent| {
                let step = agent.moves.iter().find(|step| step.enabled)?;
                Some(next(state, usize::MAX, &agent.name, step))
            });
            let more = format!("and {} more", count.saturating_sub(1));
            (first, (*count > 1).then(|| span("quiet moves__rest").with(more)))
        })
    })
}

/// An operation for screen readers: as it is shown, and as it is written if that differs.
pub(super) fn spoken(short: &str, label: &str) -> String {
    if short == label { label.to_owned() } else { format!("{short} ({label})") }
}

/// A blocked step, by its agent and its index there.
fn blocked(state: State, (agent, at): (usize, usize), step: &Move) -> El {
    let label = step.label.clone();
    let reason = move || {
        let reason_of = |trace: &Trace| trace.agents().get(agent)?.moves.get(at)?.blocked.clone();
        let reason = state.below(reason_of);
        let reason = reason.unwrap_or_else(|| "This operation is blocked.".to_owned());
        format!("{label}: {reason}")
    };
    let parts = (icon("deadlock"), span("move__label").with(&*step.short));
    span("move move--blocked").bind("title", reason).with(parts)
}

fn next(state: State, lane: usize, agent: &str, step: &Move) -> El {
    let label = span("move__label").with(&*step.short);
    let key = step.key.clone();
    let words = format!("Perform {}, {agent}", spoken(&step.short, &step.label));
    let digit = (lane < 10).then(|| i("key").attr("aria-hidden", "true").attr("data-digit", lane));
    button("move")
        .attr("title", &words)
        .attr("aria-label", &words)
        .attr("data-key", &step.key)
        .press(move || state.perform(&key))
        .with((digit, label))
}
