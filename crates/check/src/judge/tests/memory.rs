//! Races by the reduced search and by plain enumeration of every interleaving: the same somewhere, the same at every end.

use super::support::Random;
use super::support::memory::{Taste, memory_program, show};
use super::*;
use tidegate_explore::{Order, search};
use tidegate_model::reading::{ReadingId, Readings};

fn plan(reduce: bool) -> Plan {
    let bounds = Bounds { states: 20_000, ..Bounds::default() };
    Plan { order: Order::BreadthFirst, reduce, bounds, ..Plan::default() }
}

#[test]
fn by_reduction_and_by_enumeration() {
    let (mut compared, mut saved, mut raced) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let taste = Taste { waves: 3, length: 6, loops: seed % 4 == 0 };
        let context = memory_program(&mut random, taste);
        let readings = Readings::default().with(ReadingId::AsyncV1V2, u8::from(random.chance(40)));
        let spec = Spec::new(Rc::clone(&context), readings).unwrap();
        let system = Space::new(&spec);
        let plain = search(&Space::plain(&spec), plan(false), &mut |_| true);
        if plain.end != End::Complete || plain.somewhere.0 & OVERFLOWS != 0 {
            continue;
        }
        let reduced = search(&system, plan(true), &mut |_| true);
        assert_eq!(reduced.end, End::Complete);
        let program = show(&context);
        assert_eq!(reduced.somewhere.0, plain.somewhere.0, "seed {seed}\n{program}");
        let always = always(&spec, &reduced);
        let every = |facts: Facts| facts.0 & u128::from(u64::MAX);
        assert_eq!(every(always), every(plain.always), "always, seed {seed}\n{program}");
        one_run_agrees(&spec, &plain, seed);
        compared += 1;
        raced += usize::from(plain.somewhere.0 & 1 << RuleId::MemRace.number() != 0);
        saved += plain.states.saturating_sub(reduced.states);
    }
    assert!(
        compared > 1_300 && raced > 150 && saved > 100_000,
        "{compared} compared, {raced} raced, {saved} saved"
    );
}

/// Exchanging waves of a workgroup changes no verdict.
#[test]
fn the_order_of_waves_does_not_matter() {
    let mut raced = 0;
    for seed in 5_000..5_600 {
        let mut random = Random::new(seed);
        let context = memory_program(&mut random, Taste { waves: 3, length: 6, loops: false });
        let launch = context.program.launch;
        let mut program = (*context.program).clone();
        for group in program.agents.chunks_mut(launch.waves as usize) {
            let bodies: Vec<u32> = group.iter().rev().map(|agent| agent.body).collect();
            group.iter_mut().zip(bodies).for_each(|(agent, body)| agent.body = body);
        }
        let turned = Rc::new(Context::new(Rc::new(program)));
        let judge = |context: &Rc<Context>| {
            let spec = Spec::new(Rc::clone(context), Readings::default()).unwrap();
            let judgement = by_text(&spec, &Options::default(), false, &mut |_| true);
            (judgement.verdict, judgement.verdict_somewhere)
        };
        let verdict = judge(&context);
        assert_eq!(verdict, judge(&turned), "seed {seed}\n{}", show(&context));
        raced += usize::from(verdict.0 == Verdict::Race);
    }
    assert!(raced > 50, "{raced}");
}
