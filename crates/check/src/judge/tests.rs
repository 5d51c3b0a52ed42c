//! Reductions lose nothing: on random programs the search with persistent sets and symmetry finds the same facts, and
//! the same facts at every end, as the plain enumeration of all interleavings.

extern crate std;

#[cfg(feature = "front")]
mod chosen;
mod drops;
mod memory;

#[path = "../../../model/tests/support/mod.rs"]
pub(crate) mod support;

use super::*;
use std::string::String;
use support::{Random, arrive, branching, random_program, random_readings, show};
use tidegate_explore::search;
use tidegate_model::operation::{Action, Object};
use tidegate_model::program::Launch;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;

fn names(facts: u128) -> Vec<String> {
    let name = |(offset, mark): (u32, &'static str)| {
        let met =
            RuleId::of_amdgpu().filter(move |rule| facts & 1 << (rule.number() + offset) != 0);
        met.map(move |rule| std::format!("{}{mark}", rule.get().id))
    };
    [(0, ""), (64, "?")].into_iter().flat_map(name).collect()
}

fn compare(context: &Context, reduced: &Found, always: Facts, plain: &Found, seed: u64) -> bool {
    if plain.end != End::Complete || plain.somewhere.0 & OVERFLOWS != 0 {
        return false;
    }
    let program = show(context);
    assert_eq!(reduced.end, End::Complete);
    assert_eq!(
        names(reduced.somewhere.0),
        names(plain.somewhere.0),
        "somewhere, seed {seed}\n{program}"
    );
    // What some choice breaks at every end decides nothing: only what every choice breaks is reported with its schedules.
    let every = |facts: Facts| names(facts.0 & u128::from(u64::MAX));
    assert_eq!(every(always), every(plain.always), "always, seed {seed}\n{program}");
    true
}

/// The searches of a program. Of the seeds that only `cargo xtask soak random --times N` adds, small programs are compared.
fn plan(reduce: bool, seed: u64) -> Plan {
    let states = if seed < support::MORE { 8_000 } else { 300 };
    let bounds = Bounds { states, ..Bounds::default() };
    Plan { order: Order::BreadthFirst, reduce, bounds, ..Plan::default() }
}

/// A machine by reduction and by enumeration: how many states were saved, where the enumeration ended.
fn saves<M: Machine>(machine: &M, seed: u64) -> Option<u64> {
    let space = Space::new(machine);
    let plain = search(&Space::plain(machine), plan(false, seed), &mut |_| true);
    if plain.end != End::Complete {
        return None;
    }
    let reduced = search(&space, plan(true, seed), &mut |_| true);
    let always = always(machine, &reduced);
    let compared = compare(machine.context(), &reduced, always, &plain, seed);
    if compared {
        one_run_agrees(machine, &plain, seed);
    }
    compared.then(|| plain.states.saturating_sub(reduced.states))
}

/// A run that proves something has the facts of the enumeration, and a certificate that holds. Returns whether the program
/// keeps every rule, and whether one run proves it.
fn one_run_agrees<M: Machine>(machine: &M, plain: &Found, seed: u64) -> [bool; 2] {
    let run = proved(machine);
    if let Some(run) = &run {
        let program = show(machine.context());
        let every = |facts: u128| names(facts & u128::from(u64::MAX));
        let found = names(run.somewhere);
        assert_eq!(found, names(plain.somewhere.0), "somewhere, seed {seed}\n{program}");
        assert_eq!(every(run.end), every(plain.always.0), "always, seed {seed}\n{program}");
    }
    [plain.somewhere.0 == 0, run.is_some()]
}

/// What a report says of every end after a search.
pub(crate) fn always<M: Machine>(machine: &M, found: &Found) -> Facts {
    Rules::of(machine).always(&Space::new(machine), found, true, &mut |_| true).0
}

/// What one run proves, with a certificate that holds.
pub(crate) fn proved<M: Machine>(machine: &M) -> Option<one_run::Run<M>> {
    let run = one_run::run(machine, 10_000, true, &mut |_| true)?;
    assert_eq!(run.certificate.check().map(drop), Ok(()), "{}", show(machine.context()));
    Some(run)
}

fn text_saves(context: &Rc<Context>, readings: Readings, seed: u64) -> Option<u64> {
    saves(&Spec::new(Rc::clone(context), readings).unwrap(), seed)
}

fn machine_saves(context: &Rc<Context>, seed: u64) -> Option<u64> {
    saves(&Onebit::new(Rc::clone(context))?, seed)
}

/// A random program with ways, and answers to some open questions.
fn branching_program(seed: u64) -> (Rc<Context>, Readings) {
    let mut random = Random::new(seed);
    let context = random_program(&mut random);
    let uninitialised = u8::from(random.chance(12));
    let readings = random_readings(&mut random).with(ReadingId::AmdA17, uninitialised);
    (branching(&mut random, &context), readings)
}

fn hold(
    programs: impl Iterator<Item = u64>,
    saves: impl Fn(u64) -> Option<u64>,
    least: (usize, u64),
) {
    let saved: Vec<u64> = programs.filter_map(saves).collect();
    let states: u64 = saved.iter().sum();
    assert!(
        saved.len() > least.0 && states > least.1,
        "{} compared, {states} states saved",
        saved.len()
    );
}

#[test]
fn the_text_by_reduction_and_by_enumeration() {
    let seeds = support::more(0..3_000).chain([109_793, 120_748]);
    let saves =
        |seed| text_saves(&random_program(&mut Random::new(seed)), Readings::default(), seed);
    hold(seeds, saves, (2_500, 100_000));
}

/// One run proves verdicts under this reading, too.
#[test]
fn the_text_by_reduction_and_by_enumeration_where_a_wait_uses_its_operand() {
    let readings = Readings::default().with(ReadingId::AmdA7, 1);
    let saves = |seed| text_saves(&random_program(&mut Random::new(seed)), readings, seed);
    hold(support::more(20_000..21_500), saves, (1_200, 50_000));
}

#[test]
fn the_text_with_ways_by_reduction_and_by_enumeration() {
    let saves = |seed| {
        let (context, readings) = branching_program(seed);
        text_saves(&context, readings, seed)
    };
    hold(support::more(0..500), saves, (300, 5_000));
}

#[test]
fn the_machine_by_reduction_and_by_enumeration() {
    let saves = |seed| machine_saves(&random_program(&mut Random::new(seed)), seed);
    hold(support::more(0..4_000), saves, (1_200, 50_000));
}

#[test]
fn the_machine_with_ways_by_reduction_and_by_enumeration() {
    let saves = |seed| machine_saves(&branching_program(seed).0, seed);
    hold(support::more(0..500), saves, (120, 1_000));
}

/// With all waves at one barrier, a wave in phase g is before its wait for phase g, before its arrive of phase g + 1, or after
/// it: 3^N states, of which the one with N arrivals begins the next phase. In phase 0 no wave waits for the phase before, and
/// after the last phase waves end instead of arriving.
#[test]
fn an_enumeration_has_as_many_states_as_the_formula() {
    for (waves, rounds) in [(1, 1), (2, 3), (3, 2), (4, 4), (6, 2), (8, 3)] {
        let round = [arrive(Object::Workgroup), Action::Wait { object: Object::Workgroup }];
        let bodies = alloc::vec![round.repeat(rounds); waves];
        let launch = Launch { clusters: 1, workgroups: 1, waves: waves as u32, lanes: 1 };
        let spec = Spec::new(support::program(launch, &bodies), Readings::default()).unwrap();
        let plan = Plan { reduce: false, ..Plan::default() };
        let found = search(&Space::plain(&spec), plan, &mut |_| true);
        let (two, three) = (2_u64.pow(waves as u32), 3_u64.pow(waves as u32));
        let states = (two - 1) + (rounds as u64 - 1) * (three - 1) + three;
        assert_eq!((found.end, found.states), (End::Complete, states), "{waves} x {rounds}");
    }
}

/// Most programs without a broken rule are proved by one run.
#[test]
fn one_run_proves_most_correct_programs() {
    let decided = |seed: u64| {
        let context = random_program(&mut Random::new(seed));
        let spec = Spec::new(context, Readings::default()).unwrap();
        let plain = search(&Space::plain(&spec), plan(false, seed), &mut |_| true);
        if plain.end != End::Complete || plain.somewhere.0 & OVERFLOWS != 0 {
            return None;
        }
        let [correct, proved] = one_run_agrees(&spec, &plain, seed);
        correct.then_some(proved)
    };
    let decided: Vec<bool> = support::more(10_000..14_000).filter_map(decided).collect();
    let proved = decided.iter().filter(|proved| **proved).count();
    assert!(proved * 100 > decided.len() * 86, "{proved} of {}", decided.len());
}

#[test]
fn a_certain_finding_of_one_case_replaces_a_possible_one_of_another() {
    let rule = RuleId::MemRace;
    let case = |possible: bool, way: usize| {
        let path = std::vec![Step { agent: 0, way }];
        let broken = Broken {
            rule,
            schedules: Schedules::Some,
            chosen: None,
            path,
            shortest: true,
            possible,
        };
        let verdict = if possible { Verdict::Unknown } else { Verdict::Race };
        Judgement {
            verdict,
            verdict_somewhere: verdict,
            exhaustive: true,
            bound: None,
            reach: None,
            continues: false,
            broken: std::vec![broken],
            transitions: 0,
            states: 1,
            work: 0,
            executions: 1,
            relevant: 0,
            one_run: false,
            stuck_everywhere: false,
        }
    };
    for (first, second) in [(true, false), (false, true), (false, false), (true, true)] {
        let mut whole = case(first, 0);
        whole.add(case(second, 1));
        let [broken] = whole.broken.as_slice() else { panic!("{:?}", whole.broken) };
        let is_certain = !first || !second;
        assert_eq!(
            (broken.possible, broken.path[0].way),
            (!is_certain, usize::from(first && !second))
        );
        assert_eq!(whole.verdict, if is_certain { Verdict::Race } else { Verdict::Unknown });
    }
}
