//! The phases of many barriers, as segments of narrow rails in the gutter.

use super::keyed::{Each, key_of};
use super::objects::TONES;
use super::{aria, press};
use crate::rails::{Rail, Rails};
use crate::state::State;
use leptos::prelude::*;
use protocol::Band;
use std::ops::Range;

/// The heads of the rails: each names its barriers, and folds or unfolds their array.
#[component]
pub(super) fn RailHeads(rails: Memo<Rails>) -> impl IntoView {
    let heads = move || rails.get().all.into_iter().enumerate();
    view! {
        <div
            class="rails__heads"
            role="group"
            aria-label="Barriers as rails"
            hidden=move || rails.with(|rails| rails.all.is_empty())
        >
            <Each each=heads key=key_of let((at, rail))>
                <Head at rail/>
            </Each>
        </div>
    }
}

#[component]
fn Head(at: usize, rail: Rail) -> impl IntoView {
    let state = State::expect();
    let Some(array) = rail.array else {
        return view! {
            <span class="rail-head" title=rail.name style:--rail=at.to_string()>
                {brief(&rail.name)}
            </span>
        }
        .into_any();
    };
    let does = if rail.folded { "Unfold" } else { "Fold" };
    view! {
        <button
            class="rail-head"
            type="button"
            title=format!("{}: {does} {array}[*]", rail.name)
            aria-expanded=aria(!rail.folded)
            style:--rail=at.to_string()
            on:click=press(move || state.turn_rail(&array))
        >
            {brief(&rail.name)}
        </button>
    }
    .into_any()
}

/// The name of a barrier in a narrow column: its workgroup first, `wg1 b2` for `barrier 2 of workgroup 1`.
fn brief(name: &str) -> String {
    let (object, place) = name.split_once(" of ").unwrap_or((name, ""));
    let place = place.replace("workgroup ", "wg").replace("cluster ", "cl");
    [&*place, &object.replace("barrier ", "b")].join(" ").trim_start().to_owned()
}

/// A phase on a rail.
#[derive(Clone, Hash)]
struct Placed {
    at: usize,
    folded: bool,
    band: Band,
}

/// The visible phases.
#[component]
pub(super) fn Segments(rails: Memo<Rails>, time: Memo<Range<usize>>) -> impl IntoView {
    let state = State::expect();
    let segments = move || {
        let rails = rails.get();
        let bands = match rails.all.is_empty() {
            true => Vec::new(),
            false => state.execution.trace.with(|trace| trace.bands(&time.get())),
        };
        let placed = bands.into_iter().filter_map(|band| {
            let at = *rails.of.get(band.object)?;
            let folded = rails.all.get(at)?.folded;
            // A segment keeps its element while it grows and completes.
            Some(Placed { at, folded, band: Band { to: 0, complete: false, ..band } })
        });
        placed.collect::<Vec<_>>()
    };
    view! {
        <Each each=segments key=key_of let(placed)>
            <Segment placed/>
        </Each>
    }
}

#[component]
fn Segment(placed: Placed) -> impl IntoView {
    let state = State::expect();
    let Placed { at, folded, band } = placed;
    let (object, from) = (band.object, band.from);
    let now = move || {
        state.execution.trace.with(|trace| trace.reach(object, from)).unwrap_or((from, true))
    };
    let index = band.name.split_once('[').map(|(_, rest)| rest.trim_end_matches(']').to_owned());
    let says = match (folded, index) {
        (true, Some(index)) => index,
        _ => band.phase.to_string(),
    };
    view! {
        <i
            class="rail"
            class:rail--open=move || !now().1
            class:rail--shared=folded
            data-tone=(object % TONES).to_string()
            title=format!("{}, phase {}", band.name, band.phase)
            style:--rail=at.to_string()
            style:--from=from.to_string()
            style:--span=move || (now().0 + 1 - from).to_string()
        >
            <span class="rail__says">{says}</span>
        </i>
    }
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn the_workgroup_comes_first() {
        assert_eq!(brief("barrier 2 of workgroup 1"), "wg1 b2");
        assert_eq!((brief("full[*]"), brief("c of cluster 0")), ("full[*]".into(), "cl0 c".into()));
    }
}
