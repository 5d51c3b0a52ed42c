//! How far arguments can change without a change of the answer to a comparison.

use crate::ir::Comparison;
use crate::value::{Lanes, Value, ones, signed};
#[cfg(feature = "proofs")]
use alloc::vec::Vec;

/// How far a number can fall and rise.
pub(super) type Reach = (u64, u64);

/// A comparison of two values in the lanes of a mask.
pub(super) struct Compared<'a> {
    pub(super) how: Comparison,
    pub(super) width: u8,
    pub(super) of: [&'a Value; 2],
    pub(super) mask: u64,
}

/// How far each of some symbols can change while the others change as far as their results say. `slopes` says by how much the
/// difference of the values grows with each symbol, and how far the symbol needs to change. The first symbols get what they can.
#[cfg(feature = "proofs")]
pub(super) fn reaches(compared: &Compared<'_>, slopes: &[(Lanes, Reach)]) -> Vec<Reach> {
    let mut all: Vec<Reach> = Vec::new();
    for (slope, needs) in slopes {
        let before: Vec<(&Lanes, Reach)> =
            slopes.iter().zip(&all).map(|((slope, _), reach)| (slope, *reach)).collect();
        let (down, up) = reach(compared, slope, &before, slopes.len());
        all.push((down.min(needs.0), up.min(needs.1)));
    }
    // A symbol may change further than it needs to if there is no other.
    if let ([only], [(slope, _)]) = (&mut all[..], slopes) {
        *only = reach(compared, slope, &[], 1);
    }
    all
}

/// How far one of `count` symbols can change if each changes at most by its share. The page has no room for more.
#[cfg(not(feature = "proofs"))]
pub(super) fn share(compared: &Compared<'_>, slope: &Lanes, count: usize) -> Reach {
    shared(reach(compared, slope, count), count)
}

/// The share of each of `count` symbols in how far all can change together.
pub(super) fn shared((down, up): Reach, count: usize) -> Reach {
    let share = |room: u64| if room == u64::MAX { room } else { room / count as u64 };
    (share(down), share(up))
}

/// How far a symbol can change, down and up, with the same answer in all lanes, while those `before` it change as far as they
/// can. There are `count` symbols.
fn reach(
    compared: &Compared<'_>,
    slope: &Lanes,
    #[cfg(feature = "proofs")] before: &[(&Lanes, Reach)],
    count: usize,
) -> Reach {
    let Compared { how, width, of, mask } = *compared;
    let (mut down, mut up) = (u64::MAX, u64::MAX);
    let is_signed =
        !matches!(how, Comparison::Ult | Comparison::Ule | Comparison::Ugt | Comparison::Uge);
    for lane in (0..64).filter(|lane| mask >> lane & 1 == 1) {
        let (Some(a), Some(b)) = (of[0].known_in(lane), of[1].known_in(lane)) else { continue };
        let number = |value: u64| match is_signed {
            true => i128::from(signed(value, width)),
            false => i128::from(value & ones(width)),
        };
        let (apart, step) = (number(a) - number(b), i128::from(signed(slope.at(lane), 64)));
        #[cfg(feature = "proofs")]
        let moved = moved(before, lane);
        #[cfg(not(feature = "proofs"))]
        let moved = [0];
        for by in moved {
            down = down.min(same((how, count), apart + by, -step));
            up = up.min(same((how, count), apart + by, step));
        }
        if !is_signed {
            // An unsigned number does not pass zero.
            let room = |value: u64, step: i128| match step {
                0 => u64::MAX,
                step => {
                    let room = number(value) / step.abs() / count as i128;
                    u64::try_from(room).unwrap_or(u64::MAX)
                }
            };
            let moves = |at: usize| !of[at].slopes.is_empty();
            if step != 0 {
                let (low, high) =
                    if step > 0 { (&mut down, &mut up) } else { (&mut up, &mut down) };
                if moves(0) && !moves(1) {
                    *low = (*low).min(room(a, step));
                }
                if moves(1) && !moves(0) {
                    *high = (*high).min(room(b, step));
                }
            }
        }
    }
    (down, up)
}

/// By how much symbols can decrease and increase a difference. Where a symbol has no limit, it moves the difference away from a
/// change of the answer.
#[cfg(feature = "proofs")]
fn moved(before: &[(&Lanes, Reach)], lane: usize) -> [i128; 2] {
    let mut bounds = [0, 0];
    for (slope, (down, up)) in before {
        let step = i128::from(signed(slope.at(lane), 64));
        for (room, step) in [(*down, -step), (*up, step)] {
            let change = if room == u64::MAX { 0 } else { i128::from(room) * step };
            let at = usize::from(change > 0);
            bounds[at] += change;
        }
    }
    bounds
}

/// How often a step can be added to the difference of two numbers with the same answer. `count` is larger than 1 if steps of
/// other sizes are added, too.
fn same((how, count): (Comparison, usize), apart: i128, step: i128) -> u64 {
    let below = |apart: i128| -> u64 {
        // Whether `apart < 0` stays as it is.
        let room = match (apart < 0, step) {
            (true, step) if step > 0 => (-1 - apart) / step,
            (false, step) if step < 0 => apart / -step,
            _ => return u64::MAX,
        };
        u64::try_from(room).unwrap_or(u64::MAX)
    };
    match how {
        Comparison::Eq | Comparison::Ne => match (apart, step) {
            (_, 0) => u64::MAX,
            (0, _) => 0,
            (apart, step) if (apart < 0) == (step < 0) => u64::MAX,
            (apart, step) if apart % step == 0 || count > 1 => {
                u64::try_from((apart.abs() - 1) / step.abs()).unwrap_or(u64::MAX)
            }
            _ => u64::MAX,
        },
        Comparison::Ult | Comparison::Slt | Comparison::Uge | Comparison::Sge => below(apart),
        Comparison::Ule | Comparison::Sle | Comparison::Ugt | Comparison::Sgt => below(apart - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "proofs")]
    const ALL: Reach = (u64::MAX, u64::MAX);

    #[test]
    fn answers_stay_the_same_up_to_the_bound() {
        let same = |how, apart, step| same((how, 1), apart, step);
        assert_eq!(same(Comparison::Slt, -5, 1), 4);
        assert_eq!(same(Comparison::Slt, 0, 1), u64::MAX);
        assert_eq!(same(Comparison::Sle, -5, 1), 5);
        assert_eq!(same(Comparison::Eq, -4, 2), 1);
        assert_eq!(same(Comparison::Eq, -3, 2), u64::MAX);
        assert_eq!(same(Comparison::Sgt, 3, -1), 2);
    }

    /// Every change within the results keeps the answer.
    #[cfg(feature = "proofs")]
    #[test]
    fn several_numbers_can_change_together() {
        let numbers = [-9, -3, -2, -1, 0, 1, 2, 5, 64];
        let steps = [(1, 2), (2, 3), (-1, 4), (3, -2), (1, 64)];
        let all = [Comparison::Eq, Comparison::Ne, Comparison::Slt, Comparison::Sge];
        for (how, apart) in all.into_iter().flat_map(|how| numbers.map(|apart| (how, apart))) {
            let values = [Value::int(apart as u64), Value::int(0)];
            let of = [&values[0], &values[1]];
            let compared = Compared { how, width: 64, of, mask: 1 };
            let answer = |apart: i64| match how {
                Comparison::Eq => apart == 0,
                Comparison::Ne => apart != 0,
                Comparison::Slt => apart < 0,
                _ => apart >= 0,
            };
            for (one, other) in steps {
                let lanes = [one, other].map(|by: i64| Lanes::One(by as u64));
                let [first, last] = lanes;
                let found = reaches(&compared, &[(first, (2, 7)), (last, ALL)]);
                let range = |(down, up): Reach| -(down.min(9) as i64)..=up.min(9) as i64;
                for (x, y) in range(found[0]).flat_map(|x| range(found[1]).map(move |y| (x, y))) {
                    let later = apart + x * one + y * other;
                    assert_eq!(
                        answer(later),
                        answer(apart),
                        "{how:?} {apart} {one} {other} {x} {y}"
                    );
                }
            }
        }
    }
}
