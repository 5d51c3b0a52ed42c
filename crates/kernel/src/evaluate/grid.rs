//! Launches with more workgroups than are evaluated: one workgroup, whose numbers are arguments, represents all.
//!
//! # The proof
//!
//! The numbers of the workgroup are arguments of the kernel here, which the host chooses from the sizes of the launch. So the
//! cases of the one workgroup cover what each workgroup of the launch does by itself. Workgroups share global memory only.
//! Each access there goes to a number of bytes plus a multiple of each number of the workgroup, and of the rounds of loops. If
//! two different workgroups never access the same bytes, unless both read or both accesses are atomic, then no workgroup
//! conflicts with another one. Atomic accesses to the same bytes could make a workgroup wait for another one, but only in a
//! loop that data end.

use super::cases::all;
use super::conflicts;
use super::launch::Standing;
use super::memory::Spot;
use super::program::program;
use super::recorded::Recorded;
use super::request::{Evaluated, Request};
use super::search::{Case, Search};
use super::world::{Run, World};
use crate::ir::{Access, Argument, Machine, Operand, Passed, Space, Special};
use crate::value::{Lanes, Slope, Symbol, Value, signed};
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Access as Bytes, Buffer, Range, Space as MemorySpace};
use tidegate_model::operation::{Action, Alike as Kind, Operation};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{Node, successors};

/// The maximum number of comparisons of two pieces of memory.
const MOST_COMPARISONS: usize = 1 << 20;
/// The maximum number of agents for which conflicting workgroups are searched.
const MOST_SEARCHED: u32 = 640;
/// The maximum number of multiples of a factor that are tried.
const MOST_MULTIPLES: i128 = 64;
/// The maximum number of pieces of memory that are kept.
const MOST_PIECES: usize = 1 << 18;

/// Accesses of an object that move alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    object: u32,
    writes: bool,
    atomic: bool,
    /// By argument how many bytes the access moves if it grows by 1, and by round; sorted, without zeros.
    arguments: Vec<(Symbol, i64)>,
    rounds: Vec<i64>,
}

/// By how many bytes an address moves with each argument and each round, and where it is if all of them are zero.
type Steps = (Vec<(Symbol, i64)>, Vec<i64>, i64);

/// Where the workgroup accesses global memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// The first argument that is a number of the workgroup, and how many workgroups there are in each dimension.
    first: u32,
    counts: [u32; 3],
    /// The bytes that are accessed where all arguments and rounds are zero.
    pieces: OrderedMap<Alike, OrderedSet<(i64, i64)>>,
    count: usize,
    /// Objects in which accesses may go anywhere: whether one writes, and whether all are atomic.
    anywhere: OrderedMap<u32, (bool, bool)>,
    /// Whether an access may go to any object, or there is too much to compare.
    lost: bool,
}

impl Grid {
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

    /// The least and the most value of an argument that is a number of the workgroup.
    pub(crate) fn range(&self, argument: usize) -> Option<(i64, i64)> {
        let count = self.counts.get(argument.checked_sub(self.first as usize)?)?;
        Some((0, i64::from(*count) - 1))
    }

    fn add(&mut self, alike: Alike, piece: (i64, i64)) {
        if self.count >= MOST_PIECES {
            self.lost = true;
        } else if self.pieces.entry(alike).or_default().insert(piece) {
            self.count += 1;
        }
    }

    fn anywhere(&mut self, object: u32, (writes, atomic): (bool, bool)) {
        let known = self.anywhere.entry(object).or_insert((writes, atomic));
        *known = (known.0 | writes, known.1 & atomic);
    }

    /// Whether no two workgroups conflict. `may_wait` says that a workgroup may wait for what atomic accesses of others do.
    fn is_apart(&self, may_wait: bool) -> bool {
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

/// A number of which a multiple is added to an address.
struct Digit {
    factor: i128,
    /// Its largest absolute value; any, if it counts rounds.
    most: Option<i128>,
}

/// Whether some multiples of the factors have a sum between two numbers, with one of a workgroup that is not zero.
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

/// Pieces of memory with those that are next to each other as one.
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

impl Run<'_> {
    /// Notes where an access of global memory goes in the lanes of a mask.
    pub(super) fn follow_grid(
        &self,
        (address, mask): (&Value, u64),
        (access, space): (&Access, Space),
        (writes, atomic): (bool, bool),
    ) {
        let Some(grid) = &self.world.grid else { return };
        let (mut grid, objects) = (grid.borrow_mut(), &self.world.module.objects);
        let uniform = matches!((&address.bits, &address.unknown), (Lanes::One(_), Lanes::One(_)))
            && address
                .slopes
                .iter()
                .all(|(_, slope)| matches!(slope, Slope::Linear(Lanes::One(_))));
        let mut lanes = (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1);
        let is_local = |object: u32| objects[object as usize].space == Space::Local;
        let mut note = |lane: usize| match self.spot(address, space, lane) {
            None | Some(Spot::Nowhere | Spot::Outside(_)) => {}
            Some(Spot::At(object, _) | Spot::Within(object, ..) | Spot::In(object))
                if is_local(object) => {}
            Some(Spot::At(object, start)) if !access.anywhere => {
                match self.steps_of(address, lane, start) {
                    Some((arguments, rounds, start)) => {
                        let alike = Alike { object, writes, atomic, arguments, rounds };
                        grid.add(alike, (start, start + i64::from(access.bytes)));
                    }
                    None => grid.anywhere(object, (writes, atomic)),
                }
            }
            Some(Spot::At(object, _) | Spot::Within(object, ..) | Spot::In(object)) => {
                grid.anywhere(object, (writes, atomic));
            }
            Some(Spot::Anywhere(_) | Spot::Remote(..)) => grid.lost = true,
        };
        if uniform {
            lanes.next().into_iter().for_each(&mut note);
        } else {
            lanes.for_each(&mut note);
        }
    }

    /// How an address moves with arguments and rounds, and where it is if all of them are zero.
    fn steps_of(&self, address: &Value, lane: usize, start: u64) -> Option<Steps> {
        let (mut arguments, mut rounds) = (Vec::new(), Vec::new());
        let mut start = i64::try_from(start).ok()?;
        for (symbol, slope) in &address.slopes {
            let Slope::Linear(by) = slope else { return None };
            let by = signed(by.at(lane), 64);
            if by == 0 {
                continue;
            }
            if *symbol >= self.inputs.first_round() {
                rounds.push(by);
                continue;
            }
            let width = self.world.module.arguments.get(usize::from(*symbol))?.width;
            let value = self.inputs.argument(u32::from(*symbol)).uniform(1)?;
            start = start.checked_sub(by.checked_mul(signed(value, width))?)?;
            arguments.push((*symbol, by));
        }
        arguments.sort_unstable();
        rounds.sort_unstable();
        (!self.inputs.is_stepped()).then_some((arguments, rounds, start))
    }
}

/// Evaluates one workgroup of a launch that has too many; `None` if workgroups may conflict, as far as the proof goes.
/// Otherwise the result is what represents all of them, if arguments do not decide about conflicts in the workgroup.
pub(super) fn evaluate(request: &Request<'_>) -> Option<Option<Evaluated>> {
    let launch = request.launch;
    if launch.cluster_size() > 1 {
        return None;
    }
    let mut module = request.module.clone();
    let first = module.arguments.len() as u32;
    let place = module.functions.get(request.kernel.function as usize)?.place;
    module.arguments.extend(["x", "y", "z"].iter().zip(0..).map(|(letter, at)| Argument {
        name: match request.module.machine {
            Machine::Nvidia => alloc::format!("blockIdx.{letter}"),
            Machine::Opencl => alloc::format!("get_group_id({at})"),
            Machine::Amdgpu => alloc::format!("workgroup {letter}"),
        },
        place,
        width: 32,
        passed: Passed::Integer,
    }));
    let one = Request { module: &module, ..request.clone() };
    let mut world = World::new(&module);
    let grid = Grid { first, counts: launch.groups, ..Grid::default() };
    world.grid = Some(grid.into());
    let standings = Standing::all(&module, launch, 1);
    let mut search = Search::new(&one, &world, (&standings, 1), place);
    let ((cases, exact), complete) = all(&mut search).ok()?;
    let grid = world.grid.as_ref()?.borrow().clone();
    let atomic_only = cases.iter().all(|case| is_plain(case, &world));
    if !complete || !atomic_only || !grid.is_apart(cases.iter().any(may_wait)) {
        return None;
    }
    let lds = !world.mbarriers.borrow().is_empty() && module.machine == Machine::Amdgpu;
    let overruns = !world.overruns.borrow().is_empty();
    let found = program(&search, (cases, exact), complete);
    let global = |operation: &Operation| {
        let buffers = conflicts::of_action(operation.action).into_iter();
        let mut buffers =
            buffers.filter_map(|it| found.program.buffers.get(usize::from(it.range.buffer)));
        buffers.any(|buffer| buffer.space == MemorySpace::Global)
    };
    let nodes = || found.program.bodies.iter().flat_map(|body| &body.nodes);
    let open = found.program.host_passes_more || found.program.guesses || !found.assumed.is_empty();
    let guessed = |node: &Node| matches!(node, Node::Operation { operation, .. } if operation.possible && global(operation));
    Some((!open && !lds && !overruns && !nodes().any(guessed)).then_some(found))
}

/// How many workgroups to evaluate again, of more that were evaluated but are not all of a launch: the first ones with two that
/// conflict. Fewer workgroups have fewer executions, and without a conflict the verdict is open.
pub(super) fn fewer(search: &Search<'_>, cases: &[Case]) -> Option<u32> {
    let launch = search.request.launch;
    let declared = search.world.buffers.borrow().declared(search.request.module);
    let buffers: Vec<Buffer> = declared.iter().map(|(buffer, _)| *buffer).collect();
    let near = cases.iter().filter_map(|case| meeting(&case.agents, &buffers)).min()?;
    let near = near.next_multiple_of(launch.cluster_size());
    let agents = near * (search.standings.len() as u32 / search.groups.max(1));
    let few = search.groups < launch.group_count() && near < search.groups;
    (few && agents <= MOST_SEARCHED).then_some(agents)
}

/// How many workgroups, from the first one on, contain two that conflict in global memory; `None` if none do.
fn meeting(agents: &[(u32, Recorded)], buffers: &[Buffer]) -> Option<u32> {
    let mut all = Vec::new();
    for (group, one) in agents {
        for node in &one.nodes {
            let Node::Operation { operation, .. } = node else { continue };
            let atomic = operation.alike == Kind::ATOMIC;
            let accesses = conflicts::of_action(operation.action).into_iter().filter(|access| {
                let buffer = buffers.get(usize::from(access.range.buffer));
                buffer.is_some_and(|buffer| buffer.space == MemorySpace::Global)
            });
            all.extend(accesses.map(|Bytes { range, write }| (range, *group, write, atomic)));
        }
    }
    all.sort_unstable_by_key(|(range, group, ..)| (range.buffer, range.start, *group));
    all.dedup();
    let (mut nearest, mut left) = (None, MOST_COMPARISONS);
    let mut open: Vec<(Range, u32, bool, bool)> = Vec::new();
    for one in all {
        let (range, group, write, atomic) = one;
        open.retain(|(other, ..)| other.buffer == range.buffer && other.end > range.start);
        left = left.checked_sub(open.len())?;
        for &(_, other, writes, is_atomic) in &open {
            if other != group && (write || writes) && !(atomic && is_atomic) {
                let groups = group.max(other) + 1;
                nearest = Some(nearest.map_or(groups, |known: u32| known.min(groups)));
            }
        }
        open.push(one);
    }
    nearest
}

/// Whether agents access global memory only by loads and stores, which were followed.
fn is_plain(case: &Case, world: &World<'_>) -> bool {
    let buffers = world.buffers.borrow();
    let is_local = |buffer: u16| {
        let object = buffers.object(buffer).map(|object| &world.module.objects[object as usize]);
        object.is_some_and(|object| object.space == Space::Local)
    };
    let plain = |operation: &Operation| {
        let mut all = conflicts::of_action(operation.action).into_iter();
        matches!(operation.action, Action::Memory(_)) || all.all(|it| is_local(it.range.buffer))
    };
    let nodes = case.agents.iter().flat_map(|(_, one)| &one.nodes);
    nodes.into_iter().all(|node| match node {
        Node::Operation { operation, .. } => plain(operation),
        _ => true,
    })
}

/// Whether an agent repeats a loop until data end it.
fn may_wait(case: &Case) -> bool {
    case.agents.iter().any(|(_, one)| {
        let back = |(at, node): (usize, &Node)| {
            successors(node).iter().any(|&next| one.is_known(next) && next as usize <= at)
        };
        one.nodes.iter().enumerate().any(back)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How accesses move with arguments and rounds, their bytes, and whether they write.
    type Accesses<'a> = &'a [(&'a [(Symbol, i64)], &'a [i64], (i64, i64), bool)];

    fn grid(counts: [u32; 3], accesses: Accesses<'_>) -> Grid {
        let mut grid = Grid { counts, ..Grid::default() };
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
        let mut grid = Grid { counts: [4, 1, 1], ..Grid::default() };
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
