//! One lane for each agent, time downwards.

use super::icon::Icon;
use super::keyed::{Entry, keyed};
use super::moves::Moves;
use crate::engine::AgentView;
use crate::state::State;
use crate::track::{Band, Bar, Row, Track};
use leptos::html;
use leptos::prelude::*;

/// How many lanes are drawn at most.
pub(super) const LANES: usize = 64;
/// How many rows are drawn at most, before and behind the cursor.
const ROWS: (usize, usize) = (240, 80);
/// Height of a row in pixels, as in the styles.
const ROW: i32 = 36;
/// How many colours there are for objects.
const TONES: usize = 6;

/// The lanes, with what each agent can do next at their foot.
#[component]
pub(crate) fn Lanes() -> impl IntoView {
    let state = State::expect();
    let scroll = NodeRef::<html::Div>::new();
    let cursor = Memo::new(move |_| state.track.with(|track| track.cursor()));
    let lanes = Memo::new(move |_| state.track.with(|track| track.agents().len().min(LANES)));
    let length = Memo::new(move |_| state.track.with(|track| track.length()));
    let shown = move || cursor.get().saturating_sub(ROWS.0)..cursor.get() + ROWS.1;
    let rows = move || {
        let rows = state.track.with(|track| track.rows(shown()));
        rows.into_iter()
            .map(|shown| Entry::new(&shown.fingerprint(), move || row(state, shown)))
            .collect()
    };
    let bands = move || {
        let bands = state.track.with(|track| track.bands(shown()));
        bands.into_iter().map(|shown| Entry::new(&shown.clone(), move || band(shown))).collect()
    };
    let bars = move || {
        let bars = state.track.with(|track| track.bars(shown()));
        bars.into_iter().map(|shown| Entry::new(&shown.clone(), move || bar(shown))).collect()
    };
    Effect::new(move |_| {
        let row = cursor.get();
        if let Some(element) = scroll.get() {
            reveal(&element, row);
        }
    });
    any! {
        <div class="lanes" node_ref=scroll tabindex="0" role="group" aria-label="Lanes" style=("--lanes", move || lanes.get().to_string())>
            <div class="lanes__head">
                {move || state.track.with(|track| track.agents().iter().take(LANES).enumerate().map(head).collect_view())}
            </div>
            <div class="lanes__time" style=("--rows", move || length.get().to_string())>
                <div class="axes" aria-hidden="true">
                    {move || (0..lanes.get()).map(|lane| any! { <i class="axis" style:grid-column=column(lane)></i> }).collect_view()}
                </div>
                <div class="grid" aria-hidden="true">
                    {keyed(bands)}
                    {keyed(bars)}
                    <i class="playhead" style:grid-row=move || (cursor.get() + 1).to_string()></i>
                </div>
                <ol class="grid" aria-label="Steps">
                    {keyed(rows)}
                </ol>
                <p class="lanes__empty" hidden=move || { lanes.get() > 0 }>"This scenario cannot be stepped on this target."</p>
                <div class="lanes__empty" hidden=move || { length.get() > 0 || lanes.get() == 0 }>
                    <p>"At launch. Perform the next operation of any lane below, or let every wave run."</p>
                    <button class="button" type="button" on:click=move |_| state.run()>
                        <Icon name="play" />
                        "Run"
                    </button>
                </div>
            </div>
            <Moves />
        </div>
    }
}

fn column(lane: usize) -> String {
    (lane + 3).to_string()
}

/// The name of a lane and how its agent stands.
fn head((lane, agent): (usize, &AgentView)) -> impl IntoView + use<> {
    any! {
        <div class="lane-head" style:grid-column=column(lane) data-status=agent.status.clone()>
            <b class="lane-head__name">{agent.name.clone()}</b>
            <span class="lane-head__status">{agent.status.clone()}</span>
        </div>
    }
}

fn band(band: Band) -> AnyView {
    let rows = format!("{} / {}", band.from + 1, band.to + 2);
    any! {
        <div class="band" data-tone=band.object % TONES class:band--open=!band.complete style:grid-row=rows>
            <span class="band__name"><b>{band.name}</b><span class="band__phase">" phase "</span>{band.phase}</span>
        </div>
    }
}

fn bar(bar: Bar) -> AnyView {
    let rows = format!("{} / {}", bar.from + 1, bar.to + 2);
    any! { <i class="waiting" style:grid-row=rows style:grid-column=column(bar.agent)></i> }
}

fn row(state: State, row: Row) -> AnyView {
    let agent = |track: &Track| track.agents().get(row.step.agent).map(|agent| agent.name.clone());
    let agent = state.track.with_untracked(agent).unwrap_or_default();
    let (index, words) = (row.index, row.words());
    let phases = row.step.phases.iter().map(u32::to_string).collect::<Vec<_>>().join("|");
    let title = format!("{agent}: {}{words}", row.step.label);
    any! {
        <li class="step" class:step--future=row.future class:step--last=row.last style:grid-row=(index + 1).to_string()>
            <span class="step__number" aria-hidden="true">{index + 1}</span>
            <button class="node" type="button" data-kind=row.step.kind data-tone=row.step.object.map(|object| object % TONES)
                class:node--broke=!row.step.broke.is_empty() style:grid-column=column(row.step.agent) title=title
                aria-current=row.last.then_some("step") on:click=move |_| state.go_to(index + 1)>
                <span class="unseen">{format!("Step {}, {agent}: ", index + 1)}</span>
                <span class="node__label">{row.step.label}</span>
                {(!phases.is_empty()).then(|| any! { <span class="node__phase" aria-hidden="true">{phases}</span> })}
                <span class="unseen">{words}</span>
            </button>
        </li>
    }
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
