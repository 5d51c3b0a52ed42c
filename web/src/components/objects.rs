//! The state of every barrier object.

use super::memory::{flights, pairs};
use crate::dom::*;
use crate::engine::ObjectView;
use crate::state::State;
use crate::verdict::count;
use leptos::prelude::*;

/// Largest number of visible objects.
const SHOWN: usize = 48;
/// Largest number of arrivals that are drawn one by one.
const PIPS: i64 = 32;
/// Number of object colours.
pub(super) const TONES: usize = 6;

/// The barrier objects, and the memory operations in flight.
pub(super) fn objects() -> El {
    let state = State::expect();
    let objects = Memo::new(move |_| {
        state.beside(|trace| {
            trace.view.as_ref().map(|view| view.objects.clone()).unwrap_or_default()
        })
    });
    // An object keeps its card when its content changes.
    let names = Memo::new(move |_| {
        objects.with(|objects| {
            let shown = objects.iter().take(SHOWN).enumerate();
            shown.map(|(at, it)| (at, it.name.clone())).collect::<Vec<_>>()
        })
    });
    let cards = keyed(move || {
        let cards = names.get().into_iter();
        cards.map(|it| Entry::new(&it.clone(), move || card(objects, it))).collect()
    });
    let rest = move || objects.with(|objects| objects.len().saturating_sub(SHOWN));
    let none = move || objects.with(Vec::is_empty);
    div("objects").with((
        cards,
        move || (rest() > 0).then(|| p("quiet").with(format!("and {} more", rest()))),
        move || none().then(|| p("calm").with("No barriers")),
        move || flights(state),
        move || pairs(state),
    ))
}

fn card(objects: Memo<Vec<ObjectView>>, (index, name): (usize, String)) -> El {
    let object =
        Memo::new(move |_| objects.with(|all| all.get(index).cloned().unwrap_or_default()));
    let changed = move || object.with(|it| it.changed);
    let completed = Memo::new(move |_| object.with(|it| it.completed));
    let arrivals = Memo::new(move |_| {
        object.with(|it| {
            let drawn = it.initialised && it.expected.max(it.arrived) > 0;
            drawn.then_some((it.arrived, it.expected))
        })
    });
    article("object")
        .toggle("object--changed", changed)
        .attr("data-tone", index % TONES)
        .attr("data-object", &name)
        .with((
            header("object__head").with((
                h3("object__name").with(name),
                span("quiet").with(move || object.with(|it| it.kind.clone())),
                span("object__changed").bind("hidden", move || !changed()).with("changed"),
                span("object__phase").with(move || object.with(phase)),
            )),
            counted(arrivals),
            p("quiet")
                .bind("hidden", move || completed.get() == 0)
                .with(move || format!("{} completed", completed.get())),
            names("tx-count", Memo::new(move |_| object.with(tx))),
            names("joined", Memo::new(move |_| object.with(|it| it.joined.join(", ")))),
            names("waiting", Memo::new(move |_| object.with(|it| it.waiting.join(", ")))),
        ))
}

/// The bytes that an mbarrier object still expects; negative if more arrived than expected; empty if there are none.
fn tx(object: &ObjectView) -> String {
    let count = object.detail.split(", tx ").nth(1).and_then(|rest| rest.split(';').next());
    count.filter(|&count| count != "0").map_or_else(String::new, |count| format!("{count} bytes"))
}

/// The current phase of an object.
fn phase(object: &ObjectView) -> String {
    // A machine without phase numbers shows its word instead.
    let word = object.detail.split(' ').nth(1).filter(|part| part.starts_with("0x"));
    let word = word.map(|part| part.trim_end_matches([',', ';']));
    match object.initialised {
        // PTX counts these phases from 0, and waits test their parity.
        true if object.kind == "mbarrier" => {
            format!("phase {}, parity {}", object.completed, object.completed & 1)
        }
        true => word.map_or_else(|| format!("phase {}", object.completed + 1), ToOwned::to_owned),
        false => "not initialised".to_owned(),
    }
}

/// Arrivals and the expected count, as pips and in numbers.
fn counted(arrivals: Memo<Option<(i64, i64)>>) -> El {
    let pip = |(_, full): (i64, bool)| i("pip").class("pip--full", full);
    let pips = keyed(move || {
        let (arrived, expected) = arrivals.get().unwrap_or_default();
        let shown = if expected <= PIPS { expected.max(arrived).clamp(0, PIPS) } else { 0 };
        (0..shown).map(|at| Entry::of((at, at < arrived), pip)).collect()
    });
    let arrived = move || arrivals.get().unwrap_or_default().0;
    let all_of = move || {
        let expected = arrivals.get().unwrap_or_default().1.max(0);
        count(expected.unsigned_abs(), "arrival", "arrivals")
    };
    p("count").bind("hidden", move || arrivals.get().is_none()).with((
        span("pips").attr("aria-hidden", "true").with(pips),
        span("").with((b("").with(arrived), " of ", all_of)),
    ))
}

fn names(word: &'static str, names: Memo<String>) -> El {
    let none = move || names.with(String::is_empty);
    let parts = (span("quiet").with(word), " ", move || names.get());
    p("object__names").bind("hidden", none).with(parts)
}
