//! One lane for each agent, time downwards.

use super::grid::{LANES, column, top_of};
use super::icon::Icon;
use super::keyed::{Each, key_of};
use super::moves::Moves;
use super::objects::TONES;
use super::rails::{RailHeads, Segments};
use super::sight::{self, Sight};
use super::steps::Steps;
use super::{aria, breakable, effect, press};
use crate::engine::AgentView;
use crate::fold;
use crate::port;
use crate::state::State;
use crate::trace::{Trace, together};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{Band, Bar};
use std::ops::Range;

/// The lanes, and the next operations of each agent below them.
#[component]
pub(super) fn Lanes(
    /// An overlay over the lanes.
    over: Option<AnyView>,
) -> impl IntoView {
    let state = State::expect();
    let cursor = Memo::new(move |_| state.execution.trace.with(|trace| trace.cursor()));
    let lanes = Memo::new(move |_| state.execution.lanes.with(|lanes| lanes.count.min(LANES)));
    let sight = RwSignal::new(Sight::default());
    let drawn = Memo::new(move |_| sight.with(|sight| sight.lanes.clone()));
    let board = NodeRef::<Div>::new();
    let watched = sight::watch(board, sight, lanes);
    effect(move || {
        // Folding lanes and resizing the page also move the current step.
        let (cursor, ..) = (cursor.get(), lanes.get(), state.chrome.presented.get());
        let lane = state.execution.trace.with_untracked(|trace| {
            let last = trace.performed().last()?.agent;
            state.execution.lanes.with_untracked(|lanes| Some(lanes.of.get(last)?.0))
        });
        watched.reveal(cursor, lane);
    });
    effect(move || {
        state.execution.relating.width.track();
        watched.look();
    });
    // The overview also shows what is not drawn.
    effect(move || {
        let Some(board) = board.get().filter(|_| state.chrome.engine.get()) else { return };
        let packed = state.execution.lanes.with(|lanes| {
            state.execution.trace.with(|trace| trace.packed(&lanes.of, lanes.count.min(LANES)))
        });
        port::overview(&board, &packed);
    });
    view! {
        <div class="board">
            <div
                node_ref=board
                class="lanes"
                tabindex="0"
                role="group"
                aria-label="Lanes"
                style:--lanes=move || lanes.get().to_string()
                style:--rails=move || state.execution.rails.with(|rails| rails.all.len().to_string())
                on:scroll=move |_| watched.look()
            >
                <div class="lanes__head">
                    <RailHeads rails=state.execution.rails/>
                    {move || folds(state)}
                    <Heads drawn/>
                </div>
                <Time sight cursor lanes over/>
                <Moves drawn/>
            </div>
            // The hint for more lanes is an overlay: a mask would recompose every frame.
            <i class="board__more" aria-hidden="true"></i>
        </div>
    }
}

/// Everything between the heads of the lanes and the next operations.
#[component]
fn Time(
    sight: RwSignal<Sight>,
    cursor: Memo<usize>,
    lanes: Memo<usize>,
    over: Option<AnyView>,
) -> impl IntoView {
    let state = State::expect();
    let length = Memo::new(move |_| state.execution.trace.with(|trace| trace.length()));
    let time = Memo::new(move |_| sight.with(|sight| sight.rows.clone()));
    let shown =
        Memo::new(move |_| state.execution.trace.with(|trace| placed(state, trace, &time.get())));
    let axes = move || {
        let drawn = sight.with(|sight| sight.lanes.clone());
        drawn.start..drawn.end.min(lanes.get())
    };
    let excuse = move || match (state.chrome.engine.get(), state.judgement.valid.get()) {
        (false, _) => "The steps appear when the checker is loaded.",
        _ if state.judgement.running.get() => "The steps appear when the text is read.",
        (true, true) => "This scenario cannot be stepped on this target.",
        (true, false) => "Fix the errors to step through the scenario.",
    };
    view! {
        <div class="lanes__time" style:min-height=move || height_of(length.get())>
            <div class="numbers" aria-hidden="true"><Numbers cursor length time/></div>
            <div class="axes" aria-hidden="true">
                <Each each=axes key=key_of let(lane)>
                    <i class="axis" style:--at=lane.to_string()></i>
                </Each>
            </div>
            <div class="grid" aria-hidden="true">
                <Bands time/>
                <Segments rails=state.execution.rails time/>
                <Bars shown ended=true/>
                // Open bars grow together with their container.
                <div class="going" style:--from="0" style:height=move || top_of(cursor.get())>
                    <Bars shown ended=false/>
                </div>
                <i class="playhead" style:--from=move || cursor.get().to_string()></i>
            </div>
            {over}
            <ol class="grid" aria-label="Steps"><Steps time cursor/></ol>
            <p class="lanes__empty" hidden=move || { lanes.get() > 0 }>{move || excuse()}</p>
            // The placeholder before the first step.
            <div class="lanes__empty" hidden=move || { length.get() > 0 || lanes.get() == 0 }>
                // The styles show one of the two, by the state of the execution.
                <p class="lanes__stuck">"Every agent is blocked at launch."</p>
                <p>"At launch. Click an operation below, or run all agents."</p>
                <button class="button" type="button" on:click=press(move || state.run())>
                    <Icon name="play"/>
                    "Run"
                </button>
            </div>
        </div>
    }
}

/// The row numbers, one per line, and over them the number of the last step. They share the left column.
#[component]
fn Numbers(cursor: Memo<usize>, length: Memo<usize>, time: Memo<Range<usize>>) -> impl IntoView {
    let lines = move || {
        let (rows, length) = (time.get(), length.get());
        (rows.start..rows.end.min(length)).map(|row| format!("{}\n", row + 1)).collect::<String>()
    };
    view! {
        <i class="number" style:top=move || top_of(time.with(|time| time.start))>{move || lines()}</i>
        <i
            class="number number--last"
            style:top=move || top_of(cursor.get().saturating_sub(1))
            hidden=move || cursor.get() == 0
        >
            {move || cursor.get().to_string()}
        </i>
    }
}

/// The visible phases of barriers, unless these have rails.
#[component]
fn Bands(time: Memo<Range<usize>>) -> impl IntoView {
    let state = State::expect();
    let bands = move || match state.execution.rails.with(|rails| rails.all.is_empty()) {
        true => state.execution.trace.with(|trace| trace.bands(&time.get())),
        false => Vec::new(),
    };
    // A band keeps its element while it grows and completes.
    let key = |it: &Band| key_of(&Band { to: 0, complete: false, ..it.clone() });
    view! {
        <Each each=bands key=key let(band)>
            <Phase band/>
        </Each>
    }
}

#[component]
fn Phase(band: Band) -> impl IntoView {
    let state = State::expect();
    let (object, from) = (band.object, band.from);
    let now = move || {
        state.execution.trace.with(|trace| trace.reach(object, from)).unwrap_or((from, true))
    };
    view! {
        <div
            class="band"
            class:band--open=move || !now().1
            data-tone=(object % TONES).to_string()
            style:--from=from.to_string()
            style:--place=band.place.to_string()
            style:--span=move || (now().0 + 1 - from).to_string()
        >
            <span class="band__name" title=band.name.clone()>
                <b><span>{breakable(&band.name)}</span></b>
                <span class="band__phase"><span class="band__word">"phase "</span>{band.phase}</span>
            </span>
        </div>
    }
}

/// Waiting agents and copies in flight, by lane. A folded band shows a bar if any of its agents waits.
fn placed(state: State, trace: &Trace, rows: &Range<usize>) -> Vec<Bar> {
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    state.execution.lanes.with(|lanes| {
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

/// The bars that have ended, or those that grow.
#[component]
fn Bars(shown: Memo<Vec<Bar>>, ended: bool) -> impl IntoView {
    let bars = move || {
        shown.with(|shown| {
            let own = shown.iter().filter(|it| it.ended.is_some() == ended);
            own.cloned().collect::<Vec<_>>()
        })
    };
    let bar = |bar: Bar| {
        let class = if bar.copy.is_some() { "copying" } else { "waiting" };
        view! {
            <i
                class=class
                class:copying--open=bar.ended.is_none() && bar.copy.is_some()
                style:--beside=bar.copy.map(|it| it.to_string())
                style:--from=bar.from.to_string()
                style:--at=bar.agent.to_string()
                style:--span=bar.ended.map(|_| (bar.to + 1 - bar.from).to_string())
            ></i>
        }
        .into_any()
    };
    view! {
        <Each each=bars key=key_of children=bar/>
    }
}

/// The bands of lanes, each with a button to fold it.
fn folds(state: State) -> Vec<AnyView> {
    let fold = |band: &fold::Band| {
        let (name, pressed) = (band.name.clone(), band.name.clone());
        let width = if band.folded { 1 } else { band.agents };
        view! {
            <button
                class="fold"
                type="button"
                aria-expanded=aria(!band.folded)
                aria-label=format!("{}, {} lanes", band.name, band.agents)
                style:grid-column=format!("{} / span {width}", column(band.column))
                on:click=press(move || state.turn_band(&pressed))
            >
                <Icon name="forward"/>
                <span class="fold__name">{name}</span>
            </button>
        }
        .into_any()
    };
    let is_shown = |band: &&fold::Band| band.column < LANES;
    state.execution.lanes.with(|lanes| lanes.bands.iter().filter(is_shown).map(fold).collect_view())
}

/// The heads of the drawn lanes.
#[component]
fn Heads(drawn: Memo<Range<usize>>) -> impl IntoView {
    let state = State::expect();
    view! {
        <Each each=move || heads_of(state, &drawn.get()) key=key_of let(it)>
            <div
                class="lane-head"
                style:grid-column=column(it.lane).to_string()
                data-status=it.status
                data-lane=it.lane.to_string()
            >
                <button class="lane-head__name" type="button" title="Focus">{it.name}</button>
                <span class="lane-head__status">{it.text}</span>
            </div>
        </Each>
    }
}

fn heads_of(state: State, drawn: &Range<usize>) -> Vec<Head> {
    let lanes = state.execution.lanes.get();
    let folded = lanes.bands.iter().filter(|band| band.folded);
    state.execution.trace.with(|trace| {
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
        heads
    })
}

/// The head of a lane: its name and its agent's state.
#[derive(Hash)]
struct Head {
    lane: usize,
    name: String,
    status: String,
    text: String,
}

/// A folded band: how many of its agents are in each state.
fn head_of_band(band: &fold::Band, agents: &[AgentView]) -> Head {
    let count = |status: &str| agents.iter().filter(|agent| agent.status == status).count();
    let words = ["not started", "ready", "blocked", "stopped", "ended"];
    let counts = words.iter().map(|word| (count(word), word)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    let status = if count("blocked") > 0 { "blocked" } else { "" };
    let kind = agents.first().and_then(|agent| fold::short(&agent.name).split(' ').next());
    let name = format!("{} {}s", band.agents, kind.unwrap_or("agent"));
    Head { lane: band.column, name, status: status.to_owned(), text: counts.join(", ") }
}

/// Returns the height of some rows, plus a margin of one and a half rows.
fn height_of(rows: usize) -> String {
    format!("calc({rows}.5 * var(--row) + var(--row))")
}
