//! The state of every barrier object.

use super::keyed::{Each, key_of};
use super::memory::{Flights, Pairs};
use super::tabs::TabPanel;
use crate::engine::ObjectView;
use crate::state::State;
use crate::verdict::count;
use leptos::prelude::*;

/// The panel.
pub(crate) const PANEL: TabPanel = TabPanel {
    word: "objects",
    name: "Barriers",
    view: || view! { <Objects/> }.into_any(),
};

/// Largest number of visible objects.
const SHOWN: usize = 48;
/// Largest number of arrivals that are drawn one by one.
const PIPS: i64 = 32;
/// Number of object colours.
pub(super) const TONES: usize = 6;

/// The barrier objects, and the memory operations in flight.
#[component]
fn Objects() -> impl IntoView {
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
    let rest = move || objects.with(|objects| objects.len().saturating_sub(SHOWN));
    view! {
        <div class="objects">
            <Each each=move || names.get() key=key_of let((index, name))>
                <Object objects index name/>
            </Each>
            {move || (rest() > 0).then(|| view! { <p class="quiet">{format!("and {} more", rest())}</p> }.into_any())}
            {move || objects.with(Vec::is_empty).then(|| view! { <p class="calm">"No barriers"</p> }.into_any())}
            <Flights/>
            <Pairs/>
        </div>
    }
}

#[component]
fn Object(objects: Memo<Vec<ObjectView>>, index: usize, name: String) -> impl IntoView {
    let object =
        Memo::new(move |_| objects.with(|all| all.get(index).cloned().unwrap_or_default()));
    let is_changed = move || object.with(|it| it.changed);
    let completed = Memo::new(move |_| object.with(|it| it.completed));
    let arrivals = Memo::new(move |_| {
        object.with(|it| {
            let is_drawn = it.initialised && it.expected.max(it.arrived) > 0;
            is_drawn.then_some((it.arrived, it.expected))
        })
    });
    view! {
        <article
            class="object"
            class:object--changed=is_changed
            data-tone=(index % TONES).to_string()
            data-object=name
        >
            <header class="object__head">
                <h3 class="object__name">{name.clone()}</h3>
                <span class="quiet">{move || object.with(|it| it.kind.clone())}</span>
                <span class="object__changed" hidden=move || !is_changed()>"changed"</span>
                <span class="object__phase">{move || object.with(phase)}</span>
            </header>
            <Counted arrivals/>
            <p class="quiet" hidden=move || completed.get() == 0>
                {move || format!("{} completed", completed.get())}
            </p>
            <Names word="tx-count" names=Memo::new(move |_| object.with(tx))/>
            <Names word="joined" names=Memo::new(move |_| object.with(|it| it.joined.join(", ")))/>
            <Names word="waiting" names=Memo::new(move |_| object.with(|it| it.waiting.join(", ")))/>
        </article>
    }
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
#[component]
fn Counted(arrivals: Memo<Option<(i64, i64)>>) -> impl IntoView {
    let pips = move || {
        let (arrived, expected) = arrivals.get().unwrap_or_default();
        let shown = if expected <= PIPS { expected.max(arrived).clamp(0, PIPS) } else { 0 };
        let pip = |at| view! { <i class="pip" class:pip--full=at < arrived></i> }.into_any();
        (0..shown).map(pip).collect_view()
    };
    let expected = move || {
        let expected = arrivals.get().unwrap_or_default().1.max(0);
        count(expected.unsigned_abs(), "arrival", "arrivals")
    };
    view! {
        <p class="count" hidden=move || arrivals.get().is_none()>
            <span class="pips" aria-hidden="true">{move || pips()}</span>
            <span>
                <b>{move || arrivals.get().unwrap_or_default().0.to_string()}</b>
                " of "
                {move || expected()}
            </span>
        </p>
    }
}

/// A list of names after its word; hidden while it is empty.
#[component]
fn Names(word: &'static str, names: Memo<String>) -> impl IntoView {
    view! {
        <p class="object__names" hidden=move || names.with(String::is_empty)>
            <span class="quiet">{word}</span>
            " "
            {move || names.get()}
        </p>
    }
}
