//! Every barrier object as it stands.

use crate::engine::ObjectView;
use crate::state::State;
use crate::verdict::count;
use leptos::prelude::*;

/// How many objects are shown.
const SHOWN: usize = 48;
/// Up to how many arrivals are drawn one by one.
const PIPS: i64 = 32;

/// The objects.
#[component]
pub(crate) fn Objects() -> impl IntoView {
    let state = State::expect();
    let objects = Memo::new(move |_| {
        state
            .track
            .with(|track| track.view.as_ref().map(|view| view.objects.clone()).unwrap_or_default())
    });
    let cards = move || objects.get().into_iter().take(SHOWN).enumerate().map(card).collect_view();
    let rest = move || objects.with(|objects| objects.len().saturating_sub(SHOWN));
    any! {
        <section class="panel objects" aria-labelledby="objects-name">
            <h2 class="panel__name" id="objects-name">"Barriers"</h2>
            <div class="panel__body">
                {cards}
                {move || (rest() > 0).then(|| any! { <p class="quiet">{format!("and {} more", rest())}</p> })}
                {move || objects.with(Vec::is_empty).then(|| any! { <p class="calm">"This scenario uses no barrier."</p> })}
            </div>
        </section>
    }
}

fn card((index, object): (usize, ObjectView)) -> impl IntoView {
    let phase = match object.initialised {
        true => format!("phase {}", object.completed + 1),
        false => "not initialised".to_owned(),
    };
    let done = (object.completed > 0).then(|| format!("{} completed", object.completed));
    any! {
        <article class="object" data-tone=index % 6 class:object--changed=object.changed data-object=object.name.clone()>
            <header class="object__head">
                <h3 class="object__name">{object.name.clone()}</h3>
                <span class="quiet">{object.kind.clone()}</span>
                <span class="object__changed" hidden=!object.changed>"changed"</span>
                <span class="object__phase">{phase}</span>
            </header>
            {object.initialised.then(|| any! { <Count arrived=object.arrived expected=object.expected /> })}
            {done.map(|done| any! { <p class="quiet">{done}</p> })}
            {names("joined", &object.joined)}
            {names("waiting", &object.waiting)}
        </article>
    }
}

/// Arrivals as pips, and in numbers.
#[component]
fn Count(arrived: i64, expected: i64) -> impl IntoView {
    let pips = (expected <= PIPS).then(|| {
        let pip = |at: i64| any! { <i class="pip" class:pip--full=at < arrived></i> };
        (0..expected.max(arrived).clamp(0, PIPS)).map(pip).collect_view()
    });
    any! {
        <p class="count">
            <span class="pips" aria-hidden="true">{pips}</span>
            <span><b>{arrived}</b>" of "{count(expected.max(0).unsigned_abs(), "arrival", "arrivals")}</span>
        </p>
    }
}

fn names(word: &'static str, names: &[String]) -> Option<impl IntoView + use<>> {
    let text = names.join(", ");
    (!names.is_empty())
        .then(|| any! { <p class="object__names"><span class="quiet">{word}</span>" "{text}</p> })
}
