//! The accesses to global memory of a workgroup that represents all, and whether two workgroups can conflict.
//!
//! See `evaluate/one_group.rs` for the proof.

use crate::ir::{Operand, Special};
use crate::value::Symbol;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The maximum number of comparisons of two pieces of memory.
pub(super) const MOST_COMPARISONS: usize = 1 << 20;
/// The maximum number of multiples of a factor that are tried.
const MOST_MULTIPLES: i128 = 64;
/// The maximum number of pieces of memory that are kept.
const MOST_PIECES: usize = 1 << 18;

/// Accesses to an object that move in the same way with arguments and iterations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alike {
    pub(super) object: u32,
    pub(super) writes: bool,
    pub(super) atomic: bool,
    /// For each argument, the bytes by which the access moves if the argument grows by 1; sorted, without zeros.
    pub(super) arguments: Vec<(Symbol, i64)>,
    /// The bytes by which the access moves in each iteration of each loop; sorted, without zeros.
    pub(super) rounds: Vec<i64>,
}

/// The bytes by which an address moves with each argument and in the iterations of each loop, and the offset if all of these
/// are zero.
pub(super) type Steps = (Vec<(Symbol, i64)>, Vec<i64>, i64);

/// The accesses of the workgroup to global memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// The first argument that is a workgroup number, and the number of workgroups in each dimension.
    first: u32,
    counts: [u32; 3],
    /// The start and the end of the bytes that are accessed if all arguments and iteration numbers are zero.
    pieces: OrderedMap<Alike, OrderedSet<(i64, i64)>>,
    count: usize,
    /// Objects that are accessed at unknown offsets: whether an access writes, and whether all are atomic.
    anywhere: OrderedMap<u32, (bool, bool)>,
    /// Whether an access may go to any object, or there is too much to compare.
    pub(super) lost: bool,
}

impl Grid {
    /// No accesses yet. `first` is the first argument that is a number of the workgroup, `counts` are the workgroups of the
    /// launch.
    pub(super) fn new(first: u32, counts: [u32; 3]) -> Self {
        Self { first, counts, ..Self::default() }
    }

    /// The first argument that is a number of the workgroup.
    pub(crate) const fn first(&self) -> Symbol {
        self.first as Symbol
    }

    /// The argument that an operand is, if it is a number of the workgroup.
    pub(crate) const fn argument(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Special(Special::Group(at) | Special::Cluster(at)) if at < 3 => {
                Some(self.first + at as u32)
            }
            _ => None,
        }
    }

    /// The minimum and maximum of an argument that is a workgroup number; `None` for other arguments.
    pub(crate) fn range(&self, argument: usize) -> Option<(i64, i64)> {
        let count = self.counts.get(argument.checked_sub(self.first as usize)?)?;
        Some((0, i64::from(*count) - 1))
    }

    pub(super) fn add(&mut self, alike: Alike, piece: (i64, i64)) {
        if self.count >= MOST_PIECES {
            self.lost = true;
        } else if self.pieces.entry(alike).or_default().insert(piece) {
            self.count += 1;
        }
    }

    pub(super) fn anywhere(&mut self, object: u32, (writes, atomic): (bool, bool)) {
        let known = self.anywhere.entry(object).or_insert((writes, atomic));
        *known = (known.0 | writes, known.1 & atomic);
    }

    /// Whether no two workgroups conflict. `may_wait` says that a workgroup may wait for what atomic accesses of others do.
    pub(super) fn is_apart(&self, may_wait: bool) -> bool {
        let writes = |object: u32| {
            self.pieces.keys().any(|one| one.object == object && one.writes)
                || self.anywhere.get(&object).is_some_and(|one| one.0)
        };
        let known = |object: u32| {
            let (whole, all) = (self.anywhere.get(&object), self.pieces.keys());
            whole.is_none_or(|one| one.1)
                && all.clone().all(|one| one.object != object || one.atomic)
        };
        let fits = |&object: &u32| !writes(object) || known(object) && !may_wait;
        if self.lost || !self.anywhere.keys().all(fits) {
            return false;
        }
        let pieces: Vec<(&Alike, Vec<(i64, i64)>)> =
            self.pieces.iter().map(|(alike, all)| (alike, merged(all))).collect();
        let mut left = MOST_COMPARISONS;
        pieces.iter().enumerate().all(|(at, (one, own))| {
            pieces[at..].iter().all(|(other, others)| {
                let quiet = one.object != other.object
                    || !one.writes && !other.writes
                    || one.atomic && other.atomic && !may_wait;
                quiet || self.are_apart((one, own), (other, others), &mut left)
            })
        })
    }

    fn are_apart(
        &self,
        (one, own): (&Alike, &[(i64, i64)]),
        (other, others): (&Alike, &[(i64, i64)]),
        left: &mut usize,
    ) -> bool {
        if one.arguments != other.arguments {
            return false;
        }
        let factor = |at: u32| {
            let found =
                one.arguments.iter().find(|(symbol, _)| u32::from(*symbol) == self.first + at);
            found.map_or(0, |(_, by)| i128::from(*by).abs())
        };
        let mut digits: Vec<Digit> = (0..3)
            .zip(self.counts)
            .filter(|(_, count)| *count > 1)
            .map(|(at, count)| Digit { factor: factor(at), most: Some(i128::from(count) - 1) })
            .collect();
        digits.sort_unstable_by_key(|digit| core::cmp::Reverse(digit.factor));
        let rounds = one.rounds.iter().chain(&other.rounds);
        let step = rounds.fold(0, |all, by| divisor(all, by.unsigned_abs()));
        if step > 0 {
            digits.insert(0, Digit { factor: i128::from(step), most: None });
        }
        own.iter().all(|&(start, end)| {
            others.iter().all(|&(first, last)| {
                let Some(rest) = left.checked_sub(1) else { return false };
                *left = rest;
                let [low, high] = [start - last, end - first].map(i128::from);
                !reaches(&digits, (low, high), false)
            })
        })
    }
}

/// A factor of which a multiple is added to an address.
struct Digit {
    factor: i128,
    /// The largest absolute value of the multiplier; `None` if it counts iterations.
    most: Option<i128>,
}

/// Whether some multiples of the factors have a sum between two numbers. The multiplier of at least one workgroup number must
/// not be zero.
fn reaches(digits: &[Digit], (low, high): (i128, i128), moved: bool) -> bool {
    let Some((first, rest)) = digits.split_first() else { return moved && low < 0 && 0 < high };
    if first.factor == 0 {
        return reaches(rest, (low, high), true);
    }
    let room: i128 = rest.iter().map(|digit| digit.factor * digit.most.unwrap_or(0)).sum();
    let [mut least, mut most] =
        [(low - room).div_euclid(first.factor) + 1, -(-(high + room)).div_euclid(first.factor) - 1];
    if let Some(bound) = first.most {
        (least, most) = (least.max(-bound), most.min(bound));
    }
    most - least >= MOST_MULTIPLES
        || (least..=most).any(|times| {
            let by = times * first.factor;
            reaches(rest, (low - by, high - by), moved || first.most.is_some() && times != 0)
        })
}

fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Merges adjacent and overlapping pieces of memory.
fn merged(pieces: &OrderedSet<(i64, i64)>) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for &(start, end) in pieces {
        match all.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => all.push((start, end)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How accesses move with arguments and iterations, their bytes, and whether they write.
    type Accesses<'a> = &'a [(&'a [(Symbol, i64)], &'a [i64], (i64, i64), bool)];

    fn grid(counts: [u32; 3], accesses: Accesses<'_>) -> Grid {
        let mut grid = Grid::new(0, counts);
        for &(arguments, rounds, piece, writes) in accesses {
            let alike = Alike {
                object: 0,
                writes,
                atomic: false,
                arguments: arguments.to_vec(),
                rounds: rounds.to_vec(),
            };
            grid.add(alike, piece);
        }
        grid
    }

    #[test]
    fn rows_of_workgroups_are_apart_if_none_is_longer_than_their_distance() {
        let row = |bytes| grid([1000, 1, 1], &[(&[(0, 256)], &[], (0, bytes), true)]);
        assert!(row(256).is_apart(false));
        assert!(!row(257).is_apart(false));
        // All workgroups access the same bytes.
        assert!(!grid([2, 1, 1], &[(&[], &[], (0, 4), true)]).is_apart(false));
        assert!(grid([1, 1, 1], &[(&[], &[], (0, 4), true)]).is_apart(false));
    }

    #[test]
    fn tiles_are_apart_that_interleave() {
        // Tiles of 2 rows and 8 bytes, in rows of 80 bytes.
        let tiles = |x| {
            let by: &[(Symbol, i64)] = &[(0, 8), (1, 160)];
            grid([x, 50, 1], &[(by, &[], (0, 8), true), (by, &[], (80, 88), true)])
        };
        assert!(tiles(10).is_apart(false));
        assert!(!tiles(11).is_apart(false));
    }

    #[test]
    fn reads_of_a_neighbour_meet_its_writes() {
        let reads = |start| {
            let by: &[(Symbol, i64)] = &[(0, 64)];
            grid([9, 1, 1], &[(by, &[], (0, 64), true), (by, &[], (start, start + 4), false)])
        };
        assert!(reads(60).is_apart(false));
        assert!(!reads(64).is_apart(false));
        assert!(!reads(-4).is_apart(false));
        assert!(reads(-4 * 1024).is_apart(false));
    }

    #[test]
    fn rounds_of_all_workgroups_are_apart() {
        let rounds = |step| grid([16, 1, 1], &[(&[(0, 64)], &[step], (0, 64), true)]);
        assert!(rounds(16 * 64).is_apart(false));
        assert!(!rounds(15 * 64).is_apart(false));
    }

    #[test]
    fn atomic_accesses_meet_where_workgroups_may_wait() {
        let mut grid = Grid::new(0, [4, 1, 1]);
        let atomic = |object| Alike {
            object,
            writes: true,
            atomic: true,
            arguments: Vec::new(),
            rounds: Vec::new(),
        };
        grid.add(atomic(0), (0, 4));
        assert!(grid.is_apart(false) && !grid.is_apart(true));
        grid.anywhere(0, (true, true));
        assert!(grid.is_apart(false) && !grid.is_apart(true));
        grid.anywhere(0, (false, false));
        assert!(!grid.is_apart(false));
    }
}
