//! The certain contents of shared memory: constants that barriers of the whole workgroup separate from their readers.
//!
//! In compiled code, the first warps may store a task number for each other warp, which loads it after a barrier of the whole
//! CTA. If this number were data, it would be unknown what each warp does.
//!
//! The barriers of the whole CTA divide the execution of a CTA into *epochs*: everything that its warps do in an epoch happens
//! before everything that they do in the next one. A load gives a constant under two conditions. No agent may write the loaded
//! bytes in the epoch of the load. In the last earlier epoch in which they may be written, the constant is certainly stored,
//! and no other value. The possible writes come from an evaluation in which such loads are data, or give what this rule derives
//! from the same evaluation. So the values of each epoch follow from those of earlier epochs.
//!
//! Operations of a wave between the arrive and the wait of an AMDGPU barrier are in both epochs. If warps arrive at a barrier
//! without waiting, there are no epochs, and nothing is known.

use super::known::{At, Known};
use super::launch::Launch;
use super::memory::Spot;
use super::recorded::Recorded;
use super::state::State;
use super::touches::Stored;
use super::world::{Run, World};
use crate::ir::{Access, Machine, Space};
use crate::value::{Lanes, Value, ones};
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::opencl::action::{Action as Opencl, Group};
use tidegate_model::operation::{Action, Object, Operation};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::successors;
use tidegate_model::program::{Agent, Body, Node, Program};
use tidegate_model::ptx::action::{Action as Ptx, Bar, Place, Spelling};
use tidegate_model::ptx::sizes;

/// The last epoch; it represents all later ones too.
pub(super) const LAST: u8 = 62;
/// The mask of odd epochs: those between an arrive and its wait, which belong to both neighbouring epochs.
const ODD: u64 = 0x2aaa_aaaa_aaaa_aaaa;
/// The mask of even epochs: all others.
const EVEN: u64 = 0x5555_5555_5555_5555;
/// The maximum number of bytes of one store that are followed.
const MOST_BYTES: u32 = 64;

/// The number of epochs by which an operation advances an agent: 2 for a barrier, 1 for half of one, otherwise 0. The second
/// value is whether a half is an arrive, after which the epoch is odd. `None` if warps arrive at such a barrier without
/// waiting.
pub(super) fn gathers(operation: &Operation, launch: &Launch) -> Option<(u8, Option<bool>)> {
    match operation.action {
        Action::Ptx(Ptx::Bar { threads, kind, .. }, _)
            if threads.is_none_or(|threads| threads == i64::from(launch.group_size())) =>
        {
            (kind != Bar::Arrive).then_some((2, None))
        }
        Action::Opencl(Opencl::Barrier { group: Group::Work, .. }) => Some((2, None)),
        Action::Arrive { object: Object::Workgroup, .. }
        | Action::Ptx(Ptx::ClusterArrive { .. }, Spelling::Lds)
        | Action::Opencl(Opencl::Arrive { .. }) => Some((1, Some(true))),
        Action::Wait { object: Object::Workgroup }
        | Action::Ptx(Ptx::ClusterWait { .. }, Spelling::Lds)
        | Action::Opencl(Opencl::Await { .. }) => Some((1, Some(false))),
        _ => Some((0, None)),
    }
}

/// For each node, the epochs in which it may be performed, one bit each; `None` if there are no epochs.
pub(super) fn epochs(of: &Recorded, launch: &Launch) -> Option<Vec<u64>> {
    let mut masks = alloc::vec![0_u64; of.nodes.len()];
    let mut open = Vec::new();
    if let Some(first) = masks.first_mut() {
        *first = 1;
        open.push(0);
    }
    while let Some(node) = open.pop() {
        let mut mask = masks[node as usize];
        if let Node::Operation { operation, .. } = &of.nodes[node as usize]
            && let (by @ 1.., half) = gathers(operation, launch)?
        {
            let before = half.map_or(0, |arrives| if arrives { ODD } else { EVEN });
            if mask & before & !(1 << LAST) != 0 {
                return None;
            }
            let past = mask >> (LAST + 1 - by);
            mask = mask << by & ones(LAST + 1);
            mask |= u64::from(past != 0) << LAST;
        }
        for &next in successors(&of.nodes[node as usize]) {
            let Some(known) = masks.get_mut(next as usize) else { continue };
            if *known | mask != *known {
                *known |= mask;
                open.push(next);
            }
        }
    }
    Some(masks)
}

/// A write: its bytes, its workgroup if there is only one, its epochs, and the constant with its size in bytes if it certainly
/// writes one.
pub(super) struct Write {
    pub(super) range: Range,
    pub(super) group: Option<u32>,
    pub(super) epochs: u64,
    constant: Option<(u64, u32)>,
}

impl Known {
    /// The contents that are known from an evaluation of all agents.
    pub(crate) fn of(world: &World<'_>, launch: Launch, agents: &[(u32, Recorded)]) -> Self {
        Self::found(world, launch, agents).unwrap_or_default()
    }

    fn found(world: &World<'_>, launch: Launch, agents: &[(u32, Recorded)]) -> Option<Self> {
        let stores = |one: &Recorded| !one.constants.is_empty();
        if world.module.machine == Machine::Opencl || !agents.iter().any(|(_, one)| stores(one)) {
            return None;
        }
        let masks: Option<Vec<Vec<u64>>> =
            agents.iter().map(|(_, one)| epochs(one, &launch)).collect();
        let all = all_writes(world, launch, agents, &masks?);
        Some(Self::collected(world, launch.group_count(), &all))
    }

    fn collected(world: &World<'_>, groups: u32, all: &[Write]) -> Self {
        let mut known = Self::default();
        let buffers = world.buffers.borrow();
        let instance = |write: &Write| {
            let (object, owner) = buffers.key(write.range.buffer)?;
            let space = world.module.objects.get(object as usize)?.space;
            (space == Space::Local).then_some((object, owner.or(write.group)))
        };
        let bytes = |write: &Write| {
            let (object, group) = instance(write)?;
            let (group, range) = (group?, write.range.start..write.range.end);
            Some(range.map(move |at| ((object, group, at), OrderedMap::new())))
        };
        let constant = all.iter().filter(|write| write.constant.is_some());
        known.bytes = constant.filter_map(bytes).flatten().collect();
        for write in all {
            let Some((object, group)) = instance(write) else { continue };
            let epochs = (0..=LAST).filter(|epoch| write.epochs >> epoch & 1 == 1);
            let groups = group.map_or(0..groups, |group| group..group + 1);
            let of = groups.flat_map(|group| {
                known
                    .bytes
                    .range((object, group, write.range.start)..(object, group, write.range.end))
            });
            let of: Vec<At> = of.map(|(at, _)| *at).collect();
            for at in of {
                let (Some(holds), (.., byte)) = (known.bytes.get_mut(&at), at) else { continue };
                let value = write.constant.map(|(number, size)| {
                    let shift = 8 * ((byte - write.range.start) % size);
                    (number >> shift) as u8
                });
                for epoch in epochs.clone() {
                    let now = *holds.entry(epoch).or_insert(value);
                    holds.insert(epoch, now.filter(|now| Some(*now) == value));
                }
            }
        }
        for &(object, offset) in world.mbarriers.borrow().iter() {
            let end = offset + 8;
            known.bytes.retain(|(of, _, byte), _| {
                *of != object || !(offset..end).contains(&u64::from(*byte))
            });
        }
        known.bytes.retain(|_, holds| holds.values().any(Option::is_some));
        let last = known.bytes.values().filter_map(|holds| holds.keys().next_back()).max();
        known.last = last.map_or(0, |last| (last + 1).next_multiple_of(2).min(LAST));
        known
    }
}

/// The writes of all agents, with their epochs.
pub(super) fn all_writes(
    world: &World<'_>,
    launch: Launch,
    agents: &[(u32, Recorded)],
    masks: &[Vec<u64>],
) -> Vec<Write> {
    let program = sized(world, launch, agents);
    let mut all = Vec::new();
    for (((group, one), body), masks) in agents.iter().zip(&program.bodies).zip(masks) {
        for ((id, node), &mask) in (0..).zip(&body.nodes).zip(masks) {
            let Node::Operation { operation, .. } = node else { continue };
            let between = mask & ODD;
            let mask = mask | between << 1 | between >> 1;
            writes(operation, (*group, mask), one.constants.get(&id).copied(), &mut all);
        }
    }
    all
}

/// The program of some agents, with inferred sizes of copies.
fn sized(world: &World<'_>, launch: Launch, agents: &[(u32, Recorded)]) -> Program {
    let counted = launch.counted(world.module.machine, launch.group_count());
    let bodies = agents.iter().map(|(_, one)| Body { nodes: one.nodes.clone() }).collect();
    let waves = launch.waves().max(1);
    let agent = |(at, (group, _)): (u32, &(u32, Recorded))| Agent {
        workgroup: *group,
        wave: at % waves,
        body: at,
    };
    let mut program = Program::of(counted, (0..).zip(agents).map(agent).collect(), bodies);
    sizes::infer_of_code(&mut program);
    program
}

/// Adds what an operation of a workgroup writes in some epochs.
fn writes(
    operation: &Operation,
    (group, epochs): (u32, u64),
    constant: Option<Stored>,
    all: &mut Vec<Write>,
) {
    if epochs == 0 {
        return;
    }
    if let Action::Ptx(Ptx::Copy { name, ranks, to: Some(range), .. }, _) = operation.action {
        // The copy may write at any time from here on.
        let epochs = u64::MAX << epochs.trailing_zeros();
        let own = ranks.is_none() && name.is_none_or(|name| name.place == Place::Own);
        all.push(Write { range, group: own.then_some(group), epochs, constant: None });
    }
    if let Action::Memory(Memory::Copy { to: range, .. }) = operation.action {
        let epochs = u64::MAX << epochs.trailing_zeros();
        all.push(Write { range, group: Some(group), epochs, constant: None });
    }
    for access in accesses(operation.action).filter(|access| access.write) {
        let range = access.range;
        let number = |stored: Stored| (stored.term == 0).then_some((stored.number, stored.bytes));
        let fits = |&(_, size): &(u64, u32)| {
            let aligned = range.start % size == 0 && (range.end - range.start) % size == 0;
            size.is_power_of_two() && aligned && range.end - range.start <= MOST_BYTES
        };
        let certain = !operation.possible && !operation.decided && epochs.is_power_of_two();
        let constant = constant.filter(|_| certain).and_then(number).filter(fits);
        all.push(Write { range, group: Some(group), epochs, constant });
    }
}

impl Run<'_> {
    /// Advances the epoch of an agent by these operations.
    pub(super) fn pass(&self, state: &mut State, operations: &[Operation]) {
        let all = operations.iter().filter_map(|one| gathers(one, &self.standing.launch));
        let halves = all.map(|(by, _)| by).fold(0, u8::saturating_add);
        state.epoch = self.world.known.borrow().next(state.epoch, halves);
        self.count_turn(state, operations);
    }

    /// The result of a load in the lanes in which memory is known, and data in the others; `None` if no lane is known. The
    /// bytes start at an offset from the address.
    pub(super) fn known(
        &self,
        state: &State,
        access: &Access,
        address: &Value,
        (offset, bytes): (u64, u8),
    ) -> Option<Value> {
        let known = self.world.known.borrow();
        if known.is_empty()
            || state.epoch % 2 == 1
            || access.atomic.is_some()
            || access.writes
            || access.anywhere
        {
            return None;
        }
        let whole = ones(bytes.saturating_mul(8));
        let in_lane = |lane: usize| {
            let Spot::At(object, at) = self.spot(address, access.space, lane)? else { return None };
            let byte = |by: u64| {
                let at = u32::try_from(at + offset + by).ok()?;
                known.byte((object, self.standing.group, at), state.epoch)
            };
            (0..u64::from(bytes)).rev().try_fold(0, |all, by| Some(all << 8 | u64::from(byte(by)?)))
        };
        let lanes: Vec<Option<u64>> = (0..self.standing.lanes).map(in_lane).collect();
        if lanes.iter().all(Option::is_none) {
            return None;
        }
        let mut value =
            Value::known(Lanes::of(lanes.iter().map(|lane| lane.unwrap_or(0)).collect()));
        let open = |lane: &Option<u64>| if lane.is_some() { 0 } else { whole };
        value.unknown = Lanes::of(lanes.iter().map(open).collect());
        for (symbol, _) in &address.slopes {
            value.set_slope(*symbol, crate::value::Slope::Other);
        }
        Some(value)
    }
}
