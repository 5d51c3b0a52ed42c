//! *Agreed data*, which are the same for all agents: a flag in shared memory that all threads read, or the result of a barrier
//! that votes.
//!
//! A loop often ends when a flag is set. Threads write the flag between two barriers of the whole workgroup, and all threads
//! read it between two others. The flag is data, but all threads read the same value, so they leave the loop together.
//!
//! The barriers divide an execution into *epochs*: see `evaluate/epochs.rs`. Loads of the same bytes in one epoch give the same
//! value if no agent writes these bytes in that epoch. Loads of global memory that no agent writes give the same value in all
//! epochs. A result computed only from such values and from values known to all agents is also the same for all. A number
//! identifies each such value.
//!
//! If such a value decides a branch, and synchronisation depends on the branch, the evaluation *asks* for the value. All agents
//! get the same answer. For one set of arguments, the cases cover all sequences of answers: a case starts with given answers,
//! and each later answer leaves the loop that asks. The assumption is checked in each case: if an agent may write the bytes,
//! they are *apart* from then on, and loads of them are data.
//!
//! A loop has one case for each number of iterations. The cases are complete up to a maximum number of answers of each agent. A
//! proof shows that longer sequences repeat them, as for arguments: see `evaluate/prove.rs`.

use super::answers::{Agreed, Asked, overlaps};
use super::epochs::{self, LAST, Write};
use super::launch::Launch;
use super::memory::Spot;
use super::recorded::{Reading, Recorded};
use super::state::State;
use super::world::{Event, Run, World};
use crate::compute::identify;
use crate::ir::{Access, Edge, Space};
use crate::value::{Lanes, Value};
use alloc::vec::Vec;
use tidegate_model::operation::Operation;

/// Whether all loads and votes that the agents of a case take as agreed are the same for all agents. The others are recorded,
/// and are not taken as agreed any more.
pub(super) fn holds(world: &World<'_>, launch: Launch, agents: &[(u32, Recorded)]) -> bool {
    if agents.iter().all(|(_, one)| one.agreed.is_empty()) {
        return true;
    }
    let all: Option<Vec<Vec<u64>>> =
        agents.iter().map(|(_, one)| epochs::epochs(one, &launch)).collect();
    let masks = all.unwrap_or_else(|| {
        agents.iter().map(|(_, one)| alloc::vec![u64::MAX; one.nodes.len()]).collect()
    });
    let writes = epochs::all_writes(world, launch, agents, &masks);
    let agreed = &world.agreed;
    let buffers = world.buffers.borrow();
    let mut holds = true;
    for ((group, one), masks) in agents.iter().zip(&masks) {
        for (node, reading) in &one.agreed {
            let mask = masks[*node as usize];
            let turn = reading.turn.map(|turn| 1_u64.checked_shl(turn).unwrap_or(0));
            let conflicts = |write: &Write| {
                let Some((object, owner)) = buffers.key(write.range.buffer) else {
                    return true;
                };
                let local = world.module.objects.get(object as usize);
                let local = local.is_some_and(|one| one.space == Space::Local);
                let other = owner.or(write.group).is_some_and(|owner| owner != *group);
                let bytes = (object, write.range.start, write.range.end);
                reading.bytes.is_some_and(|own| overlaps(own, bytes))
                    && !(local && other)
                    && (other || turn.is_none_or(|turn| write.epochs & turn != 0))
            };
            let misplaced = turn.is_some_and(|turn| {
                turn != mask || turn >> LAST != 0 || reading.turn.is_some_and(|at| at % 2 == 1)
            });
            if !misplaced && !writes.iter().any(conflicts) {
                continue;
            }
            holds = false;
            let list = if turn.is_none() { &agreed.written } else { &agreed.apart };
            // Without bytes, it is a vote. This entry represents all votes.
            list.borrow_mut().push(reading.bytes.unwrap_or((u32::MAX, 0, 1)));
        }
    }
    holds
}

impl Run<'_> {
    fn agrees(&self) -> bool {
        self.world.agreed.is_used.get()
    }

    /// The number that identifies a loaded value which is the same for all agents; 0 if it may differ.
    pub(super) fn agree_on_load(
        &self,
        state: &State,
        access: &Access,
        address: &Value,
        (spot, bytes): (Spot, u8),
    ) -> u64 {
        let agreed = &self.world.agreed;
        let Spot::At(object, at) = spot else { return 0 };
        let one = (access.atomic, access.writes, access.anywhere) == (None, false, false);
        if !one || !address.slopes.is_empty() {
            return 0;
        }
        agreed.reads.set(true);
        if !self.agrees() {
            return 0;
        }
        let end = at.saturating_add(u64::from(bytes));
        let (Ok(start), Ok(end)) = (u32::try_from(at), u32::try_from(end)) else { return 0 };
        let own = (object, start, end);
        if Agreed::contains(&agreed.apart, own) {
            return 0;
        }
        let space = self.world.module.objects.get(object as usize).map(|object| object.space);
        let always = space != Some(Space::Local) && !Agreed::contains(&agreed.written, own);
        // One access may fill several registers with consecutive bytes.
        let whole = match agreed.reading.get() {
            Some(Reading { bytes: Some((of, start, _)), .. }) if of == object => (of, start, end),
            _ => own,
        };
        let turn = (!always).then_some(state.turn);
        agreed.reading.set(Some(Reading { bytes: Some(whole), turn }));
        let group = (space == Some(Space::Local)).then_some(self.standing.group);
        if self.inputs.is_proof() { 1 } else { identify((own, turn, group)) }
    }

    /// The number that identifies the result of a barrier at which all threads of the workgroup vote; 0 for any other barrier.
    pub(super) fn agree_on_vote(&self, state: &State, operation: &Operation) -> u64 {
        let agreed = &self.world.agreed;
        let votes = matches!(epochs::gathers(operation, &self.standing.launch), Some((2, None)));
        agreed.reads.set(agreed.reads.get() || votes);
        let apart = Agreed::contains(&agreed.apart, (u32::MAX, 0, 1));
        if !self.agrees() || !votes || apart {
            return 0;
        }
        agreed.reading.set(Some(Reading { bytes: None, turn: Some(state.turn) }));
        match self.inputs.is_proof() {
            true => 1,
            false => identify(("vote", state.turn, self.standing.group)),
        }
    }

    /// Counts the halves of workgroup barriers that these operations pass, if agreed data are used.
    pub(super) fn count_turn(&self, state: &mut State, operations: &[Operation]) {
        if self.agrees() && !self.inputs.is_proof() {
            let all =
                operations.iter().filter_map(|one| epochs::gathers(one, &self.standing.launch));
            state.turn = all.fold(state.turn, |turn, (by, _)| turn + u32::from(by));
        }
    }

    /// Takes a branch on a value that is the same for all agents. All lanes take the side of the known answer, or else the side
    /// that leaves the loop. A proof follows both sides. `None` if the value may differ between agents.
    pub(super) fn agree(
        &self,
        state: &mut State,
        on: &Value,
        ways: [&Edge; 2],
        leaves: Option<usize>,
    ) -> Option<Option<Event>> {
        let is_one = matches!((&on.bits, &on.unknown), (Lanes::One(_), Lanes::One(_)));
        if !self.agrees() || on.agreed == 0 || !is_one {
            self.world.agreed.decide();
            return None;
        }
        let before = state.asks;
        state.asks += 1;
        state.decided = true;
        if self.inputs.is_proof() {
            let both = |edge: &&Edge| {
                let mut next = state.clone();
                let mask = next.part()?.mask;
                self.moves(&mut next, edge, mask);
                let part = next.part_mut()?;
                (part.block, part.index) = (edge.to, 0);
                Some(next)
            };
            let mut states: Vec<State> = ways.iter().filter_map(both).collect();
            // The proof looks for iterations on the last path, so the side that stays in the loop comes last.
            if leaves == Some(1) {
                states.reverse();
            }
            return Some(Some(Event::Host(states)));
        }
        let (value, agent) = (on.agreed, self.standing.id());
        let agreed = &self.world.agreed;
        let answer = *agreed.answers.borrow_mut().entry(value).or_insert_with(|| {
            let answer = leaves == Some(0);
            agreed.asked.borrow_mut().push(Asked { value, answer, agent, before });
            answer
        });
        let other = |one: &Asked| one.value == value && one.agent != agent;
        if agreed.asked.borrow().iter().any(other) {
            agreed.shared.borrow_mut().insert(value);
        }
        Some(self.take(state, ways[usize::from(!answer)]))
    }
}
