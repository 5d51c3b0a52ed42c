//! One lane for each agent, time downwards.

use super::edges::edges;
use super::icon::icon;
use super::moves::moves;
use crate::dom::*;
use crate::engine::AgentView;
use crate::state::{State, Tab};
use crate::track::{Band, Bar, Row, Track};
use leptos::prelude::*;
use std::ops::Range;

/// How many lanes are drawn at most.
pub(super) const LANES: usize = 64;
/// How many rows are drawn beyond those in sight, and by how many rows the part that is drawn moves.
const BEYOND: usize = 16;
/// Height of a row in pixels, as in the styles.
const ROW: i32 = 36;
/// How many colours there are for objects.
const TONES: usize = 6;

/// The lanes, with what each agent can do next at their foot.
pub(super) fn lanes() -> El {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.track.with(|track| track.cursor()));
    let lanes = Memo::new(move |_| state.track.with(|track| track.agents().len().min(LANES)));
    let length = Memo::new(move |_| state.track.with(|track| track.length()));
    let heads = move || {
        state.track.with(|track| all(track.agents().iter().take(LANES).enumerate().map(head)))
    };
    let axes =
        move || all((0..lanes.get()).map(|lane| i("axis").style("grid-column", column(lane))));
    let sight = RwSignal::new(0..3 * BEYOND);
    let playhead = i("playhead").restyle("grid-row", move || cursor.get() + 1);
    let board = div("lanes")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "Lanes")
        .restyle("--lanes", move || lanes.get())
        .with((
            div("lanes__head").with(heads),
            div("lanes__time").restyle("--rows", move || length.get()).with((
                div("axes").attr("aria-hidden", "true").with(axes),
                div("grid").attr("aria-hidden", "true").with((
                    bands(state, sight),
                    bars(state, sight),
                    playhead,
                )),
                edges(state),
                ol("grid").attr("aria-label", "Steps").with(rows(state, sight)),
                p("lanes__empty")
                    .bind("hidden", move || lanes.get() > 0)
                    .with("This scenario cannot be stepped on this target."),
                launch(state).bind("hidden", move || length.get() > 0 || lanes.get() == 0),
            )),
            moves(),
        ));
    let element = board.element();
    let scrolled = element.clone();
    effect(Box::new(move || {
        reveal(&element, cursor.get());
        look(&element, sight);
    }));
    board.on("scroll", move |_| look(&scrolled, sight))
}

/// Keeps a signal the rows that are drawn: those in sight, and some beyond.
fn look(element: &web_sys::HtmlElement, sight: Sight) {
    let first = usize::try_from(element.scroll_top() / ROW).unwrap_or(0) / BEYOND * BEYOND;
    let count = usize::try_from(element.client_height().clamp(0, 4000) / ROW).unwrap_or(0);
    let now = first.saturating_sub(BEYOND)..first + count + 2 * BEYOND;
    if sight.with_untracked(|before| *before != now) {
        sight.set(now);
    }
}

type Sight = RwSignal<Range<usize>>;

fn rows(state: State, sight: Sight) -> Keyed {
    keyed(move || {
        let rows = state.track.with(|track| track.rows(sight.get()));
        rows.into_iter().map(|it| Entry::new(&it.fingerprint(), move || row(state, it))).collect()
    })
}

fn bands(state: State, sight: Sight) -> Keyed {
    let all = Memo::new(move |_| state.track.with(Track::bands));
    keyed(move || {
        let sight = sight.get();
        let seen = |it: &&Band| it.from < sight.end && it.to >= sight.start;
        all.with(|all| all.iter().filter(seen).map(|it| Entry::of(it.clone(), band)).collect())
    })
}

fn bars(state: State, sight: Sight) -> Keyed {
    let all = Memo::new(move |_| state.track.with(Track::bars));
    keyed(move || {
        let sight = sight.get();
        let seen = |it: &&Bar| it.from < sight.end && it.to >= sight.start;
        all.with(|all| all.iter().filter(seen).map(|it| Entry::of(it.clone(), bar)).collect())
    })
}

/// What stands in the place of steps before the first one.
fn launch(state: State) -> El {
    div("lanes__empty").with((
        p("").with(
            "At launch. Perform the next operation of any lane below, or let every wave run.",
        ),
        button("button").press(move || state.run()).with((icon("play"), "Run")),
    ))
}

fn column(lane: usize) -> usize {
    lane + 3
}

/// The name of a lane and how its agent stands.
fn head((lane, agent): (usize, &AgentView)) -> El {
    div("lane-head").style("grid-column", column(lane)).attr("data-status", &agent.status).with((
        b("lane-head__name").with(&*agent.name),
        span("lane-head__status").with(&*agent.status),
    ))
}

fn band(band: Band) -> El {
    let name = span("band__name").with((
        b("").with(band.name),
        span("band__phase").with(" phase "),
        band.phase,
    ));
    div("band")
        .class("band--open", !band.complete)
        .attr("data-tone", band.object % TONES)
        .style("grid-row", format!("{} / {}", band.from + 1, band.to + 2))
        .with(name)
}

fn bar(bar: Bar) -> El {
    let rows = format!("{} / {}", bar.from + 1, bar.to + 2);
    let copy = bar.copy.map_or(0, |(beside, _)| beside);
    i(if bar.copy.is_some() { "copying" } else { "waiting" })
        .class("copying--open", bar.copy.is_some_and(|(_, open)| open))
        .style("--beside", copy)
        .style("grid-row", rows)
        .style("grid-column", column(bar.agent))
}

fn row(state: State, row: Row) -> El {
    let agent = |track: &Track| track.agents().get(row.step.agent).map(|agent| agent.name.clone());
    let agent = state.track.with_untracked(agent).unwrap_or_default();
    let (index, words) = (row.index, row.words());
    let phases = row.step.phases.iter().map(u32::to_string).collect::<Vec<_>>().join("|");
    let phases =
        (!phases.is_empty()).then(|| span("node__phase").attr("aria-hidden", "true").with(phases));
    let (key, same) = (row.step.key.clone(), row.step.key.clone());
    let picked = Memo::new(move |_| state.picked(&same));
    let node = button("node")
        .toggle("node--picked", move || picked.get().is_some())
        .bind("data-picked", move || picked.get().map(|at| ["from", "to"][at.min(1)]))
        .class("node--broke", !row.step.broke.is_empty())
        .class("node--race", !row.races.is_empty())
        .attr("data-kind", &row.step.kind)
        .attr("data-tone", row.step.object.map(|object| object % TONES))
        .attr("title", format!("{agent}: {}{words}", row.step.label))
        .attr("aria-current", row.last.then_some("step"))
        .style("grid-column", column(row.step.agent))
        .press(move || match state.tab.get_untracked() {
            // Between two operations one looks at relations, and stays where one is.
            Tab::Relations if !row.future => state.pick(&key),
            _ => state.go_to(index + 1),
        })
        .with((
            span("unseen").with(format!("Step {}, {agent}: ", index + 1)),
            span("node__label").with(row.step.label),
            phases,
            span("unseen").with(words),
        ));
    li("step")
        .class("step--future", row.future)
        .class("step--last", row.last)
        .style("grid-row", index + 1)
        .with((span("step__number").attr("aria-hidden", "true").with(index + 1), node))
}

/// Scrolls so that the row of the cursor is in sight.
fn reveal(element: &web_sys::HtmlElement, row: usize) {
    let (y, room) = (row as i32 * ROW, element.client_height() - 150);
    let top = element.scroll_top();
    if y > top + room {
        element.set_scroll_top(y - room);
    } else if y < top + 2 * ROW {
        element.set_scroll_top((y - 2 * ROW).max(0));
    }
}
