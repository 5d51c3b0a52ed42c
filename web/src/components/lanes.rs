//! One lane for each agent, time downwards.

use super::icon::icon;
use super::moves::{moves, spoken};
use super::objects::TONES;
use super::rails;
use super::sight::{self, ROW, Sight};
use crate::dom::*;
use crate::engine::AgentView;
use crate::fold;
use crate::state::{State, Tab};
use crate::trace::{Row, Trace, together};
use leptos::prelude::*;
use protocol::{Band, Bar};
use std::ops::Range;

/// Largest number of lanes.
pub(super) const LANES: usize = 64;

/// The lanes with an overlay, and the next operations of each agent below them.
pub(super) fn lanes(over: Option<El>) -> El {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.trace.with(|trace| trace.cursor()));
    let lanes = Memo::new(move |_| state.lanes.with(|lanes| lanes.count.min(LANES)));
    let length = Memo::new(move |_| state.trace.with(|trace| trace.length()));
    let sight = RwSignal::new(Sight::default());
    let drawn = Memo::new(move |_| sight.with(|sight| sight.lanes.clone()));
    let time = Memo::new(move |_| sight.with(|sight| sight.rows.clone()));
    let shown = Memo::new(move |_| state.trace.with(|trace| placed(state, trace, &time.get())));
    let axes = keyed(move || {
        let drawn = drawn.get();
        let axis = |lane: usize| i("axis").style("--at", lane);
        (drawn.start..drawn.end.min(lanes.get())).map(|lane| Entry::of(lane, axis)).collect()
    });
    let playhead = i("playhead").restyle("--from", move || cursor.get());
    let board = div("lanes")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "Lanes")
        .restyle("--lanes", move || lanes.get())
        .restyle("--rails", move || state.rails.with(|rails| rails.all.len()))
        .with((
            div("lanes__head").with((
                rails::heads(state, state.rails),
                move || folds(state),
                heads(state, drawn),
            )),
            div("lanes__time").restyle("min-height", move || height_of(length.get())).with((
                div("numbers").attr("aria-hidden", "true").with(numbers(cursor, length, time)),
                div("axes").attr("aria-hidden", "true").with(axes),
                div("grid").attr("aria-hidden", "true").with((
                    bands(state, time),
                    rails::segments(state, state.rails, time),
                    bars(shown, true),
                    // Open bars grow together with their container.
                    div("going")
                        .style("--from", 0)
                        .restyle("height", move || top_of(cursor.get()))
                        .with(bars(shown, false)),
                    playhead,
                )),
                over,
                ol("grid").attr("aria-label", "Steps").with(rows(state, time, cursor)),
                p("lanes__empty").bind("hidden", move || lanes.get() > 0).with(move || match state
                    .valid
                    .get()
                {
                    true => "This scenario cannot be stepped on this target.",
                    false => "Fix the errors to step through the scenario.",
                }),
                launch(state).bind("hidden", move || length.get() > 0 || lanes.get() == 0),
            )),
            moves(drawn),
        ));
    let watched = sight::watch(&board.element(), sight, lanes);
    let (moved, sized) = (watched.clone(), watched.clone());
    effect(Box::new(move || {
        // Folding lanes and resizing the page also move the current step.
        let (cursor, ..) = (cursor.get(), lanes.get(), state.presented.get());
        let lane = state.trace.with_untracked(|trace| {
            let last = trace.performed().last()?.agent;
            state.lanes.with_untracked(|lanes| Some(lanes.of.get(last)?.0))
        });
        moved.reveal(cursor, lane);
    }));
    effect(Box::new(move || state.relating.width.with(|_| sized.look())));
    let board = board.on("scroll", move |_| watched.look());
    // The hint for more lanes is an overlay: a mask would recompose every frame.
    div("board").with((board, i("board__more").attr("aria-hidden", "true")))
}

fn rows(state: State, time: Memo<Range<usize>>, cursor: Memo<usize>) -> Keyed {
    keyed(move || {
        let rows = state.trace.with(|trace| trace.rows(time.get()));
        let place = |it: &Row| state.lanes.with(|lanes| lanes.of.get(it.step.agent).copied());
        let placed = rows.into_iter().filter_map(|it| Some((place(&it)?, it)));
        let drawn = placed.filter(|((column, _), _)| *column < LANES);
        let name =
            |agent: usize| state.trace.with(|trace| Some(trace.agents().get(agent)?.name.clone()));
        let entry = |(at, it): ((usize, bool), Row)| {
            let agent = name(it.step.agent).unwrap_or_default();
            Entry::new(&(it.fingerprint(), at, agent.clone()), move || {
                row(state, it, agent, at, cursor)
            })
        };
        drawn.map(entry).collect()
    })
}

/// The row numbers, one per line, and over them the number of the last step. They share the left column.
fn numbers(cursor: Memo<usize>, length: Memo<usize>, time: Memo<Range<usize>>) -> (El, El) {
    let lines = move || {
        let (rows, length) = (time.get(), length.get());
        (rows.start..rows.end.min(length)).map(|row| format!("{}\n", row + 1)).collect::<String>()
    };
    let number = |row: Memo<usize>| i("number").restyle("top", move || top_of(row.get()));
    let last = number(Memo::new(move |_| cursor.get().saturating_sub(1)));
    (
        number(Memo::new(move |_| time.get().start)).with(lines),
        last.class("number--last", true)
            .bind("hidden", move || cursor.get() == 0)
            .with(move || cursor.get()),
    )
}

fn bands(state: State, time: Memo<Range<usize>>) -> Keyed {
    keyed(move || {
        if state.rails.with(|rails| !rails.all.is_empty()) {
            return Vec::new();
        }
        let bands = state.trace.with(|trace| trace.bands(&time.get()));
        // A band keeps its element while it grows and completes.
        let same = |it: &Band| Band { to: 0, complete: false, ..it.clone() };
        let entry = |it: Band| Entry::new(&same(&it), move || band(state, it));
        bands.into_iter().map(entry).collect()
    })
}

/// Waiting agents and copies in flight, by lane. A folded band shows a bar if any of its agents waits.
fn placed(state: State, trace: &Trace, rows: &Range<usize>) -> Vec<Bar> {
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    state.lanes.with(|lanes| {
        for it in trace.bars(rows) {
            let place = lanes.of.get(it.agent).filter(|(column, _)| *column < LANES);
            let Some(&(column, folded)) = place else { continue };
            let placed = Bar { agent: column, ..it };
            match folded {
                false => own.push(placed),
                true if placed.copy.is_none() => shared.push(placed),
                true => {}
            }
        }
    });
    own.append(&mut together(shared));
    // An open bar keeps its element while it grows.
    own.iter_mut().filter(|it| it.ended.is_none()).for_each(|it| it.to = 0);
    own
}

fn bars(shown: Memo<Vec<Bar>>, ended: bool) -> Keyed {
    keyed(move || {
        let those = |it: &&Bar| it.ended.is_some() == ended;
        let entry = |it: &Bar| Entry::of(it.clone(), bar);
        shown.with(|shown| shown.iter().filter(those).map(entry).collect())
    })
}

/// The placeholder before the first step.
fn launch(state: State) -> El {
    div("lanes__empty").with((
        p("").with("At launch. Click an operation below, or run all agents."),
        button("button").press(move || state.run()).with((icon("play"), "Run")),
    ))
}

fn column(lane: usize) -> usize {
    lane + 3
}

/// The bands of lanes, each with a button to fold it.
fn folds(state: State) -> Vec<El> {
    let fold = |band: &fold::Band| {
        let (name, press) = (band.name.clone(), band.name.clone());
        let width = if band.folded { 1 } else { band.agents };
        let says = format!("{}, {} lanes", band.name, band.agents);
        button("fold")
            .attr("aria-expanded", if band.folded { "false" } else { "true" })
            .attr("aria-label", says)
            .style("grid-column", format!("{} / span {width}", column(band.column)))
            .press(move || state.turn_band(&press))
            .with((icon("forward"), span("fold__name").with(name)))
    };
    let shown = |band: &&fold::Band| band.column < LANES;
    state.lanes.with(|lanes| all(lanes.bands.iter().filter(shown).map(fold)))
}

/// The heads of the lanes.
fn heads(state: State, drawn: Memo<Range<usize>>) -> Keyed {
    keyed(move || {
        let (lanes, drawn) = (state.lanes.get(), drawn.get());
        let folded = lanes.bands.iter().filter(|band| band.folded);
        state.trace.with(|trace| {
            let agents = trace.agents();
            let whole = folded.filter_map(|band| {
                Some(head_of_band(band, agents.get(band.first..band.first + band.agents)?))
            });
            let own = agents.iter().zip(&lanes.of).filter(|(_, (_, folded))| !folded);
            let own = own.map(|(agent, (column, _))| Head {
                lane: *column,
                name: match lanes.bands.is_empty() {
                    true => agent.name.clone(),
                    false => fold::short(&agent.name).to_owned(),
                },
                status: agent.status.clone(),
                text: agent.status.clone(),
            });
            let heads = own.chain(whole).filter(|it| it.lane < LANES && drawn.contains(&it.lane));
            let mut heads: Vec<Head> = heads.collect();
            heads.sort_by_key(|it| it.lane);
            heads.into_iter().map(|it| Entry::of(it, head)).collect()
        })
    })
}

/// The head of a lane: its name and its agent's state.
#[derive(PartialEq, Eq, Hash)]
struct Head {
    lane: usize,
    name: String,
    status: String,
    text: String,
}

/// A folded band: how many of its agents are in each state.
fn head_of_band(band: &fold::Band, agents: &[AgentView]) -> Head {
    let count = |status: &str| agents.iter().filter(|agent| agent.status == status).count();
    let words = ["ready", "blocked", "stopped", "ended"];
    let counts = words.iter().map(|word| (count(word), word)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    let status = if count("blocked") > 0 { "blocked" } else { "" };
    let kind = agents.first().and_then(|agent| fold::short(&agent.name).split(' ').next());
    let name = format!("{} {}s", band.agents, kind.unwrap_or("agent"));
    Head { lane: band.column, name, status: status.to_owned(), text: counts.join(", ") }
}

fn head(Head { lane, name, status, text }: Head) -> El {
    div("lane-head")
        .style("grid-column", column(lane))
        .attr("data-status", &*status)
        .attr("data-lane", lane)
        .with((b("lane-head__name").with(name), span("lane-head__status").with(text)))
}

fn band(state: State, band: Band) -> El {
    let (object, from) = (band.object, band.from);
    let now = move || state.trace.with(|trace| trace.reach(object, from)).unwrap_or((from, true));
    let name = span("band__name").with((
        b("").with(band.name),
        span("band__phase").with((span("band__word").with("phase "), band.phase)),
    ));
    div("band")
        .toggle("band--open", move || !now().1)
        .attr("data-tone", object % TONES)
        .style("--from", from)
        .style("--place", band.place)
        .restyle("--span", move || now().0 + 1 - from)
        .with(name)
}

fn bar(bar: Bar) -> El {
    i(if bar.copy.is_some() { "copying" } else { "waiting" })
        .class("copying--open", bar.ended.is_none() && bar.copy.is_some())
        .style("--beside", bar.copy)
        .style("--from", bar.from)
        .style("--at", bar.agent)
        .style("--span", bar.ended.map(|_| bar.to + 1 - bar.from))
}

fn row(
    state: State,
    row: Row,
    agent: String,
    (lane, folded): (usize, bool),
    cursor: Memo<usize>,
) -> El {
    let (index, words) = (row.index, row.words());
    // Other rows do not change when the cursor moves.
    let stands = Memo::new(move |_| (index + 1).cmp(&cursor.get()));
    let phases = row.step.phases.iter().map(u32::to_string).collect::<Vec<_>>().join("|");
    let phases = (!phases.is_empty()).then(|| span("node__phase").attr("data-says", phases));
    let (key, same) = (row.step.key.clone(), row.step.key.clone());
    let node = button("node")
        .bind("data-picked", move || state.picked(&same).map(|at| ["from", "to"][at.min(1)]))
        .class("node--broke", !row.step.broke.is_empty())
        .class("node--race", !row.races.is_empty())
        .attr("data-kind", &row.step.kind)
        .attr("data-line", row.step.line.to_string())
        .attr("data-agent", &agent)
        .attr("data-tone", row.step.object.map(|object| object % TONES))
        .attr("title", format!("{agent}: {}{words}", row.step.label))
        .attr(
            "aria-label",
            format!(
                "Step {}, {agent}: {}{words}",
                index + 1,
                spoken(&row.step.short, &row.step.label)
            ),
        )
        .bind("aria-current", move || stands.get().is_eq().then_some("step"))
        // Tab reaches only the current step; arrow keys reach the others.
        .bind("tabindex", move || if stands.get().is_eq() { "0" } else { "-1" })
        .style("left", format!("calc(var(--gutter) + {lane} * var(--wide))"))
        .style("right", format!("calc(100% - var(--gutter) - {} * var(--wide))", lane + 1))
        .press(move || match state.tab.get_untracked() {
            // While relations are shown, a click selects operations and does not move the cursor.
            Tab::Relations if stands.get_untracked().is_le() => state.pick(&key),
            _ => state.go_to(index + 1),
        })
        .with((
            folded.then(|| {
                let own = fold::short(&agent).rsplit(' ').next().unwrap_or_default().to_owned();
                span("node__agent").attr("data-says", own)
            }),
            span("node__label").with(&*row.step.short),
            phases,
        ));
    let word = (!row.step.word.is_empty()).then(|| {
        let word = code("step__word").attr("aria-hidden", "true").with(&*row.step.word);
        word.attr("data-tone", row.step.object.map(|object| object % TONES))
    });
    li("step")
        .toggle("step--future", move || stands.get().is_gt())
        .toggle("step--last", move || stands.get().is_eq())
        .style("top", top_of(index))
        .with((word, node))
}

/// Returns the top of a row. It is not a custom property: every element in the row would inherit it and be restyled. The same
/// holds for the height of all rows.
fn top_of(row: usize) -> String {
    format!("{}px", row * ROW as usize)
}

/// Returns the height of some rows, plus a margin of one and a half rows.
fn height_of(rows: usize) -> String {
    format!("{}px", rows * ROW as usize + 3 * ROW as usize / 2)
}
