//! The next operations of each agent.

use super::grid::{LANES, column};
use super::icon::Icon;
use super::keyed::{Each, key_of};
use super::{breakable, press};
use crate::engine::{AgentView, Move};
use crate::fold;
use crate::state::State;
use crate::trace::Trace;
use leptos::prelude::*;
use std::ops::Range;

/// A visible cell: of an agent in a column, or of a folded band.
#[derive(Hash)]
enum Cell {
    Agent { column: usize, agent: usize },
    Band(fold::Band),
}

impl Cell {
    const fn column(&self) -> usize {
        match self {
            Self::Agent { column, .. } => *column,
            Self::Band(band) => band.column,
        }
    }
}

/// The row below the lanes: a cell for each visible lane.
#[component]
pub(super) fn Moves(drawn: Memo<Range<usize>>) -> impl IntoView {
    let state = State::expect();
    let cells = move || {
        let (lanes, drawn) = (state.execution.lanes.get(), drawn.get());
        let bands = lanes.bands.into_iter().filter(|band| band.folded).map(Cell::Band);
        let own = lanes.of.iter().enumerate().filter(|(_, (_, folded))| !folded);
        let own = own.map(|(agent, &(column, _))| Cell::Agent { column, agent });
        let is_seen = |it: &Cell| it.column() < LANES && drawn.contains(&it.column());
        let mut cells: Vec<Cell> = own.chain(bands).filter(is_seen).collect();
        cells.sort_by_key(Cell::column);
        cells
    };
    view! {
        <div class="lanes__next" role="group" aria-label="Next operations">
            <span class="lanes__next-name">"Next"</span>
            <Each each=cells key=key_of children=cell_view/>
        </div>
    }
}

fn cell_view(cell: Cell) -> AnyView {
    let column = column(cell.column());
    let moves = match cell {
        Cell::Agent { agent, .. } => view! { <AgentMoves agent/> }.into_any(),
        Cell::Band(band) => view! { <BandMoves band/> }.into_any(),
    };
    view! { <div class="moves" style:grid-column=column.to_string()>{moves}</div> }.into_any()
}

/// The next operations of an agent. They stay while the agent does not move; only the reason of a blocked wait changes.
#[component]
fn AgentMoves(agent: usize) -> impl IntoView {
    let state = State::expect();
    let stands = Memo::new(move |_| {
        let mut stands = state.below(|trace| trace.agents().get(agent).cloned())?;
        stands.moves.iter_mut().for_each(|step| step.blocked = None);
        Some(stands)
    });
    view! {
        {move || {
        let AgentView { name, status, moves, .. } = stands.get()?;
        let is_over = matches!(&*status, "ended" | "stopped") || moves.is_empty();
        Some(match is_over {
            true => view! {
                <span class="move move--ended"><Icon name="end"/>{status}</span>
            }.into_any(),
            false => {
                // The key of a lane performs its first operation.
                let mut lane = agent;
                let choice = |(at, step): (usize, Move)| match step.enabled {
                    true => {
                        let lane = std::mem::replace(&mut lane, usize::MAX);
                        view! { <Next step lane agent=name.clone()/> }.into_any()
                    }
                    false => view! { <Blocked step name=name.clone() agent at/> }.into_any(),
                };
                moves.into_iter().enumerate().map(choice).collect_view().into_any()
            }
        })
    }}
    }
}

/// A folded band: the first enabled step of its agents, and the number of other agents that can continue.
#[component]
fn BandMoves(band: fold::Band) -> impl IntoView {
    let state = State::expect();
    let agents = band.first..band.first + band.agents;
    let ready = Memo::new(move |_| {
        state.below(|trace| {
            let agents = trace.agents().get(agents.clone()).unwrap_or_default();
            let can = |agent: &&AgentView| agent.moves.iter().any(|step| step.enabled);
            (agents.iter().find(can).cloned(), agents.iter().filter(can).count())
        })
    });
    view! {
        {move || {
        let (first, count) = ready.get();
        let first = first.and_then(|agent| {
            let step = agent.moves.into_iter().find(|step| step.enabled)?;
            Some(view! { <Next step lane=usize::MAX agent=agent.name/> }.into_any())
        });
        let more = format!("and {} more", count.saturating_sub(1));
        let more = (count > 1).then(|| view! { <span class="quiet moves__rest">{more}</span> }.into_any());
        view! { {first} {more} }.into_any()
    }}
    }
}

/// An operation for screen readers: as it is shown, and as it is written if that differs.
pub(super) fn spoken(short: &str, label: &str) -> String {
    if short == label { label.to_owned() } else { format!("{short} ({label})") }
}

/// A blocked step.
#[component]
fn Blocked(
    step: Move,
    /// The name of its agent.
    name: String,
    /// The index of its agent.
    agent: usize,
    /// Its index there.
    at: usize,
) -> impl IntoView {
    let state = State::expect();
    let label = step.label;
    let reason = move || {
        let reason_of = |trace: &Trace| trace.agents().get(agent)?.moves.get(at)?.blocked.clone();
        let reason = state.below(reason_of);
        let reason = reason.unwrap_or_else(|| "This operation is blocked.".to_owned());
        format!("{label}: {reason}")
    };
    view! {
        <button
            class="move--blocked"
            type="button"
            title=reason
            data-line=step.line.to_string()
            data-agent=name
            on:click=press(move || state.tell_blocked(agent, at))
        >
            <Icon name="deadlock"/>
            <span class="move__label">{breakable(&step.short)}</span>
        </button>
    }
}

/// A button that performs an enabled step.
#[component]
fn Next(
    step: Move,
    /// The lane of its agent; the first ten have keys.
    lane: usize,
    /// The name of its agent.
    agent: String,
) -> impl IntoView {
    let state = State::expect();
    let key = step.key.clone();
    let words = format!("Perform {}, {agent}", spoken(&step.short, &step.label));
    let digit = (lane < 10).then(|| {
        view! { <i class="key" aria-hidden="true" data-digit=lane.to_string()></i> }.into_any()
    });
    view! {
        <button
            class="move"
            type="button"
            title=words.clone()
            aria-label=words
            data-key=step.key
            on:click=press(move || state.perform(&key))
        >
            {digit}
            <span class="move__label">{breakable(&step.short)}</span>
        </button>
    }
}
