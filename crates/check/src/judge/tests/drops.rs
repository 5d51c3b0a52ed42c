//! One run against plain enumeration on rounds of a named barrier that waves join early and drop, under each answer to the
//! questions on drops.

use super::support::{Random, arrive, program};
use super::*;
use std::vec::Vec;
use tidegate_explore::search;

const NAMED: Object = Object::Named(1);

fn wait(object: Object) -> Action {
    Action::Wait { object }
}

/// Waves of a workgroup that use a named barrier in rounds. Some drop it and synchronise with the others, or not.
fn rounds(random: &mut Random) -> Rc<Context> {
    let waves = 2 + random.below(2);
    let (group, early) = (Object::Workgroup, random.chance(60));
    let again = random.chance(20);
    let mut bodies: Vec<Vec<Action>> = std::vec![Vec::new(); waves];
    for phase in 0..1 + usize::from(again) {
        let rounds = 1 + random.below(2 - usize::from(again));
        let drops = random.below(1 << waves);
        let stays = (0..waves).filter(|wave| drops >> wave & 1 == 0).count();
        let more = stays > 0 && random.chance(30);
        let met = random.chance(50);
        for (wave, body) in bodies.iter_mut().enumerate() {
            if wave == 0 && (phase == 0 || random.chance(60)) {
                body.push(Action::Init { object: NAMED, expected: waves as i64 });
            }
            let join = Action::Join { object: NAMED };
            let sync = [arrive(group), wait(group)];
            let joins = phase == 0 || random.chance(70);
            body.extend((early && joins).then_some(join));
            body.extend(sync);
            body.extend((!early && joins).then_some(join));
            body.extend([arrive(NAMED), wait(NAMED)].repeat(rounds));
            if drops >> wave & 1 == 1 {
                body.push(if random.chance(20) {
                    Action::Leave
                } else {
                    Action::Drop { object: NAMED }
                });
            }
            body.extend(met.then_some(sync).into_iter().flatten());
            if more && drops >> wave & 1 == 0 {
                body.extend([arrive(NAMED), wait(NAMED)]);
            }
        }
    }
    if random.chance(25) {
        let wave = random.below(waves);
        let at = random.below(bodies[wave].len());
        let moved = bodies[wave].remove(at);
        if random.chance(50) {
            let to = random.below(bodies[wave].len() + 1);
            bodies[wave].insert(to, moved);
        }
    }
    let clusters = Launch { clusters: 1, workgroups: 1, waves: waves as u32, lanes: 1 };
    program(clusters, &bodies)
}

/// The numbers of programs that are compared, and of those that one run decides.
fn compared<M: Machine>(machine: impl Fn(Rc<Context>) -> Option<M>) -> (u32, u32) {
    let (mut programs, mut decided) = (0, 0);
    for seed in support::more(0..1_000) {
        let context = rounds(&mut Random::new(seed));
        let Some(machine) = machine(context) else { continue };
        let plain = search(&Space::plain(&machine), plan(false, seed), &mut |_| true);
        if plain.end != End::Complete || plain.somewhere.0 & OVERFLOWS != 0 {
            continue;
        }
        programs += 1;
        decided += u32::from(one_run_agrees(&machine, &plain, seed)[1]);
    }
    (programs, decided)
}

#[test]
fn one_run_agrees_on_drops_under_each_reading() {
    let usual = Readings::default();
    for (readings, least) in [
        (usual, 40),
        (usual.with(ReadingId::AmdA2, 1), 40),
        (usual.with(ReadingId::AmdA10, 1), 20),
        (usual.with(ReadingId::AmdA17, 1), 10),
    ] {
        let (programs, decided) = compared(|context| Spec::new(context, readings).ok());
        assert!(programs > 600 && decided * 100 > programs * least, "{decided} of {programs}");
    }
}

/// Groups of three waves with a named barrier each. Under this answer, the order of the drop and the arrives matters.
fn groups(count: usize) -> Rc<Context> {
    let (group, mut bodies) = (Object::Workgroup, Vec::new());
    for (id, wave) in (1..=count as u8).flat_map(|id| (0..3).map(move |wave| (id, wave))) {
        let named = Object::Named(id);
        let round = [arrive(named), wait(named)];
        let mut body: Vec<Action> = Vec::new();
        body.extend((wave == 0).then_some(Action::Init { object: named, expected: 3 }));
        body.extend([Action::Join { object: named }, arrive(group), wait(group)]);
        body.extend(round);
        match wave {
            2 => body.push(Action::Drop { object: named }),
            _ => body.extend(round),
        }
        bodies.push(body);
    }
    let launch = Launch { clusters: 1, workgroups: 1, waves: bodies.len() as u32, lanes: 1 };
    program(launch, &bodies)
}

#[test]
fn groups_that_share_nothing_any_more_add_up_and_do_not_multiply() {
    let readings = Readings::default().with(ReadingId::AmdA10, 1);
    let states = [1, 2, 4, 8].map(|count| {
        let spec = Spec::new(groups(count), readings).expect("few waves join");
        let found = search(&Space::new(&spec), plan(true, 0), &mut |_| true);
        assert_eq!((found.end, found.somewhere.0, found.terminals), (End::Complete, 0, 1));
        found.states as usize
    });
    for (states, count) in states.into_iter().zip([1, 2, 4, 8]) {
        assert!(states < 100 * count, "{states} states of {count} groups");
    }
    let spec = Spec::new(groups(2), readings).expect("few waves join");
    let every = Plan { bounds: Bounds::default(), ..plan(false, 0) };
    let plain = search(&Space::plain(&spec), every, &mut |_| true);
    assert_eq!((plain.end, plain.somewhere.0), (End::Complete, 0));
}

#[test]
fn one_run_of_the_machine_agrees_on_early_joins_and_drops() {
    let (programs, decided) = compared(Onebit::new);
    assert!(programs > 600 && decided * 100 > programs * 40, "{decided} of {programs}");
}
