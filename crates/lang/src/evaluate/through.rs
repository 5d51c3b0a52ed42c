//! Accesses through pointers: the targets of a pointer, and the private variables among them.

use super::operands::beyond;
use super::surroundings::Surroundings;
use super::terms;
use super::thread::Thread;
use crate::diagnostic::Diagnostic;
use crate::expression::memory::At;
use crate::expression::{Binary, Value, binary, linear, memory};
use crate::lower::code::{PRIVATE, Private, Step, Through};
use alloc::vec::Vec;

/// Unknown data.
const NOT_KNOWN: Value = Value::Data(terms::NOT_KNOWN);

impl Thread {
    /// Assigns the address of a private variable of the innermost frame to another variable.
    pub(super) fn address(&mut self, slot: u16, private: u16) {
        let depth = (self.frames.len() as u32).checked_sub(1);
        self.set(slot, Value::Int(memory::address(PRIVATE + private, 0, depth)));
    }

    /// Performs the next access through a pointer if it is private; otherwise prepares it for the operation that
    /// follows.
    pub(super) fn through(
        &mut self,
        one: &Through,
        around: Surroundings,
    ) -> Result<(), Diagnostic> {
        let targets = self.targets(one, around)?;
        let turn = match self.slot(one.turn) {
            Some(Value::Int(turn)) => turn as usize,
            _ => 0,
        };
        let at = targets.get(turn).and_then(|&target| memory::at(target));
        let Some(at) = at else {
            if targets.is_empty() {
                let message =
                    "the target of this pointer is unknown; problems that involve it may be missed";
                around.instances.unfollowed(Diagnostic::error("not-followed", one.span, message));
                self.set(one.value, NOT_KNOWN);
            }
            self.go_to(one.end);
            return Ok(());
        };
        let single = targets.len() == 1 && !at.is_anywhere();
        let private = at.buffer.checked_sub(PRIVATE);
        let private = private.and_then(|index| around.code.privates.get(usize::from(index)));
        if !single {
            self.set(one.turn, Value::Int(turn as i64 + 1));
        }
        if let Some(&private) = private {
            self.private(one, (private, at), single, around)?;
            if single {
                self.go_to(one.end);
            }
            return Ok(());
        }
        // If the access can begin anywhere, its range is data.
        let (offset, start) = match at.is_anywhere() {
            true => (0, NOT_KNOWN),
            false => (at.offset, Value::Int(0)),
        };
        self.set(one.turn + 1, Value::Int(memory::address(at.buffer, offset, at.rank)));
        self.set(one.turn + 2, start);
        self.step_over();
        Ok(())
    }

    /// The possible first bytes of an access through a pointer; empty if unknown.
    fn targets(&self, one: &Through, around: Surroundings) -> Result<Vec<i64>, Diagnostic> {
        let reach = &around.arguments.reach;
        let [pointer, by] =
            [one.pointer, one.offset].map(|slot| self.slot(slot).unwrap_or(NOT_KNOWN));
        if !matches!((pointer, by), (Value::Data(_), _) | (_, Value::Data(_))) {
            return exact(pointer, by, one, around);
        }
        let all = match linear::settled(pointer, reach) {
            Value::Data(term) => around.instances.terms.targets(term),
            Value::Int(address) => alloc::vec![address],
            _ => Vec::new(),
        };
        let by = linear::settled(by, reach);
        let moved = |&target: &i64| match by {
            Value::Int(by) => memory::moved(target, by),
            _ => memory::anywhere(target),
        };
        let mut all: Vec<i64> = all.iter().filter_map(moved).collect();
        all.dedup();
        for at in all.iter().filter_map(|&target| memory::at(target)) {
            if !at.is_anywhere() {
                around.arguments.begins(at.buffer, Value::Int(at.offset), at.offset);
            }
        }
        Ok(all)
    }

    /// Reads or writes a private variable; after a write that may not happen, the variable is unknown.
    fn private(
        &mut self,
        one: &Through,
        (private, at): (Private, At),
        single: bool,
        around: Surroundings,
    ) -> Result<(), Diagnostic> {
        let bytes = i64::from(private.bytes).max(1);
        let told_apart = private.count > 0 && one.bytes == private.bytes && !at.is_anywhere();
        let index = (told_apart && at.offset % bytes == 0).then_some(at.offset / bytes);
        let mut slots = private.first..private.first + private.count.max(1);
        if let Some(index) = index {
            let Some(index) = u16::try_from(index).ok().filter(|&index| index < private.count)
            else {
                let size = bytes * i64::from(private.count);
                let message = beyond(size, at.offset, at.offset + bytes);
                return Err(Diagnostic::error("outside-memory", one.span, message));
            };
            slots = private.first + index..private.first + index + 1;
        }
        let exact = single && index.is_some();
        let written = match exact && !self.is_doubtful(around) {
            true => self.slot(one.value),
            false => Some(NOT_KNOWN),
        };
        let read = {
            let depth = at.rank.unwrap_or_default() as usize;
            let Some(frame) = self.frames.get_mut(depth) else { return Ok(()) };
            for slot in slots.clone().filter(|_| one.writes) {
                written.into_iter().for_each(|value| frame.set(slot, value));
            }
            frame.slots.get(usize::from(slots.start)).copied().flatten()
        };
        if !one.writes {
            let read = if exact { read } else { Some(NOT_KNOWN) };
            self.put(one.value, read);
        }
        Ok(())
    }

    /// Whether data decide if the next access happens.
    fn is_doubtful(&self, around: Surroundings) -> bool {
        let following = self.frames.last().map_or(0, |frame| frame.pc as usize + 1);
        let Some(Step::Operate(operate)) = around.code.steps.get(following) else { return true };
        let mut modes = operate.guards.iter().filter_map(|&(mode, _)| self.slot(mode));
        modes.any(|mode| mode != Value::Int(0))
    }
}

/// The first byte of an access whose pointer and offset are known or depend on arguments.
fn exact(
    pointer: Value,
    by: Value,
    one: &Through,
    around: Surroundings,
) -> Result<Vec<i64>, Diagnostic> {
    let reach = &around.arguments.reach;
    let Ok(sum) = binary(Binary::Add, pointer, by, reach) else { return Ok(Vec::new()) };
    let memory = memory::at(linear::now(pointer));
    let size = memory.and_then(|at| around.code.buffers.get(usize::from(at.buffer)));
    if let (Some(at), Some(held)) = (memory, size) {
        // An access out of bounds is out of bounds for all values of an argument that are at least as far away.
        let first = memory::address(at.buffer, 0, at.rank);
        let following = i64::from(held.size) - i64::from(one.bytes);
        if linear::leaves(sum, (first, first + following), reach).is_some() {
            let offset = linear::now(sum) - first;
            let message = beyond(held.size.into(), offset, offset + i64::from(one.bytes));
            return Err(Diagnostic::error("outside-memory", one.span, message));
        }
    }
    let known = matches!(sum, Value::Int(_) | Value::Linear(_));
    if let (Some(at), Some(held), true) = (memory, size, known) {
        let first = memory::address(at.buffer, 0, at.rank);
        let offset = binary(Binary::Subtract, sum, Value::Int(first), reach).unwrap_or(sum);
        let most = i64::from(held.size) - i64::from(one.bytes);
        let offset = linear::now(around.arguments.begins(at.buffer, offset, most));
        return Ok(alloc::vec![first + offset]);
    }
    let sum = match linear::settled(sum, reach) {
        Value::Int(sum) => Some(sum).filter(|&sum| memory::at(sum).is_some()),
        _ => None,
    };
    Ok(sum.into_iter().collect())
}
