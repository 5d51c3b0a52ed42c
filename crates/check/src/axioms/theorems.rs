//! Conclusions in notes of the specification, as theorems over complete executions of small programs.

extern crate std;

use super::enumeration::{ONE, families};
use crate::axioms::*;
use alloc::rc::Rc;
use tidegate_model::axioms::event::Kind;
use tidegate_model::axioms::group::{Group, groups};
use tidegate_model::axioms::meter::Meter;
use tidegate_model::axioms::participates::Candidate;
use tidegate_model::axioms::path::{Stop, stops};
use tidegate_model::axioms::relation::each;
use tidegate_model::axioms::skeleton::{Ordered, Skeleton};
use tidegate_model::context::Context;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reading::Readings;
use tidegate_model::verdict::Verdict;

/// One program in this number of each family is tested.
const STRIDE: u64 = 997;

/// A complete execution with the possible participants of its waits and its interleavings.
struct Whole<'a> {
    text: &'a Text,
    ordered: &'a Ordered,
    candidate: &'a Candidate<'a>,
    groups: &'a [Group],
}

fn programs(visit: &mut dyn FnMut(&Rc<Context>)) {
    for family in families() {
        let _ = family.for_each(STRIDE, &mut |_, context| visit(context));
    }
}

/// Calls for the executions of a program in which every agent has ended or is at a wait.
fn executions(context: &Rc<Context>, visit: &mut dyn FnMut(&Whole<'_>)) {
    let text = &Text::new(Rc::clone(context), Readings::default());
    let mut go_on = |_| true;
    let mut meter = Meter::new(u64::MAX, u64::MAX, &mut go_on);
    let agents = 0..context.program.agents.len();
    let all: Vec<Vec<Stop>> =
        agents.map(|agent| stops(text, agent, &mut meter).unwrap_or_default()).collect();
    let finals = |stops: &'_ Vec<Stop>| -> Vec<Stop> {
        stops.iter().filter(|stop| stop.is_final()).cloned().collect()
    };
    let finals: Vec<Vec<Stop>> = all.iter().map(finals).collect();
    let combined = finals.iter().fold(alloc::vec![Vec::new()], |combined: Vec<Vec<&Stop>>, own| {
        let with = |stop| combined.iter().map(move |some| [&some[..], &[stop][..]].concat());
        own.iter().flat_map(with).collect()
    });
    for stops in combined {
        let Some(skeleton) = Skeleton::new(text, stops, None) else { continue };
        for ordered in skeleton.orders(text, false, &mut meter).unwrap_or_default() {
            let candidate = Candidate::new(&ordered.execution, text, false);
            let ends = skeleton.ends(text, &ordered.execution);
            let besides = skeleton.besides(text, &ordered.execution, &ends);
            let found = groups(&candidate, &ordered.assignments, &besides, &ends, &mut meter);
            let groups = &found.unwrap_or_default()[..];
            visit(&Whole { text, ordered: &ordered, candidate: &candidate, groups });
        }
    }
}

fn every_execution(visit: &mut dyn FnMut(&Whole<'_>)) {
    programs(&mut |context| executions(context, visit));
}

/// "Barriers do not complete out of thin air".
#[test]
fn no_wait_depends_on_what_it_executes_before() {
    let mut waits = 0;
    every_execution(&mut |whole| {
        for assignment in &whole.ordered.assignments {
            let before = whole.candidate.executes_before(assignment);
            for part in assignment {
                waits += 1;
                assert!(each(part.set).all(|event| !before.has(part.wait, event)));
            }
        }
    });
    assert!(waits > 500, "{waits}");
}

/// "If A executes before B, the execution of A must complete before that of B can".
#[test]
fn executes_before_is_the_order_of_every_interleaving() {
    let mut edges = 0;
    every_execution(&mut |whole| {
        for group in whole.groups {
            for &index in &group.of {
                let before = whole.candidate.executes_before(&whole.ordered.assignments[index]);
                for (from, to) in before.edges() {
                    edges += 1;
                    assert!(group.order.has(from, to));
                }
            }
        }
    });
    assert!(edges > 5_000, "{edges}");
}

/// "It is undefined to operate on an uninitialised barrier object": an execution that is defined begins each order with
/// an init.
#[test]
fn every_order_begins_with_an_init() {
    let mut orders = 0;
    every_execution(&mut |whole| {
        for (instance, order) in (0..).zip(&whole.ordered.execution.orders) {
            let Some(&first) = order.first() else { continue };
            if !whole.text.launched(instance).initialised {
                orders += 1;
                assert!(matches!(whole.ordered.execution.events[first].kind, Kind::Init(_)));
            }
        }
    });
    assert!(orders > 100, "{orders}");
}

/// "A thread may not arrive and then drop unless the barrier completes before the drop": without a drop race, each
/// arrive that participates in a wait is in a phase that completes before the later drop of its agent.
#[test]
fn without_a_drop_race_the_phase_completes_before_the_drop() {
    let mut pairs = 0;
    every_execution(&mut |whole| {
        let execution = &whole.ordered.execution;
        for assignment in &whole.ordered.assignments {
            if whole.candidate.broken(assignment, whole.text) & 1 << RuleId::AmdDropRace as u32 != 0
            {
                continue;
            }
            for drop in 0..execution.events.len() {
                let own = execution.events[drop];
                let earlier = (0..drop).filter(|&event| {
                    let other = &execution.events[event];
                    own.kind == Kind::Drop
                        && other.agent == own.agent
                        && other.shares_object(&own)
                        && matches!(other.kind, Kind::Arrive(_))
                        && assignment.iter().any(|part| each(part.set).any(|one| one == event))
                });
                for arrive in earlier {
                    pairs += 1;
                    let phase = whole
                        .candidate
                        .phases
                        .iter()
                        .find(|phase| each(phase.all()).any(|event| event == arrive));
                    let order = &execution.orders[usize::from(own.instance)];
                    let place = |event| order.iter().position(|&other| other == event);
                    let last = phase.map(|phase| place(phase.last));
                    assert!(last.is_some_and(|last| last < place(drop)));
                }
            }
        }
    });
    assert!(pairs > 100, "{pairs}");
}

/// Footnote 0 promises one way to build the relation. It does not hold: several are valid for the same orders.
#[test]
fn footnote_0_does_not_hold() {
    let (mut one, mut several) = (0, 0);
    every_execution(&mut |whole| {
        let mut go_on = |_| true;
        let mut meter = Meter::new(u64::MAX, u64::MAX, &mut go_on);
        let relations = Candidate::new(&whole.ordered.execution, whole.text, true)
            .assignments(100, &mut meter)
            .unwrap_or_default();
        assert!(!relations.is_empty());
        *(if relations.len() == 1 { &mut one } else { &mut several }) += 1;
    });
    assert!(one > 100 && several > 20, "{one} with one, {several} with several");
}

/// "It is not mandatory to drop a barrier after joining it": programs that join and never drop are judged ok.
#[test]
fn a_join_owes_no_drop() {
    let mut ok = 0;
    programs(&mut |context| {
        let has = |test: &dyn Fn(Action) -> bool| {
            context.operations().any(|(_, _, operation)| test(operation.action))
        };
        let joins = has(&|action| action == Action::Join { object: ONE });
        let drops = has(&|action| matches!(action, Action::Leave | Action::Drop { .. }));
        let text = Text::new(Rc::clone(context), Readings::default());
        if joins && !drops {
            let found = engine::judge(&text, Plan::default(), &mut |_| true);
            ok += u32::from(judgement(&found).verdict == Verdict::Ok);
        }
        let nodes = context.program.bodies.iter().all(|body| body.nodes.ends_with(&[Node::End]));
        assert!(nodes, "every body ends");
    });
    assert!(ok > 10, "{ok}");
}
