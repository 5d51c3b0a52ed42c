//! The clocks and the checker of certificates on touches without a program.

use super::certificate::{Certificate, Condition};
use super::order::Order;
use super::touch::{Awaited, Part, Passes, Touch};
use alloc::vec;
use alloc::vec::Vec;

const ARRIVE: Touch = Touch::Part(Part { count: 1, arrives: true, ..Part::NONE });
const WAIT: Touch = Touch::Wait(Passes::Next);
const PARITY: Touch = Touch::Wait(Passes::Parity);

/// Whether the clocks accept touches of two objects with these counts, after which agents are blocked.
fn accepts_blocked(needed: &[u32], touches: &[(u32, u32, Touch)], blocked: &[(u32, u32)]) -> bool {
    let mut order = Order::new(3, needed).expect("the clocks are small");
    let add = |&(agent, object, touch): &(u32, u32, Touch)| {
        order.add(agent as usize, object as usize, touch).is_ok()
    };
    touches.iter().all(add)
        && blocked
            .iter()
            .all(|&(agent, object)| order.knows_last(agent as usize, object as usize).is_ok())
        && order.finish(blocked.is_empty()).is_ok()
}

/// The same without blocked agents.
fn accepts(needed: &[u32], touches: &[(u32, u32, Touch)]) -> bool {
    accepts_blocked(needed, touches, &[])
}

fn checked_blocked(
    needed: &[u32],
    touches: &[(u32, u32, Touch)],
    blocked: &[(u32, u32)],
) -> Result<(), Condition> {
    let (needed, touches) = (needed.to_vec(), touches.to_vec());
    let blocked = blocked.iter().map(|&(agent, object)| (agent, Awaited::Next(object))).collect();
    Certificate { agents: 3, needed, touches, blocked }.check().map(drop)
}

fn checked(needed: &[u32], touches: &[(u32, u32, Touch)]) -> Result<(), Condition> {
    checked_blocked(needed, touches, &[])
}

#[test]
fn an_agent_is_blocked_if_it_knows_every_completion() {
    let once = [(0, 0, ARRIVE), (1, 0, WAIT)];
    assert!(accepts_blocked(&[1], &once, &[(1, 0)]));
    assert_eq!(checked_blocked(&[1], &once, &[(1, 0)]), Ok(()));
    // The phase may complete before or after agent 2 begins to wait for a parity.
    assert!(!accepts_blocked(&[1], &once, &[(2, 0)]));
    assert_eq!(checked_blocked(&[1], &once, &[(2, 0)]), Err(Condition::B));
}

#[test]
fn a_phase_that_misses_bytes_stays_open() {
    let expect = Touch::Part(Part { count: 1, arrives: true, expects: 8, ..Part::NONE });
    let late = Touch::Part(Part { expects: 8, ..Part::NONE });
    for (touches, stays) in
        [(vec![(0, 0, expect)], true), (vec![(1, 0, late), (0, 0, ARRIVE)], false)]
    {
        assert_eq!(accepts_blocked(&[1], &touches, &[(2, 0)]), stays);
        assert_eq!(checked_blocked(&[1], &touches, &[(2, 0)]).is_ok(), stays);
    }
}

#[test]
fn rounds_of_a_barrier_are_proved() {
    let round = [(0, 0, ARRIVE), (1, 0, ARRIVE), (1, 0, WAIT), (0, 0, WAIT)];
    let rounds = round.repeat(3);
    assert!(accepts(&[2], &rounds));
    assert_eq!(checked(&[2], &rounds), Ok(()));
}

#[test]
fn an_agent_that_arrives_again_without_a_wait_is_not() {
    let touches = [(0, 0, ARRIVE), (1, 0, ARRIVE), (1, 0, ARRIVE), (0, 0, ARRIVE)];
    assert!(!accepts(&[2], &touches));
    assert_eq!(checked(&[2], &touches), Err(Condition::G));
}

#[test]
fn a_wait_that_a_later_phase_can_overtake_is_not() {
    let one = [(0, 0, ARRIVE), (1, 0, PARITY), (0, 0, PARITY), (0, 0, ARRIVE)];
    assert!(!accepts(&[1], &one));
    assert_eq!(checked(&[1], &one), Err(Condition::P));
}

#[test]
fn a_reset_needs_an_order() {
    let reset = Touch::Whole { needed: 2, forgets: false };
    let touches = [(0, 0, reset), (1, 0, ARRIVE)];
    assert!(!accepts(&[0], &touches));
    assert_eq!(checked(&[0], &touches), Err(Condition::X));
}

#[test]
fn a_change_of_membership_needs_no_order_with_a_reset() {
    let reset = Touch::Whole { needed: 2, forgets: false };
    let touches = [(1, 0, Touch::Member), (0, 0, reset), (2, 0, Touch::Member), (0, 0, ARRIVE)];
    assert!(accepts(&[0], &touches));
    assert_eq!(checked(&[0], &touches), Ok(()));
}

#[test]
fn a_drop_that_follows_an_arrive_has_one_place() {
    let drop = Part { count: 1, fewer: 1, follows: true, ..Part::NONE };
    let drop = Touch::Part(drop);
    for (touches, result) in [
        ([(0, 0, drop), (1, 0, ARRIVE)], Err(Condition::D)),
        ([(1, 0, ARRIVE), (0, 0, drop)], Err(Condition::D)),
        ([(0, 0, drop), (0, 0, ARRIVE)], Ok(())),
        ([(0, 0, ARRIVE), (0, 0, drop)], Ok(())),
        ([(0, 0, drop), (1, 0, drop)], Ok(())),
    ] {
        assert_eq!(accepts(&[2], &touches), result.is_ok());
        assert_eq!(checked(&[2], &touches), result);
    }
}

#[test]
fn bytes_that_are_expected_late_are_not_proved() {
    let expect = Touch::Part(Part { expects: 8, ..Part::NONE });
    let bring = Touch::Part(Part { completes: 8, ..Part::NONE });
    let late = [(1, 0, expect), (0, 0, ARRIVE), (1, 0, bring)];
    assert!(!accepts(&[1], &late));
    assert_eq!(checked(&[1], &late), Err(Condition::E));
    let early = [(0, 0, expect), (0, 0, ARRIVE), (1, 0, bring)];
    assert!(accepts(&[1], &early));
    assert_eq!(checked(&[1], &early), Ok(()));
}

/// A small number from a seed, which it changes.
fn below(seed: &mut u64, limit: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % limit
}

/// A random touch.
fn touch(seed: &mut u64) -> Touch {
    let part = Part { count: 1, arrives: true, ..Part::NONE };
    match below(seed, 14) {
        0 => Touch::Member,
        1 => Touch::Use,
        2 => Touch::Whole { needed: 1 + below(seed, 2) as u32, forgets: below(seed, 2) == 0 },
        3 => Touch::Part(Part { fewer: 1, arrives: false, ..part }),
        4 if below(seed, 2) == 0 => Touch::Part(Part { expects: 8, ..part }),
        4 => Touch::Part(Part { fewer: 1, arrives: false, follows: true, ..part }),
        5 => Touch::Part(Part { completes: 8, flying: true, ..Part::NONE }),
        6 => Touch::Part(Part { holds: true, ..part }),
        7 => Touch::Wait(Passes::Once),
        8 => Touch::Wait(Passes::Own),
        9 => PARITY,
        10 | 11 => WAIT,
        _ => ARRIVE,
    }
}

#[test]
fn the_checker_accepts_what_the_clocks_accept() {
    let (mut seed, mut accepted, mut waits) = (7, 0, 0);
    for _ in 0..60_000 {
        let needed = [1 + below(&mut seed, 3) as u32, 1 + below(&mut seed, 2) as u32];
        let length = 2 + below(&mut seed, 7);
        let next = |_| (below(&mut seed, 3) as u32, below(&mut seed, 2) as u32, touch(&mut seed));
        let touches: Vec<_> = (0..length).map(next).collect();
        let blocked: Vec<_> =
            (0..below(&mut seed, 2)).map(|_| (2, below(&mut seed, 2) as u32)).collect();
        if accepts_blocked(&needed, &touches, &blocked) {
            let checked = checked_blocked(&needed, &touches, &blocked);
            assert_eq!(checked, Ok(()), "{needed:?} {touches:?} {blocked:?}");
            accepted += 1;
            waits += usize::from(touches.iter().any(|touch| matches!(touch.2, Touch::Wait(_))));
        }
    }
    assert!(accepted > 2_000 && waits > 200, "{accepted} accepted, {waits} of them with waits");
}
