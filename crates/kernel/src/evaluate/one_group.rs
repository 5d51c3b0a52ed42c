//! Launches with more workgroups than are evaluated: one workgroup represents all. Its workgroup numbers are arguments.
//!
//! # The proof
//!
//! The workgroup numbers become arguments of the kernel, with values within the sizes of the launch. So the cases of one
//! workgroup cover what each workgroup of the launch does by itself. Workgroups share only global memory. The address of each
//! access is a constant plus multiples of the workgroup numbers and of iteration numbers. No two workgroups conflict if they
//! never access the same bytes, unless both read or both accesses are atomic. With atomic accesses to the same bytes, a
//! workgroup could wait for another one, but only in a loop that data end.

use super::cases::all;
use super::conflicts;
use super::grid::{Alike, Grid, MOST_COMPARISONS, Steps};
use super::launch::Standing;
use super::memory::Spot;
use super::program::program;
use super::recorded::Recorded;
use super::request::{Evaluated, Request};
use super::search::{Case, Search};
use super::split::Split;
use super::world::{Run, World};
use crate::ir::{Access, Argument, Machine, Passed, Space};
use crate::value::{Lanes, Slope, Value, signed};
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Access as Bytes, Buffer, Range, Space as MemorySpace};
use tidegate_model::operation::{Action, Alike as Kind, Operation};
use tidegate_model::program::{Node, successors};

/// The maximum number of agents for which conflicting workgroups are searched.
const MOST_SEARCHED: u32 = 640;

impl Run<'_> {
    /// Records the address of an access to global memory in the lanes of a mask.
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

    /// How an address moves with arguments and iterations, and the offset if all of these are zero; `None` if it does not grow
    /// steadily.
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

/// Evaluates one workgroup of a launch that has too many. `None` if the proof does not exclude conflicts between workgroups.
/// `Some(None)` if it does, but one workgroup cannot represent all, because arguments may decide about conflicts in it.
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
    let grid = Grid::new(first, launch.groups);
    world.grid = Some(grid.into());
    let standings = Standing::all(&module, launch, 1);
    let mut search = Search::new(&one, &world, (&standings, 1), Split::default(), place);
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

/// The number of agents to evaluate again, if not all workgroups of the launch were evaluated and two of them conflict: those
/// of the first workgroups that contain a conflict. Fewer workgroups have fewer executions. `None` otherwise.
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

/// The number of workgroups, from the first one on, that contain two which conflict in global memory; `None` if no two
/// conflict.
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

/// Whether agents access global memory only by ordinary accesses and copies, which the grid records.
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
