//! Operations in flight: mark sequences as queues, incomplete copies, conflicting accesses.

use super::prose::Prose;
use crate::engine::{FlightView, FrameView, MarkView, PairView};
use crate::state::State;
use crate::trace::Trace;
use crate::verdict::count;
use leptos::prelude::*;

/// The mark queues of each agent and its copies in flight; nothing if there are none.
#[component]
pub(super) fn Flights() -> impl IntoView {
    let state = State::expect();
    view! {
        {move || {
        state.beside(|trace| {
            let flights = &trace.memory.flights;
            (!flights.is_empty()).then(|| {
                let flights = flights.iter().map(|it| flight(trace, it)).collect_view();
                view! { <h3 class="flights__name">"In flight"</h3> {flights} }.into_any()
            })
        })
    }}
    }
}

fn flight(trace: &Trace, flight: &FlightView) -> AnyView {
    let name = trace.agents().get(flight.agent).map(|agent| agent.name.clone()).unwrap_or_default();
    let queues = flight.frames.iter().enumerate().map(|(place, frame)| {
        let left = trace.left.iter().filter(move |left| (left.0, left.1) == (flight.agent, place));
        let left: Vec<&MarkView> = left.map(|(_, _, mark)| mark).collect();
        queue(&name, frame, &left)
    });
    let queues = queues.collect_view();
    let copies = flight.copies.iter().filter(|copy| copy.completed.is_none()).map(|copy| {
        let marks = flight.frames.iter().flat_map(|frame| &frame.marks);
        let mark = marks.into_iter().find(|mark| mark.covers.contains(&copy.step));
        let covered = mark.map_or_else(
            || "not covered by a mark".to_owned(),
            |mark| format!("covered by the mark of step {}", mark.step + 1),
        );
        view! {
            <li class="flight__copy">
                <code>{copy.operation.clone()}</code>
                <span class="quiet">{format!(" since step {}; {covered}", copy.step + 1)}</span>
            </li>
        }
        .into_any()
    });
    let copies = copies.collect_view();
    let label = format!("Copies of {name}");
    let list = (!copies.is_empty())
        .then(|| view! { <ul class="flight__copies" aria-label=label>{copies}</ul> }.into_any());
    view! { <div class="flight">{queues} {list}</div> }.into_any()
}

/// The mark sequence of one function body in removal order, after the marks that the last step removed.
fn queue(agent: &str, frame: &FrameView, left: &[&MarkView]) -> AnyView {
    let gone = left.iter().map(|mark| chip(mark, true));
    let marks: Vec<_> = gone.chain(frame.marks.iter().map(|mark| chip(mark, false))).collect();
    let called = (frame.name != agent)
        .then(|| view! { " in " <code>{frame.name.clone()}</code> }.into_any());
    let marks = match marks.is_empty() {
        true => view! { <span class="quiet">"no marks"</span> }.into_any(),
        false => {
            let label = format!("Marks of {}", frame.name);
            view! { <ol class="queue__marks" aria-label=label>{marks}</ol> }.into_any()
        }
    };
    view! {
        <div class="queue">
            <p class="queue__name"><b>{agent.to_owned()}</b>{called}</p>
            {marks}
        </div>
    }
    .into_any()
}

/// A mark, which the last step has removed if it is gone.
fn chip(mark: &MarkView, gone: bool) -> AnyView {
    let copies = count(mark.covers.len() as u64, "copy", "copies");
    view! {
        <li
            class="mark"
            class:mark--left=gone
            title=format!("Mark of step {}: its removal completes {copies}", mark.step + 1)
        >
            <b>{format!("line {}", mark.line)}</b>
            " "
            {copies.clone()}
            {gone.then(|| view! { <span class="unseen">", removed"</span> }.into_any())}
        </li>
    }
    .into_any()
}

/// Conflicting accesses: what orders them, or what is missing. Nothing if there are none.
#[component]
pub(super) fn Pairs() -> impl IntoView {
    let state = State::expect();
    view! {
        {move || {
        state.beside(|trace| {
            let pairs = &trace.memory.pairs;
            (!pairs.is_empty()).then(|| {
                let pairs = pairs.iter().map(|it| pair(trace, it)).collect_view();
                view! {
                    <h3 class="flights__name">"Conflicting accesses"</h3>
                    <ul class="pairs">{pairs}</ul>
                }.into_any()
            })
        })
    }}
    }
}

fn pair(trace: &Trace, pair: &PairView) -> AnyView {
    let access = |step: usize| {
        let performed = trace.performed().get(step);
        let label = performed.map(|it| it.label.clone()).unwrap_or_default();
        view! { <code>{label}</code> {format!(" (step {})", step + 1)} }.into_any()
    };
    let through: Vec<String> = pair.through.iter().map(|step| (step + 1).to_string()).collect();
    let order = match (pair.ordered, through.is_empty()) {
        (true, true) => "happens-before".to_owned(),
        (true, false) => {
            let steps = if through.len() == 1 { "step" } else { "steps" };
            format!("happens-before, through {steps} {},", through.join(", "))
        }
        (false, _) => "is not ordered before".to_owned(),
    };
    let missing = pair
        .missing
        .iter()
        .map(|clause| view! { <p class="quiet"><Prose text=clause.clone()/></p> }.into_any());
    let missing = missing.collect_view();
    view! {
        <li class="pair" class:pair--race=!pair.ordered>
            {access(pair.first)}
            " "
            <b>{order}</b>
            " "
            {access(pair.second)}
            {missing}
        </li>
    }
    .into_any()
}
