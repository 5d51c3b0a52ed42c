//! Every barrier object as it stands.

use crate::dom::*;
use crate::engine::ObjectView;
use crate::state::State;
use crate::verdict::count;
use leptos::prelude::*;

/// How many objects are shown.
const SHOWN: usize = 48;
/// Up to how many arrivals are drawn one by one.
const PIPS: i64 = 32;
/// How many colours there are for objects.
const TONES: usize = 6;

/// The objects.
pub(super) fn objects() -> El {
    let state = State::expect();
    let objects = Memo::new(move |_| {
        state
            .track
            .with(|track| track.view.as_ref().map(|view| view.objects.clone()).unwrap_or_default())
    });
    let rest = move || objects.with(|objects| objects.len().saturating_sub(SHOWN));
    let none = move || objects.with(Vec::is_empty);
    section("panel objects").attr("aria-labelledby", "objects-name").with((
        h2("panel__name").attr("id", "objects-name").with("Barriers"),
        div("panel__body")
            .attr("tabindex", "0")
            .attr("role", "group")
            .attr("aria-labelledby", "objects-name")
            .with((
                move || {
                    objects.with(|objects| all(objects.iter().take(SHOWN).enumerate().map(card)))
                },
                move || (rest() > 0).then(|| p("quiet").with(format!("and {} more", rest()))),
                move || none().then(|| p("calm").with("This scenario uses no barrier.")),
            )),
    ))
}

fn card((index, object): (usize, &ObjectView)) -> El {
    // A machine that counts no phases has a word instead.
    let word = object.detail.split(' ').nth(1).filter(|part| part.starts_with("0x"));
    let word = word.map(|part| part.trim_end_matches([',', ';']));
    let phase = match object.initialised {
        // PTX counts the phases of these from 0, and waits see their parity.
        true if object.kind == "mbarrier" => {
            format!("phase {}, parity {}", object.completed, object.completed & 1)
        }
        true => word.map_or_else(|| format!("phase {}", object.completed + 1), ToOwned::to_owned),
        false => "not initialised".to_owned(),
    };
    let done = (object.completed > 0).then(|| format!("{} completed", object.completed));
    let card = article("object").class("object--changed", object.changed);
    card.attr("data-tone", index % TONES).attr("data-object", &object.name).with((
        header("object__head").with((
            h3("object__name").with(&*object.name),
            span("quiet").with(&*object.kind),
            span("object__changed").attr("hidden", !object.changed).with("changed"),
            span("object__phase").with(phase),
        )),
        (object.initialised && object.expected.max(object.arrived) > 0)
            .then(|| arrivals(object.arrived, object.expected)),
        done.map(|done| p("quiet").with(done)),
        names("joined", &object.joined),
        names("waiting", &object.waiting),
    ))
}

/// Arrivals as pips, and in numbers.
fn arrivals(arrived: i64, expected: i64) -> El {
    let pip = |at: i64| i("pip").class("pip--full", at < arrived);
    let shown = if expected <= PIPS { expected.max(arrived).clamp(0, PIPS) } else { 0 };
    let all_of = count(expected.max(0).unsigned_abs(), "arrival", "arrivals");
    p("count").with((
        span("pips").attr("aria-hidden", "true").with(all((0..shown).map(pip))),
        span("").with((b("").with(arrived), " of ", all_of)),
    ))
}

fn names(word: &'static str, names: &[String]) -> Option<El> {
    let text = names.join(", ");
    (!names.is_empty()).then(|| p("object__names").with((span("quiet").with(word), " ", text)))
}
