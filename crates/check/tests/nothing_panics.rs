//! No text causes a panic in any function that a command calls.
//!
//! `TIDEGATE_TEXTS` is the number of texts, and `TIDEGATE_FROM` the number of the first.

use crate::common::texts::{Dice, none_panics};
use tidegate_check::difference::difference;
use tidegate_check::expect::expectations;
use tidegate_check::find::{Limits, alphabets, find};
use tidegate_check::graph::{self, Pick, draw};
use tidegate_check::inline::inline;
use tidegate_check::lang::{assist, format, tokens};
use tidegate_check::ledger::ledger;
use tidegate_check::link::{self, Shared};
use tidegate_check::model::axioms::relations::RelationId;
use tidegate_check::model::reading::READINGS;
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::target::TargetId;
use tidegate_check::report::Report;
use tidegate_check::shrink::{Keep, shrink};
use tidegate_check::side::{Side, verdicts};
use tidegate_check::step::Stepper;
use tidegate_check::{Engine, Options, Progress, Scene, apply, check, lower, matrix};

/// Options with small search budgets.
fn bounded() -> Options {
    Options { max_states: Some(400), max_work: 2_000_000, ..Options::default() }
}

/// Options of an engine, a target, readings and relaxed rules.
fn options(dice: &mut Dice) -> Options {
    let targets: Vec<TargetId> = TargetId::all().collect();
    let reading = &READINGS[dice.below(READINGS.len())];
    Options {
        target: dice.chance(30).then(|| targets[dice.below(targets.len())]),
        readings: if dice.chance(60) {
            vec![(reading.id, dice.below(2) as u8)]
        } else {
            Vec::new()
        },
        engine: [Engine::Auto, Engine::Explore, Engine::Axioms][dice.below(3)],
        participates_in: dice.chance(30),
        without: if dice.chance(10) { vec![RuleId::AmdJoinBeforeWait] } else { Vec::new() },
        ..bounded()
    }
}

fn judge(scene: &Scene, options: &Options) -> Report {
    check(scene, options, &mut |_| true)
}

/// The functions of the editor.
fn writes(dice: &mut Dice, text: &str) {
    let _ = (format(text).ok(), tokens(text));
    for _ in 0..4 {
        let place = dice.below(text.len() + 2);
        let _ = (assist::hover(text, place), assist::complete(text, place));
    }
}

fn draws(scene: &Scene, options: &Options) {
    let all: Vec<RelationId> = RelationId::ALL.into_iter().chain(RelationId::MEMORY).collect();
    let picks = [(None, false), (None, true), (Some(0), true), (Some(1), false)];
    let graphs = picks.map(|(finding, memory)| {
        tidegate_check::graph(scene, options, Pick { finding, memory }, &mut |_| true).ok()
    });
    let outside = tidegate_check::outside(scene, options, &mut |_| true).ok().flatten();
    for graph in graphs.iter().flatten().chain(&outside) {
        for draw in [draw::dot, draw::mermaid, draw::svg] {
            let _ = draw(graph, "title", &all);
        }
        let _ =
            (graph::report::report(graph, "file", "title", "target", &all), draw::phases(graph));
    }
}

/// Random steps forwards and backwards, with everything that the page shows of them.
fn walks(dice: &mut Dice, stepper: Option<Stepper>) {
    let Some(mut stepper) = stepper else { return };
    for _ in 0..20 {
        let moves = stepper.moves();
        match dice.below(8) {
            0 => drop(stepper.back()),
            1 => drop(stepper.forward()),
            2 => stepper.go_to(dice.below(12)),
            _ if moves.is_empty() => {}
            // A step that is not possible now must be rejected.
            _ => drop(stepper.perform(&moves[dice.below(moves.len())].key)),
        }
        let _ = (stepper.view(), stepper.ledger(), stepper.memory(), stepper.counters());
    }
    let _ = (stepper.graph(), stepper.undone(), stepper.view_since(2));
    let keys = stepper.keys();
    assert_eq!(stepper.load(&keys), keys.len());
    let _ = stepper.load(&["copy.3".into(), "0.9:1/7".into(), "x".into()]);
}

fn everything(dice: &mut Dice, text: &str) {
    writes(dice, text);
    let scene = Scene::new("text.tide", text);
    let _ = (scene.diagnostics(), scene.notes().len(), scene.expectations().len());
    let mut keep_going = |_: Progress| true;
    let base = bounded();
    let report = judge(&scene, &base);
    if dice.chance(20) {
        let shared = Shared::of(text, scene.target(), base.target, &report);
        let _ = (link::decode(&link::encode(&shared)), link::decode(&link::encode_plain(&shared)));
    }
    let other = options(dice);
    let second = judge(&scene, &other);
    for fix in report.findings.iter().chain(&second.findings).filter_map(|it| it.fix.as_ref()) {
        let _ = apply(text, fix);
    }
    for options in [&base, &other] {
        let _ = (ledger(&scene, options, &mut keep_going), lower(&scene, options));
        walks(dice, Stepper::new(&scene, options));
        walks(dice, Stepper::of_machine(&scene, options));
        draws(&scene, options);
    }
    for target in ["gfx600", "gfx942", "gfx1100", "gfx1250", "sm_90", "opencl"] {
        let _ = lower(&scene, &Options { target: TargetId::from_name(target), ..bounded() });
    }
    let _ = expectations(&scene, &base, &mut keep_going);
    let sides = [Side::Spec, Side::Machine, Side::Explore, Side::Axioms];
    let pair = [sides[dice.below(4)], sides[dice.below(4)]];
    let _ = verdicts(pair, &scene, &base, &mut keep_going);
    if dice.chance(10) {
        let limits = Limits { statements: 3, agents: 2, scenarios: 20 };
        drop(find(pair, &other, &alphabets(pair, &other), limits, &mut keep_going));
    }
    let calls = (1..).zip(text.lines()).filter(|(_, line)| line.contains("call "));
    calls.take(3).for_each(|(line, _)| drop(inline(&scene, line)));
    // Functions that judge many texts or targets run only for some texts.
    match dice.below(6) {
        0 => drop(matrix(&scene, &Options { max_states: Some(60), ..bounded() }, &mut keep_going)),
        1 => {
            let asked = (0..40).map(|_| true).chain(core::iter::repeat(false));
            let mut asked = asked;
            let keep = Keep::Finding(dice.below(2));
            drop(shrink(&scene, &base, &keep, &mut |_| asked.next().unwrap_or(false)));
        }
        2 => {
            let half: String =
                text.lines().take(text.lines().count() * 2 / 3).collect::<Vec<_>>().join("\n");
            let smaller = Scene::new("half.tide", &half);
            drop(difference(&scene, &smaller, &base, &[], &mut keep_going));
        }
        _ => {}
    }
}

#[test]
fn no_text_makes_anything_panic() {
    none_panics(150, everything);
}
