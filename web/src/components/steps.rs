//! The steps in their lanes.

use super::grid::{LANES, top_of};
use super::keyed::{Each, key_of};
use super::moves::spoken;
use super::objects::TONES;
use super::{breakable, press};
use crate::fold;
use crate::state::State;
use crate::trace::Row;
use leptos::prelude::*;
use std::ops::Range;

/// A step with the place of its agent.
#[derive(Clone)]
struct Placed {
    row: Row,
    /// The name of its agent.
    agent: String,
    /// The lane of its agent.
    lane: usize,
    /// Whether other agents share the lane.
    is_shared: bool,
}

/// The visible steps.
#[component]
pub(super) fn Steps(time: Memo<Range<usize>>, cursor: Memo<usize>) -> impl IntoView {
    let state = State::expect();
    let placed = move |row: Row| {
        let place = state.execution.lanes.with(|lanes| lanes.of.get(row.step.agent).copied());
        let (lane, is_shared) = place.filter(|(lane, _)| *lane < LANES)?;
        let name = state
            .execution
            .trace
            .with(|trace| Some(trace.agents().get(row.step.agent)?.name.clone()));
        Some(Placed { row, agent: name.unwrap_or_default(), lane, is_shared })
    };
    let rows = move || {
        let rows = state.execution.trace.with(|trace| trace.rows(time.get()));
        rows.into_iter().filter_map(placed).collect::<Vec<_>>()
    };
    let key = |it: &Placed| key_of(&(it.row.fingerprint(), it.lane, it.is_shared, &it.agent));
    view! {
        <Each each=rows key=key let(placed)>
            <Step placed cursor/>
        </Each>
    }
}

#[component]
fn Step(placed: Placed, cursor: Memo<usize>) -> impl IntoView {
    let state = State::expect();
    let Placed { row, agent, lane, is_shared } = placed;
    let (index, words, step) = (row.index, row.words(), row.step);
    // Other rows do not change when the cursor moves.
    let stands = Memo::new(move |_| (index + 1).cmp(&cursor.get()));
    let phases = step.phases.iter().map(u32::to_string).collect::<Vec<_>>().join("|");
    let phases = (!phases.is_empty())
        .then(|| view! { <span class="node__phase" data-says=phases></span> }.into_any());
    let tone = step.object.map(|object| (object % TONES).to_string());
    let own = is_shared.then(|| {
        let own = fold::short(&agent).rsplit(' ').next().unwrap_or_default().to_owned();
        view! { <span class="node__agent" data-says=own></span> }.into_any()
    });
    let word = (!step.word.is_empty()).then(|| {
        view! {
            <code class="step__word" aria-hidden="true" data-tone=tone.clone()>{step.word}</code>
        }
        .into_any()
    });
    let (key, same) = (step.key.clone(), step.key);
    // While relations are shown, a click selects operations and does not move the cursor.
    let choose = move || match untrack(|| state.relates()) && stands.get_untracked().is_le() {
        true => state.pick(&key),
        false => state.go_to(index + 1),
    };
    view! {
        <li
            class="step"
            class:step--future=move || stands.get().is_gt()
            class:step--last=move || stands.get().is_eq()
            style:top=top_of(index)
        >
            {word}
            <button
                class="node"
                class:node--broke=!step.broke.is_empty()
                class:node--race=!row.races.is_empty()
                type="button"
                data-picked=move || state.picked(&same).map(|at| ["from", "to"][at.min(1)])
                data-kind=step.kind
                data-line=step.line.to_string()
                data-agent=agent.clone()
                data-lane=lane.to_string()
                data-tone=tone
                title=format!("{agent}: {}{words}", step.label)
                aria-label=format!(
                    "Step {}, {agent}: {}{words}",
                    index + 1,
                    spoken(&step.short, &step.label),
                )
                aria-current=move || stands.get().is_eq().then_some("step")
                // Tab reaches only the current step; arrow keys reach the others.
                tabindex=move || if stands.get().is_eq() { "0" } else { "-1" }
                style:left=format!("calc(var(--gutter) + {lane} * var(--wide))")
                style:right=format!("calc(100% - var(--gutter) - {} * var(--wide))", lane + 1)
                on:click=press(choose)
            >
                {own}
                <span class="node__label">{breakable(&step.short)}</span>
                {phases}
            </button>
        </li>
    }
}
