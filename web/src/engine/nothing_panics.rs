//! No text makes the engine of the page panic: each is opened, stepped and inspected as a reader can.

#[path = "../../../crates/check/tests/common/texts.rs"]
mod texts;

use crate::judge;
use crate::pages::{targets, work};
use crate::session::Session;
use crate::writing::laid_out;
use protocol::{Ask, Form, Job, Look, Panel, Reply, Terms, choice, pack, tints, unpack};
use texts::{Dice, none_panics};
use tidegate_check::model::reading::READINGS;

const FORMS: [Form; 8] = [
    Form::Markdown,
    Form::Embed,
    Form::Tide,
    Form::Svg,
    Form::Png,
    Form::Dot,
    Form::Mermaid,
    Form::Report,
];

const WORDS: [&str; 12] = [
    "run",
    "block",
    "next",
    "random 3",
    "random",
    "count",
    "stop 4",
    "stop 99999",
    "other",
    "back 2",
    "load 0.0:0",
    "",
];

/// Returns a target and a reading that a reader could choose.
fn terms(dice: &mut Dice) -> Terms {
    let reading = &READINGS[dice.below(READINGS.len())];
    let chosen = format!("{}={}", reading.name, reading.choices[dice.below(2)].name);
    assert!(choice(&chosen).is_some());
    let target = dice.of(&["gfx1250", "gfx942", "gfx600", "sm_90", "sm_100", "opencl", "model"]);
    Terms {
        target: dice.chance(40).then(|| target.to_owned()),
        readings: if dice.chance(50) { vec![chosen] } else { Vec::new() },
        max_states: dice.chance(20).then_some(300),
    }
}

/// Sends a request, packed and unpacked as between the modules.
fn ask(session: &mut Session, ask: Ask) -> Reply {
    let ask = unpack(&pack(&ask)).expect("what was packed");
    unpack(&pack(&session.answer(ask))).expect("what was packed")
}

/// Performs one action of a reader on an execution.
fn action(dice: &mut Dice, keys: &[String]) -> Ask {
    match dice.below(14) {
        0 => Ask::Back,
        1 => Ask::Forward,
        2 => Ask::GoTo(dice.below(9)),
        3 => Ask::Load(keys.iter().take(dice.below(9)).cloned().collect()),
        4 => Ask::Machine(keys.iter().take(dice.below(9)).cloned().collect()),
        5 => Ask::Text,
        6 | 7 => Ask::Plan(dice.of(&WORDS).into()),
        8 => Ask::Panel(Panel::Ledger),
        9 => Ask::Panel(Panel::Schedules),
        10 => Ask::Relations(Look {
            chosen: ["po", "bmo", "pi", "beb", "hb", "sw", "tbo", "jb", "bpw"]
                .map(str::to_owned)
                .into(),
            asked: String::new(),
            pair: [keys.first().cloned(), keys.last().cloned()],
            table: dice.chance(50),
            lanes: vec![10, 20],
        }),
        _ => Ask::Perform(keys.get(dice.below(keys.len())).cloned().unwrap_or_default()),
    }
}

/// Returns the keys of the steps that can come next, as shown to the page.
fn moves(reply: &Reply) -> Vec<String> {
    let shown = match reply {
        Reply::Stepped(Some(shown)) => shown,
        Reply::Opened(opened) => match &opened.execution {
            Some(execution) => return keys_of(&format!("{:?}", execution.whole)),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    keys_of(&format!("{shown:?}"))
}

/// Returns every key in the output.
fn keys_of(shown: &str) -> Vec<String> {
    let parts = shown.split("key: \"").skip(1);
    parts.filter_map(|part| part.split('"').next().map(str::to_owned)).collect()
}

fn everything(dice: &mut Dice, text: &str) {
    let terms = terms(dice);
    let _ = (tints(text), laid_out(text));
    let mut session = Session::default();
    let mut keys = Vec::new();
    for machine in [false, true] {
        let edited = dice.chance(30);
        let cursor = dice.below(4);
        let open = Ask::Open {
            text: text.into(),
            terms: terms.clone(),
            keys: keys.clone(),
            cursor,
            edited,
            machine,
        };
        let reply = ask(&mut session, open);
        keys = moves(&reply);
        for _ in 0..12 {
            let found = moves(&ask(&mut session, action(dice, &keys)));
            if !found.is_empty() {
                keys = found;
            }
        }
    }
    let (text, form) = (text.to_owned(), FORMS[dice.below(FORMS.len())]);
    let address = "https://example.org/".to_owned();
    let (keys, terms) = (keys, terms);
    let export =
        Ask::Export { form, text: text.clone(), terms: terms.clone(), keys: keys.clone(), address };
    let code = Ask::Code { text: text.clone(), terms: terms.clone() };
    let link = Ask::Link {
        text: text.clone(),
        terms: terms.clone(),
        keys,
        verdict: Some("ok".into()),
        panels: "ledger".into(),
    };
    for asked in [export, code, link] {
        let _ = ask(&mut session, asked);
    }
    // A reader cancels a long job.
    let mut left = 30_u32;
    let mut keep_going = |_: judge::Progress| {
        left = left.saturating_sub(1);
        left > 0
    };
    let _ = judge::glimpse(&text, &terms);
    match dice.below(6) {
        0 => drop(judge::expectations(&text, &terms, &mut keep_going)),
        1 => {
            let matrix = judge::matrix(&text, &terms, &mut keep_going);
            let here = judge::target(&text, &terms);
            drop(matrix.map(|it| targets::cells(&it, here, judge::is_alone(&text))));
        }
        2 => drop(work(&Job::Shrink, &text, &terms, &mut keep_going)),
        3 => {
            let other = text.replacen("wait", "arrive", 1);
            drop(work(&Job::Compare(other), &text, &terms, &mut keep_going));
        }
        4 => drop(work(&Job::Needs, &text, &terms, &mut keep_going)),
        _ => drop(work(&Job::Without, &text, &terms, &mut keep_going)),
    }
}

#[test]
fn no_text_makes_the_engine_panic() {
    none_panics(60, everything);
}
