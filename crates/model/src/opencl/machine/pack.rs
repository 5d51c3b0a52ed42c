//! States as short byte strings.

use super::Machine;
use super::memory::Memory;
use super::state::{At, Met, Object, Phase, Split, Standing, State};
use crate::leb128::{put, take};
use crate::opencl::action::{Arguments, Flags, Instance, Scope};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Machine {
    /// Writes a state to the end of `out`.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) {
        put(out, state.broken << 1 | u64::from(state.stopped));
        for at in &state.agents {
            put(out, u64::from(at.node) << 4 | (at.standing as u64) << 2 | at.split as u64);
        }
        state.made.iter().for_each(|&made| put(out, u64::from(made)));
        put(out, state.objects.len() as u64);
        for object in &state.objects {
            put(out, u64::from(object.group));
            put(out, u64::from(object.declared));
            put(out, u64::from(object.generation));
            put(out, u64::from(object.count));
            put_instance(out, object.at);
        }
        for phase in &state.phases {
            put_met(out, phase.open);
            put(out, phase.done.map_or(0, |done| 1 + arguments(done)));
            put_met(out, phase.waited);
        }
        if let Some(memory) = &state.memory {
            memory.pack(out);
        }
    }

    /// Reads a state of this program that [`Machine::pack`] wrote.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let rest = &mut &*bytes;
        let head = take(rest);
        let program = &self.context.program;
        let agents = program.agents.len();
        State {
            agents: (0..agents).map(|_| agent(take(rest))).collect(),
            made: (0..agents * self.declared).map(|_| take(rest) as u16).collect(),
            objects: (0..take(rest)).map(|_| take_object(rest)).collect(),
            phases: (0..program.launch.workgroups).map(|_| take_phase(rest)).collect(),
            memory: self.context.memory.is_some().then(|| Box::new(Memory::unpack(rest))),
            broken: head >> 1,
            stopped: head & 1 != 0,
        }
    }
}

fn agent(packed: u64) -> At {
    let standing = [Standing::Going, Standing::Waiting, Standing::Ended];
    let split = [Split::Idle, Split::Arrived, Split::Complete];
    At {
        node: (packed >> 4) as u32,
        standing: standing[(packed >> 2 & 3).min(2) as usize],
        split: split[(packed & 3).min(2) as usize],
    }
}

fn put_instance(out: &mut Vec<u8>, at: Instance) {
    put(out, u64::from(at.site));
    put(out, u64::from(at.round));
}

fn take_instance(rest: &mut &[u8]) -> Instance {
    Instance { site: take(rest) as u32, round: take(rest) as u32 }
}

fn arguments(arguments: Arguments) -> u64 {
    let flags = (0..16).find(|&bits| Flags::new(bits) == arguments.flags).unwrap_or(0);
    let others = u64::from(arguments.others) << 8;
    u64::from(flags) | (arguments.scope as u64) << 4 | u64::from(arguments.given) << 7 | others
}

fn arguments_of(packed: u64) -> Arguments {
    Arguments {
        flags: Flags::new(packed as u8 & 15),
        scope: Scope::ALL[(packed >> 4 & 7).min(4) as usize],
        given: packed >> 7 & 1 != 0,
        others: (packed >> 8) as u32,
    }
}

fn put_met(out: &mut Vec<u8>, met: Option<Met>) {
    put(out, met.map_or(0, |met| 1 + arguments(met.arguments)));
    if let Some(met) = met {
        put_instance(out, met.at);
    }
}

fn take_met(rest: &mut &[u8]) -> Option<Met> {
    let packed = take(rest).checked_sub(1)?;
    Some(Met { arguments: arguments_of(packed), at: take_instance(rest) })
}

fn take_phase(rest: &mut &[u8]) -> Phase {
    Phase {
        open: take_met(rest),
        done: take(rest).checked_sub(1).map(arguments_of),
        waited: take_met(rest),
    }
}

fn take_object(rest: &mut &[u8]) -> Object {
    let (group, declared) = (take(rest) as u32, take(rest) as u16);
    let (generation, count) = (take(rest) as u16, take(rest) as u32);
    Object { group, declared, generation, count, at: take_instance(rest) }
}
