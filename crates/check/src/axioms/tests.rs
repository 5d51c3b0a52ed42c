//! Exploration and axioms agree on all small programs of some families, and on larger random ones.
//!
//! `TIDEGATE_ENUMERATION=full` enumerates every program of the families; a number N selects every N-th of each; the
//! default takes some seconds. `TIDEGATE_FAMILY` selects the families whose names contain it. `TIDEGATE_RANDOM` is the
//! number of random programs.

extern crate std;

#[path = "bounds.rs"]
mod bounds;
#[path = "enumeration.rs"]
mod enumeration;
#[path = "theorems.rs"]
mod theorems;

use super::*;
use crate::judge::tests::support::{Random, random_program, show};
use alloc::rc::Rc;
use enumeration::families;
use std::format;
use std::string::String;
use tidegate_model::axioms::engine::Counted;
use tidegate_model::context::Context;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::reading::{READINGS, Readings};
use tidegate_model::spec::state::Stop;
use tidegate_model::symmetry;

fn names(judgement: &Judgement) -> Vec<String> {
    let name = |broken: &Broken| format!("{} {}", broken.rule.get().id, broken.schedules.word());
    let mut names: Vec<String> = judgement.broken.iter().map(name).collect();
    names.sort();
    names
}

/// How executions end: the node of each agent and whether it has ended, with identical agents in ascending order.
type Outcomes = OrderedSet<Vec<(u32, bool)>>;

/// The outcomes of all interleavings, without reductions; `None` if there are too many.
fn outcomes(spec: &Spec) -> Option<Outcomes> {
    let (mut open, mut seen) = (alloc::vec![spec.initial()], alloc::collections::BTreeSet::new());
    let mut outcomes = Outcomes::new();
    while let Some(state) = open.pop() {
        let ways = (0..state.agents.len())
            .flat_map(|agent| (0..spec.ways(&state, agent)).map(move |way| (agent, way)));
        let ways: Vec<(usize, usize)> = ways.collect();
        if ways.is_empty() && state.stop != Some(Stop::Undefined) {
            let ends = state.agents.iter().map(|agent| (agent.node, agent.ended));
            let ends: Vec<(u32, bool)> = ends.collect();
            let sorted = symmetry::order(&spec.context.classes, &ends);
            let _ = outcomes.insert(sorted.into_iter().map(|agent| ends[agent]).collect());
        }
        for (agent, way) in ways {
            let next = spec.perform(&state, agent, way);
            let mut key = Vec::new();
            spec.pack(&next, &mut key);
            if seen.insert(key) {
                open.push(next);
            }
        }
        if seen.len() > 50_000 {
            return None;
        }
    }
    Some(outcomes)
}

#[derive(Default)]
struct Sums {
    programs: u64,
    compared: u64,
    ok: u64,
    executions: u64,
    unique: u64,
    most: u64,
    outside: u64,
    outside_alone: u64,
}

impl Sums {
    fn add(&mut self, verdict: tidegate_model::verdict::Verdict, found: &engine::Judgement) {
        let Counted { executions, unique, most } = found.counted;
        self.compared += 1;
        self.ok += u64::from(verdict == tidegate_model::verdict::Verdict::Ok);
        self.executions += executions;
        self.unique += unique;
        self.most = self.most.max(most);
        self.outside += found.outside;
        let alone =
            |rule: &Option<RuleId>| rule.is_some_and(|rule| !found.broken.contains_key(&rule));
        self.outside_alone += u64::from(found.broken_outside.keys().any(alone));
    }
}

/// Compares the two on one program; `Err` describes the difference. `None` if a limit was reached.
fn compare(
    context: &Rc<Context>,
    readings: Readings,
    sums: &mut Sums,
) -> Option<Result<(), String>> {
    sums.programs += 1;
    let spec = Spec::new(Rc::clone(context), readings).ok()?;
    let options = Options { max_states: Some(300_000), ..Options::default() };
    let explored = judge::by_text(&spec, &options, true, &mut |_| true);
    let found = enumerate(&spec, plan(&options, true), &mut |_| true);
    let collapsed = enumerate(&spec, plan(&options, false), &mut |_| true);
    let ends = outcomes(&spec)?;
    if !explored.exhaustive || !found.is_complete() || !collapsed.is_complete() {
        return None;
    }
    sums.add(explored.verdict, &found);
    for (which, found) in [("every order", &found), ("orders that counts tell apart", &collapsed)] {
        let axioms = judgement(found);
        let differ = names(&explored) != names(&axioms)
            || explored.verdict_somewhere != axioms.verdict_somewhere
            || ends != found.outcomes;
        if differ {
            return Some(Err(format!(
                "{which}, {readings:?}\nexplored {:?} {:?} {ends:?}\naxioms {:?} {:?} {:?}\n{}",
                names(&explored),
                explored.verdict_somewhere,
                names(&axioms),
                axioms.verdict_somewhere,
                found.outcomes,
                show(context)
            )));
        }
    }
    Some(Ok(()))
}

fn number(variable: &str, usual: u64, full: u64) -> u64 {
    match std::env::var(variable) {
        Ok(words) if words == "full" => full,
        Ok(words) => words.parse().unwrap_or(usual),
        Err(_) => usual,
    }
}

/// Every N-th program of each family is tested, unless `TIDEGATE_ENUMERATION` sets another number.
const STRIDE: u64 = 251;

#[test]
fn small_programs_by_exploration_and_by_axioms() {
    let stride = number("TIDEGATE_ENUMERATION", STRIDE, 1).max(1);
    let (mut all, mut wrong) = (0, Vec::new());
    let mut sums = Sums::default();
    let named = std::env::var("TIDEGATE_FAMILY").unwrap_or_default();
    for family in families().into_iter().filter(|family| family.name.contains(&*named)) {
        let before = sums.programs;
        let index = family.for_each(stride, &mut |index, context| {
            // Every so often under another answer to one of the open questions.
            let turn = (index / stride) as usize;
            let other = READINGS.get(turn % (3 * READINGS.len()));
            let readings = other
                .map_or(Readings::default(), |reading| Readings::default().with(reading.id, 1));
            if let Some(Err(text)) = compare(context, readings, &mut sums) {
                std::println!("{}: {text}", family.name);
                wrong.push(format!("{}: {text}", family.name));
            }
        });
        all += index;
        let (name, differ) = (family.name, wrong.len());
        std::println!("{name}: {} of {index} programs, {differ} differ", sums.programs - before);
    }
    let Sums { programs, compared, ok, executions, unique, most, outside, outside_alone } = sums;
    std::println!(
        "{programs} of {all} programs, {compared} compared, {ok} ok; {executions} whole executions, {unique} with \
         one relation, at most {most}; {outside} outside interleavings, {outside_alone} programs broken \
         only there; {} differ",
        wrong.len()
    );
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(4)].join("\n\n"));
    assert!(all > 200_000 || !named.is_empty());
    assert!(compared * 100 > programs * 97, "{compared} of {programs}");
}

/// Number of random programs, unless `TIDEGATE_RANDOM` sets another number.
const RANDOM: u64 = 120;
/// Number of random programs in a full run.
const FULL: u64 = 4_000;

#[test]
fn random_programs_by_exploration_and_by_axioms() {
    let count = number("TIDEGATE_RANDOM", RANDOM, FULL);
    let mut sums = Sums::default();
    for seed in 0..count {
        let context = random_program(&mut Random::new(seed));
        if let Some(Err(text)) = compare(&context, Readings::default(), &mut sums) {
            panic!("seed {seed}, {text}");
        }
    }
    let Sums { compared, outside, .. } = sums;
    std::println!(
        "{compared} random programs compared, {outside} executions outside interleavings"
    );
    assert!(compared > count * 8 / 10 && outside > 0, "{compared} of {count}, {outside} outside");
}
