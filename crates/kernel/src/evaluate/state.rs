//! The state of one agent: its frames, registers and private memory.

use super::facts::Facts;
use super::registers::Registers;
use crate::flight::Flight;
use crate::ir::{BlockId, FunctionId, Place, Reg};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// Private memory by address: the number of bytes, and the value.
pub(crate) type Private = OrderedMap<u64, (u8, Value)>;

/// Everything that determines the remaining steps of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct State {
    /// Active calls, the innermost last.
    pub(crate) frames: Vec<Frame>,
    pub(crate) private: Rc<Private>,
    /// Whether its path so far depends on data.
    pub(crate) decided: bool,
    /// Whether it has performed an operation.
    pub(crate) acted: bool,
    /// The number of times that it reached each OpenCL barrier.
    pub(crate) rounds: OrderedMap<u32, u32>,
    /// The number of passed barriers of the whole CTA that [`super::known`] counts.
    pub(crate) epoch: u8,
    /// Outstanding operations of a wave, for AMDGPU machine code.
    pub(crate) flight: Flight,
    /// Beside barriers in LDS: the named barrier joined last, and those arrived at but not waited for, one bit for each ID.
    pub(crate) named: (u8, u32),
    /// Whether it has reached a loop. Its operations may then represent several iterations.
    pub(crate) loops: bool,
    /// If agents agree on data: the number of passed halves of barriers of the whole workgroup. 0 in a proof.
    pub(crate) turn: u32,
    /// The number of branches that depended on such data.
    pub(crate) asks: u32,
    /// Threads of an NVIDIA warp that wait for other threads of the warp.
    pub(crate) waiting: Vec<Waiting>,
    /// Answers of the host in a proof.
    pub(crate) facts: Facts,
}

/// An active call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) registers: Registers,
    /// Groups of lanes; the last one runs first.
    pub(crate) parts: Vec<Part>,
    /// The registers of the caller that take the results.
    pub(crate) results: Vec<Reg>,
    /// The values returned so far.
    pub(crate) returned: Vec<Value>,
    /// Branches on data of which both sides are running.
    pub(crate) sides: Vec<Sides>,
}

/// Lanes that execute together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) block: BlockId,
    pub(crate) index: usize,
    pub(crate) mask: u64,
    /// The block at which they wait for others.
    pub(crate) until: Option<BlockId>,
    /// Whether it depends on data that they reach this place.
    pub(crate) possible: bool,
    /// Their side of a branch on data.
    pub(crate) side: Side,
    /// The lanes that perform the next instruction, if data have selected them.
    pub(crate) chosen: Option<u64>,
}

/// A side of a branch on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    None,
    First,
    Second,
}

/// A branch on data of which both sides are running.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sides {
    /// The block that branches.
    pub(crate) block: BlockId,
    /// The state before the branch, until the first side has run; then the state after the first side.
    pub(crate) other: Snapshot,
}

/// The part of a state that a side of a branch can change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Snapshot {
    pub(crate) registers: Registers,
    pub(crate) returned: Vec<Value>,
    pub(crate) private: Rc<Private>,
    pub(crate) flight: Flight,
}

/// Threads that wait at an operation for others of its mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(super) mask: u64,
    pub(super) arrived: u64,
    pub(super) place: Place,
}

impl State {
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    pub(crate) fn part(&self) -> Option<&Part> {
        self.frame()?.parts.last()
    }

    pub(crate) fn part_mut(&mut self) -> Option<&mut Part> {
        self.frame_mut()?.parts.last_mut()
    }

    /// Marks that it depends on data whether the agent reaches this place and all that follow.
    pub(crate) fn make_possible(&mut self) {
        let parts = self.frames.iter_mut().flat_map(|frame| &mut frame.parts);
        parts.for_each(|part| part.possible = true);
    }

    /// Whether it depends on data that the agent reaches this place with these lanes.
    pub(crate) fn is_possible(&self) -> bool {
        self.frames.iter().filter_map(|frame| frame.parts.last()).any(|part| part.possible)
    }

    pub(crate) fn snapshot(&self) -> Option<Snapshot> {
        let frame = self.frame()?;
        Some(Snapshot {
            registers: frame.registers.clone(),
            returned: frame.returned.clone(),
            private: self.private.clone(),
            flight: self.flight.clone(),
        })
    }

    /// Exchanges the part of the state that a side of a branch can change.
    pub(crate) fn exchange(&mut self, other: Snapshot) -> Option<Snapshot> {
        let now = self.snapshot()?;
        let frame = self.frame_mut()?;
        (frame.registers, frame.returned) = (other.registers, other.returned);
        (self.private, self.flight) = (other.private, other.flight);
        Some(now)
    }

    /// Merges the states after both sides of a branch. Bits that differ become data.
    pub(crate) fn merge(&mut self, other: &Snapshot) {
        let private = merged_private(&self.private, &other.private);
        self.private = private;
        self.flight.merge(&other.flight);
        let Some(frame) = self.frame_mut() else { return };
        let mut registers = frame.registers.clone();
        for (register, one, other) in frame.registers.changed(&other.registers) {
            let merged = one.merged(other);
            registers.get_mut(register).into_iter().for_each(|value| *value = merged.clone());
        }
        frame.registers = registers;
        let returned = core::mem::take(&mut frame.returned);
        frame.returned = match (returned.is_empty(), other.returned.is_empty()) {
            (true, _) => other.returned.clone(),
            (_, true) => returned,
            _ => {
                returned.iter().zip(&other.returned).map(|(one, other)| one.merged(other)).collect()
            }
        };
    }

    /// Registers of the innermost function, and private memory, that differ from those of another state at the same place
    /// become data.
    pub(crate) fn forget_differences(&mut self, other: &Self, widths: &[u8]) {
        let data = |value: &mut Value, other: Option<&Value>, width: u8| {
            if other != Some(&*value) {
                *value = Value::data(width).with_origin(value.origin);
            }
        };
        if let (Some(frame), Some(before)) = (self.frames.last_mut(), other.frames.last()) {
            let now = frame.registers.clone();
            for (register, _, before) in now.changed(&before.registers) {
                let width = widths.get(register as usize).copied().unwrap_or(64);
                if let Some(value) = frame.registers.get_mut(register) {
                    data(value, Some(before), width);
                }
            }
        }
        if self.private != other.private {
            for (at, (bytes, value)) in Rc::make_mut(&mut self.private) {
                let before = other.private.get(at).map(|(_, value)| value);
                data(value, before, bytes.saturating_mul(8));
            }
        }
    }

    /// Removes lanes that end, or return from the innermost function, from all parts. On one side of a branch on data, only the
    /// current part loses them: whether they have ended depends on data.
    pub(crate) fn end_lanes(&mut self, mask: u64, everywhere: bool) {
        let inner = self.frames.len().saturating_sub(1);
        let ended = if everywhere { 0 } else { inner };
        if self.frames[ended..].iter().any(|frame| !frame.sides.is_empty()) {
            self.part_mut().into_iter().for_each(|part| part.mask = 0);
            self.make_possible();
            return;
        }
        for part in self.frames[ended..].iter_mut().flat_map(|frame| &mut frame.parts) {
            part.mask &= !mask;
        }
    }

    pub(crate) fn set(&mut self, register: Reg, value: Value) {
        if let Some(frame) = self.frame_mut()
            && let Some(old) = frame.registers.get_mut(register)
        {
            *old = value;
        }
    }

    pub(crate) fn get(&self, register: Reg) -> Value {
        let found = self.frame().and_then(|frame| frame.registers.get(register));
        found.cloned().unwrap_or_else(|| Value::int(0))
    }

    /// The approximate size in bytes, without the data shared with earlier states: only the registers of the innermost function
    /// count.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.frame().map_or(0, |frame| frame.registers.bytes())
    }

    /// The lanes that have not ended.
    pub(crate) fn alive(&self) -> u64 {
        let parts = self.frames.iter().flat_map(|frame| &frame.parts);
        parts.fold(0, |all, part| all | part.mask)
    }

    /// Assigns to registers at once, in the lanes of a mask.
    pub(crate) fn assign(&mut self, moves: Vec<(Reg, Value)>, mask: u64, lanes: usize) {
        for (register, value) in moves {
            let old = self.get(register);
            let all = value.agreed != 0 && mask | !self.alive() == u64::MAX;
            self.set(register, if all { value } else { value.masked(mask, &old, lanes) });
        }
    }
}

fn merged_private(one: &Rc<Private>, other: &Rc<Private>) -> Rc<Private> {
    if Rc::ptr_eq(one, other) || one == other {
        return one.clone();
    }
    let mut merged = Private::new();
    for (&address, (bytes, value)) in one.iter() {
        let value = match other.get(&address) {
            Some((same, known)) if same == bytes => value.merged(known),
            _ => continue,
        };
        merged.insert(address, (*bytes, value));
    }
    Rc::new(merged)
}
