//! The operations of waves on barriers in LDS: see `lds.rs`.

use super::lds::{NAMED, copied};
use super::memory::Spot;
use super::request::Stop;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Access, Engine, Machine, Nvidia, Place, Space};
use crate::value::{Lanes, Value, ones};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::operation::{Action, Form, Object, Operation};
use tidegate_model::ptx::action::{
    self as ptx, Action as Ptx, Arrive, Asked, Name, Order, Patience, Queue, Spelling,
};

/// The lowest bit of the number of the phase.
const PHASE: u8 = 29;

impl Run<'_> {
    /// An access to a word that is a barrier; `None` for any other access.
    pub(super) fn word(
        &self,
        state: &mut State,
        access: &Access,
        (place, active): (Place, (u64, bool)),
    ) -> Result<Option<Option<Event>>, Stop> {
        let lds = &self.world.lds;
        let local = matches!(access.space, Space::Local | Space::Generic);
        if !lds.is_used()
            || !local
            || access.atomic.is_some()
            || access.anywhere
            || access.bytes > 8
        {
            return Ok(None);
        }
        let address = self.address(state, access.address, access.offset);
        let (0, spots) = self.spots(&address, access.space, false, active.0) else {
            return Ok(None);
        };
        let [Spot::At(object, offset)] = spots[..] else { return Ok(None) };
        let at = lds.words.iter().position(|known| *known == (object, offset));
        let Some(index) = at.filter(|_| access.copies_to.is_none()) else { return Ok(None) };
        if !self.inputs.exact(&address) {
            return Err(Stop::NoProof);
        }
        let name = Name { index: index as u16, place: ptx::Place::Own };
        if access.writes {
            return self.initialised(state, access, name, (place, active));
        }
        if lds.looks_ahead() {
            return Ok(Some(Some(Event::Divergent(place))));
        }
        Ok(Some(self.polled(state, access, name, (place, active))?))
    }

    /// A store to a whole word initialises it.
    fn initialised(
        &self,
        state: &State,
        access: &Access,
        name: Name,
        (place, active): (Place, (u64, bool)),
    ) -> Result<Option<Option<Event>>, Stop> {
        let mut word = Some(0);
        let mut bits = 0;
        for &(operand, bytes) in &access.values {
            let value = self.operand(state, operand);
            let part = value.uniform(active.0).filter(|_| self.inputs.exact(&value));
            word = word.zip(part).map(|(word, part)| word | (part & ones(8 * bytes)) << bits);
            bits += 8 * u32::from(bytes);
        }
        let count = word.filter(|_| bits == 64).and_then(|word| {
            let (low, high) = (word & ones(32), word >> 32);
            (low == high && low >> PHASE == 0).then_some(high as i64 + 1)
        });
        let Some(count) = count else { return Ok(None) };
        let action = Action::Ptx(Ptx::Init { name, count }, Spelling::Lds);
        let operation = self.operation(state, action, Form::Word, active.1);
        Ok(Some(Some(Event::Perform(alloc::vec![operation], place))))
    }

    /// A load of a word in a loop that waits. The loop repeats while the phase bit has one value, which is the parity of the
    /// phase that it waits for.
    fn polled(
        &self,
        state: &mut State,
        access: &Access,
        name: Name,
        (place, active): (Place, (u64, bool)),
    ) -> Result<Option<Event>, Stop> {
        let after = [0, 1].map(|phase: u64| {
            let mut next = state.clone();
            for (at, &to) in access.to.iter().enumerate() {
                let width = self.width(&next, to);
                let mut value = Value::data(width);
                if at == 0 && width > PHASE {
                    value.bits = Lanes::One(phase << PHASE);
                    value.unknown = Lanes::One(ones(width) & !(1 << PHASE));
                }
                self.write(&mut next, to, value, active);
            }
            next
        });
        let again = after.each_ref().map(|next| self.comes_again(next.clone(), place));
        let [zero, one] = after;
        let parity = match again {
            [true, false] => 0,
            [false, true] => 1,
            _ if self.inputs.is_proof() => return Err(Stop::NoProof),
            _ => {
                let why = "this reads a barrier in LDS outside a loop that waits for its phase";
                self.world.note(place, String::from(why));
                self.forget(state, &access.to, active);
                return Ok(None);
            }
        };
        *state = if parity == 0 { one } else { zero };
        let (asked, patience) = (Asked::Parity(parity), Patience::Block);
        let wait = Ptx::Wait { name, asked, patience, order: Order::Cta };
        let operation =
            self.operation(state, Action::Ptx(wait, Spelling::Lds), Form::Word, active.1);
        Ok(Some(Event::Perform(alloc::vec![operation], place)))
    }

    /// Barrier operations of AMDGPU in a kernel with barriers in LDS.
    pub(super) fn beside_words(
        &self,
        state: &mut State,
        actions: Vec<Action>,
        (place, open): (Place, bool),
    ) -> Option<Event> {
        let mut operations: Vec<Operation> = Vec::new();
        for action in actions {
            let action = match action {
                Action::Join { object: Object::Named(id) } => {
                    state.named.0 = id;
                    continue;
                }
                action => self.of_named(state, action).unwrap_or(action),
            };
            let operation = self.operation(state, action, Form::Word, open);
            let [x, y, z] = self.standing.launch.cluster;
            if !matches!(operation.action, Action::Ptx(..)) || x * y * z > 1 {
                let why = "this is not modelled in a kernel with barriers in LDS";
                self.world.note(place, String::from(why));
                return None;
            }
            operations.push(operation);
        }
        self.pass(state, &operations);
        (!operations.is_empty()).then_some(Event::Perform(operations, place))
    }

    /// Translates an arrival at a named barrier, or a wait for the phase of the last arrival. The ID of the barrier is the
    /// token. `None` for all other actions.
    fn of_named(&self, state: &mut State, action: Action) -> Option<Action> {
        let (joined, arrived) = state.named;
        let (ptx, id) = match action {
            Action::Arrive {
                object: Object::Named(id),
                expected: Some(expected),
                is_first: false,
            } => {
                let mut counts = self.world.lds.counts.borrow_mut();
                if *counts.entry(id).or_insert(expected) != expected {
                    return None;
                }
                state.named.1 |= 1 << id;
                let (count, order, token) = (1, Order::Relaxed, Some(u16::from(id)));
                let (drop, no_complete, expect) = (false, false, None);
                let form = Arrive { count, drop, no_complete, expect, order, token };
                (Ptx::Arrive { name: self.named(id), form }, id)
            }
            Action::Wait { object: Object::Named(id) }
                if id == joined && arrived >> id & 1 == 1 =>
            {
                state.named.1 &= !(1 << id);
                let (asked, patience) = (Asked::Token(u16::from(id)), Patience::Block);
                (Ptx::Wait { name: self.named(id), asked, patience, order: Order::Relaxed }, id)
            }
            _ => return None,
        };
        debug_assert!(id <= 16, "IDs of named barriers");
        Some(Action::Ptx(ptx, Spelling::Lds))
    }

    /// The mbarrier object of a named barrier.
    fn named(&self, id: u8) -> Name {
        let mut all = self.world.mbarriers.borrow_mut();
        let one = (NAMED, u64::from(id));
        let index = all.iter().position(|known| *known == one).unwrap_or_else(|| {
            all.push(one);
            all.len() - 1
        });
        Name { index: index as u16, place: ptx::Place::Own }
    }

    /// A copy of a tile to or from LDS. It arrives at a barrier when it is complete, or the wave waits for its group.
    pub(super) fn tile(
        &self,
        state: &mut State,
        (nvidia, to_local): (&Nvidia, bool),
        place: Place,
    ) -> Result<Option<Event>, Stop> {
        let mask = self.standing.mask;
        let [local, bytes, arrives, barrier] =
            [0, 1, 2, 3].map(|at| self.operand(state, nvidia.operands[at]));
        if [&bytes, &arrives, &barrier].iter().any(|value| !self.inputs.exact(value)) {
            return Err(Stop::NoProof);
        }
        let size = bytes.uniform(mask).filter(|bytes| *bytes > 0);
        let mut access = match to_local {
            true => Access::store(nvidia.operands[0], Space::Local, 1, Vec::new()),
            false => Access::load(nvidia.operands[0], Space::Local, 1, Vec::new()),
        };
        access.bytes = size.map_or(1, |size| size as u32);
        (access.anywhere, access.engine) = (size.is_none(), Engine::Tensor);
        let name = match (arrives.uniform(mask), barrier.uniform(mask)) {
            (Some(1), Some(address)) => self.object_at(address, barrier.origin).ok(),
            _ => None,
        };
        if name.is_none() && arrives.uniform(mask) != Some(0) {
            let why = "it is not known whether this copy of a tile arrives at a barrier";
            self.world.note(place, String::from(why));
        }
        if let (None, Some(target)) = (name, self.machine_code()) {
            let event = self.access(state, &access, place, (mask, false))?;
            return Ok(self.issue(state, target, &access, (event, place), false));
        }
        let (_, spots) = self.spots(&local, Space::Local, access.anywhere, mask);
        self.moving(&local, &spots)?;
        let ranges = self.ranges(&spots, access.bytes, to_local, place);
        let perform = |action| self.operation(state, action, Form::Word, false);
        // The machine of AMDGPU has copies without barriers.
        if name.is_none() && self.world.module.machine == Machine::Amdgpu {
            let (to, from) = if to_local { (ranges, Vec::new()) } else { (Vec::new(), ranges) };
            let mut operations = self.copies(state, &to, &from, false);
            operations.push(perform(Action::Memory(Memory::Mark)));
            return Ok(Some(Event::Perform(operations, place)));
        }
        let copy = |&(range, certain): &(Range, bool)| {
            let (to, from) = if to_local { (Some(range), None) } else { (None, Some(range)) };
            let action = Action::Ptx(copied(to, from), Spelling::Lds);
            self.operation(state, action, Form::Word, !certain)
        };
        let mut operations: Vec<Operation> = ranges.iter().map(copy).collect();
        let last = match name {
            Some(name) => {
                let (no_increment, of_copies, threads, ranks) = (true, true, 1, None);
                Ptx::CopyArrive { name, no_increment, threads, of_copies, ranks }
            }
            None => Ptx::Commit { queue: Queue::Thread },
        };
        operations.push(perform(Action::Ptx(last, Spelling::Lds)));
        Ok(Some(Event::Perform(operations, place)))
    }
}
