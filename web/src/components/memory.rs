//! Operations in flight: mark sequences as queues, incomplete copies, conflicting accesses.

use super::prose::prose;
use crate::dom::*;
use crate::engine::{FlightView, FrameView, MarkView, PairView};
use crate::state::State;
use crate::trace::Trace;
use crate::verdict::count;

/// The mark queues of each agent and its copies in flight.
pub(super) fn flights(state: State) -> Option<impl Show + use<>> {
    state.beside(|trace| {
        let flights = &trace.memory.flights;
        (!flights.is_empty()).then(|| {
            (h3("flights__name").with("In flight"), all(flights.iter().map(|it| flight(trace, it))))
        })
    })
}

fn flight(trace: &Trace, flight: &FlightView) -> El {
    let name = trace.agents().get(flight.agent).map(|agent| agent.name.clone()).unwrap_or_default();
    let queues = flight.frames.iter().enumerate().map(|(place, frame)| {
        let left = trace.left.iter().filter(|left| (left.0, left.1) == (flight.agent, place));
        queue(&name, frame, left.map(|(_, _, mark)| mark))
    });
    let copies = flight.copies.iter().filter(|copy| copy.completed.is_none()).map(|copy| {
        let marks = flight.frames.iter().flat_map(|frame| &frame.marks);
        let mark = marks.into_iter().find(|mark| mark.covers.contains(&copy.step));
        let covered = mark.map_or_else(
            || "not covered by a mark".to_owned(),
            |mark| format!("covered by the mark of step {}", mark.step + 1),
        );
        li("flight__copy").with((
            code("").with(&*copy.operation),
            span("quiet").with(format!(" since step {}; {covered}", copy.step + 1)),
        ))
    });
    let copies = all(copies);
    let list = (!copies.is_empty())
        .then(|| ul("flight__copies").attr("aria-label", format!("Copies of {name}")).with(copies));
    div("flight").with((all(queues), list))
}

/// The mark sequence of one function body in removal order, after the marks that the last step removed.
fn queue<'a>(agent: &str, frame: &FrameView, left: impl Iterator<Item = &'a MarkView>) -> El {
    let gone = left
        .map(|mark| chip(mark).class("mark--left", true).with(span("unseen").with(", removed")));
    let marks = all(gone.chain(frame.marks.iter().map(chip)));
    let called = (frame.name != agent).then(|| (" in ", code("").with(&*frame.name)));
    let marks = match marks.is_empty() {
        true => span("quiet").with("no marks"),
        false => {
            ol("queue__marks").attr("aria-label", format!("Marks of {}", frame.name)).with(marks)
        }
    };
    div("queue").with((p("queue__name").with((b("").with(agent), called)), marks))
}

fn chip(mark: &MarkView) -> El {
    let copies = count(mark.covers.len() as u64, "copy", "copies");
    li("mark")
        .attr("title", format!("Mark of step {}: its removal completes {copies}", mark.step + 1))
        .with((b("").with(format!("line {}", mark.line)), " ", copies))
}

/// Conflicting accesses: what orders them, or what is missing.
pub(super) fn pairs(state: State) -> Option<impl Show + use<>> {
    state.beside(|trace| {
        let pairs = &trace.memory.pairs;
        (!pairs.is_empty()).then(|| {
            let list = ul("pairs").with(all(pairs.iter().map(|it| pair(trace, it))));
            (h3("flights__name").with("Conflicting accesses"), list)
        })
    })
}

fn pair(trace: &Trace, pair: &PairView) -> El {
    let label = |step: usize| {
        let performed = trace.performed().get(step);
        let label = performed.map(|it| it.label.clone()).unwrap_or_default();
        (code("").with(label), format!(" (step {})", step + 1))
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
    let missing = all(pair.missing.iter().map(|clause| p("quiet").with(prose(clause))));
    li("pair").class("pair--race", !pair.ordered).with((
        label(pair.first),
        " ",
        b("").with(order),
        " ",
        label(pair.second),
        missing,
    ))
}
