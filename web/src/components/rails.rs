//! The phases of many barriers, as segments of narrow rails in the gutter.

use super::objects::TONES;
use crate::dom::*;
use crate::rails::{Rail, Rails};
use crate::state::State;
use leptos::prelude::*;
use protocol::Band;
use std::ops::Range;

/// The heads of the rails: each names its barriers, and folds or unfolds their array.
pub(super) fn heads(state: State, rails: Memo<Rails>) -> El {
    let heads = keyed(move || {
        let rails = rails.get();
        let heads = rails.all.into_iter().enumerate();
        heads.map(|it| Entry::new(&it.clone(), move || head(state, it))).collect()
    });
    div("rails__heads")
        .attr("role", "group")
        .attr("aria-label", "Barriers as rails")
        .bind("hidden", move || rails.with(|rails| rails.all.is_empty()))
        .with(heads)
}

fn head(state: State, (at, rail): (usize, Rail)) -> El {
    let Some(array) = rail.array else {
        return span("rail-head").attr("title", &rail.name).style("--rail", at).with(rail.name);
    };
    let does = if rail.folded { "Unfold" } else { "Fold" };
    button("rail-head")
        .attr("title", format!("{}: {does} {array}[*]", rail.name))
        .attr("aria-expanded", if rail.folded { "false" } else { "true" })
        .style("--rail", at)
        .press(move || state.turn_rail(&array))
        .with(rail.name)
}

/// The visible phases.
pub(super) fn segments(state: State, rails: Memo<Rails>, time: Memo<Range<usize>>) -> Keyed {
    keyed(move || {
        let rails = rails.get();
        if rails.all.is_empty() {
            return Vec::new();
        }
        let bands = state.trace.with(|trace| trace.bands(&time.get()));
        let placed = bands.into_iter().filter_map(|band| {
            let at = *rails.of.get(band.object)?;
            let folded = rails.all.get(at)?.folded;
            // A segment keeps its element while it grows and completes.
            let same = Band { to: 0, complete: false, ..band };
            Some(Entry::new(&(at, folded, same.clone()), move || segment(state, at, folded, same)))
        });
        placed.collect()
    })
}

fn segment(state: State, at: usize, folded: bool, band: Band) -> El {
    let (object, from) = (band.object, band.from);
    let now = move || state.trace.with(|trace| trace.reach(object, from)).unwrap_or((from, true));
    let index = band.name.split_once('[').map(|(_, rest)| rest.trim_end_matches(']').to_owned());
    let says = match (folded, index) {
        (true, Some(index)) => index,
        _ => band.phase.to_string(),
    };
    i("rail")
        .toggle("rail--open", move || !now().1)
        .class("rail--shared", folded)
        .attr("data-tone", object % TONES)
        .attr("title", format!("{}, phase {}", band.name, band.phase))
        .style("--rail", at)
        .style("--from", from)
        .restyle("--span", move || now().0 + 1 - from)
        .with(span("rail__says").with(says))
}
