//! Packing of states into short byte strings, which the search stores and compares.
//!
//! Numbers are little-endian base 128. States that later operations cannot distinguish have the same bytes; the number of
//! completions of an object is omitted.

use super::Spec;
use super::choice::{Choice, Known, Standing};
use super::state::{Lack, ObjectState, Slot, State, Stop};
use crate::agent::{AgentState, Joined};
use crate::barrier::Barrier;
use crate::leb128::put_wide as put;
use alloc::boxed::Box;
use alloc::vec::Vec;
use reader::Reader;

mod memory;
mod reader;

impl Spec {
    /// Writes a state to the end of `out`.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) {
        put(
            out,
            match state.stop {
                None => 0,
                Some(Stop::Undefined) => 1,
                Some(Stop::Overflow(lack)) => 2 + lack as u128,
            },
        );
        for agent in &state.agents {
            let joined = match agent.joined {
                Joined::Nothing => 0,
                Joined::Null => 1,
                Joined::Named(instance, bound) => 2 + 2 * u128::from(instance) + u128::from(bound),
            };
            put(out, u128::from(agent.node) << 1 | u128::from(agent.ended));
            put(out, joined);
        }
        for object in &state.objects {
            put(
                out,
                u128::from(object.barrier.expected as u32) << 1
                    | u128::from(object.barrier.initialised),
            );
            put(out, u128::from(object.barrier.arrived as u32));
            put(out, object.arrivals.len() as u128);
            object.arrivals.iter().for_each(|&workgroup| put(out, u128::from(workgroup)));
        }
        put(out, state.slots.len() as u128);
        state
            .slots
            .iter()
            .for_each(|slot| put(out, u128::from(slot.object) << 1 | u128::from(slot.completed)));
        if let Some(all) = &state.memory {
            memory::pack(all, out);
        }
        put(out, state.choices.len() as u128);
        let tracked = self.memory.is_some();
        state.choices.iter().for_each(|choice| pack_choice(choice, tracked, out));
    }

    /// Reads a state of this program that [`Spec::pack`] wrote.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let mut reader = Reader(bytes);
        let stop = match reader.number() {
            0 => None,
            1 => Some(Stop::Undefined),
            more => Some(Stop::Overflow(Lack::ALL[(more - 2).min(Lack::ALL.len() - 1)])),
        };
        let agents =
            (0..self.context.program.agents.len()).map(|_| unpack_agent(&mut reader)).collect();
        let mut objects: Vec<ObjectState> =
            self.context.instances.list.iter().map(|_| unpack_object(&mut reader)).collect();
        let mut slots: Vec<Slot> = reader.list(|reader| {
            let word = reader.number();
            Slot { object: (word >> 1) as u16, serial: 0, completed: word & 1 != 0 }
        });
        for (index, slot) in slots.iter_mut().enumerate() {
            let object = &mut objects[usize::from(slot.object)];
            slot.serial = object.completed;
            if slot.completed { object.completed += 1 } else { object.open = Some(index as u8) }
        }
        let tracked = self.memory.is_some();
        let memory =
            tracked.then(|| memory::unpack(&mut reader, self.context.program.agents.len()));
        let sizes = (self.context.program.agents.len(), slots.len());
        let choices = reader.list(|reader| unpack_choice(reader, sizes, tracked));
        State { agents, objects, slots, choices, memory: memory.map(Box::new), stop }
    }
}

fn unpack_agent(reader: &mut Reader<'_>) -> AgentState {
    let (at, joined) = (reader.number(), reader.number());
    let joined = match joined {
        0 => Joined::Nothing,
        1 => Joined::Null,
        _ => Joined::Named(((joined - 2) / 2) as u16, joined % 2 != 0),
    };
    AgentState { node: (at >> 1) as u32, joined, ended: at & 1 != 0 }
}

fn unpack_object(reader: &mut Reader<'_>) -> ObjectState {
    let word = reader.number();
    let arrived = reader.number() as i32;
    let barrier = Barrier { initialised: word & 1 != 0, expected: (word >> 1) as i32, arrived };
    ObjectState {
        barrier,
        arrivals: reader.list(|reader| reader.number() as u32),
        ..ObjectState::default()
    }
}

fn pack_choice(choice: &Choice, tracked: bool, out: &mut Vec<u8>) {
    put(out, u128::from(choice.broken));
    [choice.has_wait, choice.forbidden, choice.racy].iter().for_each(|&set| put(out, set));
    for standing in &choice.agents {
        pack_known(&standing.known, tracked, out);
        put(out, standing.used);
        put(out, standing.arrived);
    }
    choice.phases.iter().for_each(|known| pack_known(known, tracked, out));
}

fn unpack_choice(
    reader: &mut Reader<'_>,
    (agents, slots): (usize, usize),
    tracked: bool,
) -> Choice {
    let broken = reader.bits() as u64;
    let [has_wait, forbidden, racy] = [reader.bits(), reader.bits(), reader.bits()];
    let standing = |reader: &mut Reader<'_>| Standing {
        known: unpack_known(reader, tracked),
        used: reader.bits(),
        arrived: reader.bits(),
    };
    let agents = (0..agents).map(|_| standing(reader)).collect();
    let phases = (0..slots).map(|_| unpack_known(reader, tracked)).collect();
    Choice { broken, has_wait, forbidden, racy, agents, phases }
}

fn pack_known(known: &Known, tracked: bool, out: &mut Vec<u8>) {
    [known.took_part, known.dead, known.waited, known.joins].iter().for_each(|&set| put(out, set));
    put(out, known.pairs.len() as u128);
    known.pairs.iter().for_each(|&(g, h)| out.extend([g, h]));
    if tracked {
        memory::pack_ordered(known.ordered.as_deref(), out);
    }
}

fn unpack_known(reader: &mut Reader<'_>, tracked: bool) -> Known {
    let [took_part, dead, waited, joins] =
        [reader.bits(), reader.bits(), reader.bits(), reader.bits()];
    let pairs = reader.list(|reader| {
        let (pair, rest) = reader.0.split_at_checked(2).unwrap_or((&[0, 0], &[]));
        reader.0 = rest;
        (pair[0], pair[1])
    });
    let ordered = if tracked { memory::unpack_ordered(reader).map(Box::new) } else { None };
    Known { took_part, dead, waited, joins, pairs, ordered }
}
