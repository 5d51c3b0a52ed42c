//! NVIDIA instructions: the destinations of their results, and instructions that are not operations.

use super::code::{Bytes, Looks, Meaning, Operand, Operate, Outcome, Step};
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Expression, Mbarrier, Value};
use crate::parse::next_register;
use crate::tree::{self, Block, Instruction, Name, StatementKind};
use crate::vocabulary::nvidia::{Flags, Kind};
use crate::vocabulary::sass::LOAD;
use crate::vocabulary::tlx::{STORED, UPSTREAM};
use crate::vocabulary::{Effect, Place, ptx};
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Buffer, BufferId, Space};
use tidegate_model::operation::Object;
use tidegate_model::ptx::action::Spelling;

impl Lowering<'_, '_, '_> {
    /// The mbarrier objects of a name.
    pub(super) fn is_mbarrier(&self, name: &Name) -> Option<Mbarrier> {
        match self.context.globals.meaning(&name.text) {
            Some(Meaning::Value(Value::Mbarrier(object))) => Some(object),
            _ => None,
        }
    }

    /// A load, a store or a copy of the memory of an mbarrier object, which is not an operation on it.
    fn foreign(&self, instruction: &Instruction, source: u32) -> Option<Operate> {
        let (name, object) = instruction.operands.iter().find_map(|operand| match operand {
            tree::Operand::Bytes(name, _) | tree::Operand::Stage(name, _) => {
                Some((name, self.is_mbarrier(name)?))
            }
            _ => None,
        })?;
        let object = Mbarrier { count: 1, ..object };
        let code = alloc::vec![(Atom::Mbarrier(object), name.span)];
        let value = Expression { code, span: name.span };
        let operands = alloc::vec![Operand::Value(Place::Any, value)];
        Some(Operate {
            nvidia: Some((&ptx::ACCESS, Flags::default())),
            ..Operate::new(&ptx::ACCESS.row, operands, self.declared(), source)
        })
    }

    /// The operation of an instruction. A load or store of the memory of an mbarrier object is an access to it; a copy
    /// is both that access and a copy.
    pub(super) fn operate(
        &mut self,
        instruction: &Instruction,
        operands: Vec<Operand>,
        outcome: Outcome,
        source: u32,
    ) -> Operate {
        match self.foreign(instruction, source) {
            Some(access) if instruction.operands.len() == 1 => return access,
            Some(access) => {
                self.push(Step::Operate(access));
            }
            None => {}
        }
        let (row, nvidia) = (instruction.row, instruction.nvidia);
        if nvidia.is_some() && !matches!(row.effect, Effect::Nvidia(_)) {
            // The scope of a strong access may include the agent's own CTA only.
            self.looks.0 |= Looks::WORKGROUP;
        }
        let rounds = self.rounds_of(row.effect);
        Operate { outcome, nvidia, rounds, ..Operate::new(row, operands, self.declared(), source) }
    }

    /// An instruction that moves its last operand to its result; `mapa` maps an object to another CTA.
    pub(super) fn moved(&mut self, instruction: &Instruction, operands: Vec<Operand>) {
        let Some(name) = &instruction.result else { return };
        let mut values = operands.into_iter().filter_map(|operand| match operand {
            Operand::Value(_, value) => Some(value),
            _ => None,
        });
        let Some(mut value) = values.next() else { return };
        if let Some(rank) = values.next() {
            let span = value.span;
            value.code.extend(rank.code);
            value.code.push((Atom::Remote, span));
        }
        let slot = self.slot(&name.text).unwrap_or_else(|| self.declare(&name.text, name.span));
        self.push(Step::Set(slot, value));
    }

    /// Declares the registers set by a predicated instruction, so that they exist after it.
    pub(super) fn registers(&mut self, guarded: &Block) {
        let [one] = &guarded.statements[..] else { return };
        let all = match &one.kind {
            StatementKind::Several(all) => &all[..],
            _ => core::slice::from_ref(one),
        };
        for statement in all {
            let names = match &statement.kind {
                StatementKind::Instruction(one) if one.nvidia.is_some() => one.result.as_slice(),
                StatementKind::Forget(names) => names,
                _ => continue,
            };
            for name in names {
                let known = self.slot(&name.text).is_some();
                if !known && self.context.globals.meaning(&name.text).is_none() {
                    self.declare(&name.text, name.span);
                }
            }
        }
    }

    /// The high half of a word in a register pair, if it is set: `UR7` after `UR6`.
    pub(super) fn high_half(&self, low: &Operand, text: &str) -> Option<Operand> {
        let Operand::Value(place, value) = low else { return None };
        let [(Atom::Slot(_), span)] = value.code[..] else { return None };
        let next = next_register(crate::lexer::slice(text, span))?;
        let code = alloc::vec![(Atom::Slot(self.slot(&next)?), span)];
        Some(Operand::Value(*place, Expression { code, span }))
    }

    /// The predicate that a thread contributes to a reduction; a name without a variable becomes one without a value.
    pub(super) fn predicate(&mut self, operands: &mut [tree::Operand]) {
        let Some(tree::Operand::Value(value)) = operands.get_mut(1) else { return };
        let text = self.context.text;
        let names = value.code.iter().filter(|(atom, _)| *atom == Atom::Name);
        let is_known =
            |name: &str| self.slot(name).is_some() || self.context.globals.meaning(name).is_some();
        if names.map(|(_, span)| crate::lexer::slice(text, *span)).all(is_known) {
            return;
        }
        let span = value.span;
        value.code = alloc::vec![(Atom::Slot(self.declare("", span)), span)];
    }

    /// Bytes of a declared memory; `None` for those of an mbarrier object.
    pub(super) fn bytes(
        &mut self,
        name: &Name,
        range: &Option<(Expression, Expression)>,
    ) -> Option<Operand> {
        let (buffer, base) = match self.context.globals.meaning(&name.text) {
            Some(Meaning::Memory(buffer)) => (buffer, None),
            _ if self.is_mbarrier(name).is_some() => return None,
            _ => {
                let Some(slot) = self.slot(&name.text) else {
                    self.unknown_name(&name.text, name.span, "memory");
                    return None;
                };
                // Whether an address is in another CTA depends on the agent's own CTA.
                self.looks.0 |= Looks::WORKGROUP;
                let code = alloc::vec![(Atom::Slot(slot), name.span)];
                (0, Some(Expression { code, span: name.span }))
            }
        };
        let held = self.code.buffers.get(usize::from(buffer)).map_or(1, |buffer| buffer.size);
        let size = if base.is_some() { u32::MAX } else { held };
        let range = range.as_ref().map(|(start, end)| {
            let to_the_end = || {
                let code = alloc::vec![(Atom::Int(i64::from(size)), start.span)];
                Expression { code, span: start.span }
            };
            let end = if end.code.is_empty() { to_the_end() } else { self.resolve(end) };
            (self.resolve(start), end)
        });
        Some(Operand::Bytes(Bytes { buffer, base, size, range, span: name.span }))
    }

    /// One stage of a declared memory.
    pub(super) fn stage(&mut self, name: &Name, index: &Expression) -> Option<Operand> {
        let stage = self.context.globals.stage(&name.text);
        if stage.is_none() && self.is_mbarrier(name).is_none() {
            if !matches!(self.context.globals.meaning(&name.text), Some(Meaning::Memory(_))) {
                self.unknown_name(&name.text, name.span, "memory");
                return None;
            }
            let message = format!(
                "`{0}` has no stages: declare it as `shared {0}[STAGES][BYTES]`, or write the bytes as `{0}[A..B]`",
                name.text
            );
            self.reports.error("not-an-array", index.span, message);
            return None;
        }
        let at = |code: &[(Atom, Span)], more: i64| {
            let (mut code, span) = (code.to_vec(), index.span);
            let bytes = i64::from(stage.unwrap_or(1));
            for (number, operator) in [(more, Binary::Add), (bytes, Binary::Multiply)] {
                code.extend([(Atom::Int(number), span), (Atom::Binary(operator), span)]);
            }
            Expression { code, span }
        };
        self.bytes(name, &Some((at(&index.code, 0), at(&index.code, 1))))
    }

    /// A tile of shared memory at an unknown address: its name is neither a memory nor a variable.
    pub(super) fn unknown_tile(&self, operand: &tree::Operand) -> Option<Operand> {
        let known =
            |name: &str| self.slot(name).is_some() || self.context.globals.meaning(name).is_some();
        let text = self.context.text;
        let (unknown, span) = match operand {
            tree::Operand::Bytes(name, _) | tree::Operand::Stage(name, _) => {
                (!known(&name.text), name.span)
            }
            tree::Operand::Value(value) => {
                let mut names = value.code.iter().filter(|(atom, _)| *atom == Atom::Name);
                (names.any(|(_, span)| !known(crate::lexer::slice(text, *span))), value.span)
            }
            _ => return None,
        };
        let code = alloc::vec![(Atom::Object(Object::Null), span)];
        unknown.then_some(Operand::Value(Place::Any, Expression { code, span }))
    }

    /// Whether an operand of a copy is an undeclared descriptor, which represents global memory with its name.
    pub(super) fn describes(&self, instruction: &Instruction, operand: &tree::Operand) -> bool {
        let Some((row, _)) = instruction.nvidia else { return false };
        let stores = core::ptr::eq(row.row.name, STORED.instruction.row.name);
        let descriptor = if stores { 0 } else { 1 };
        let at = instruction.operands.iter().position(|one| core::ptr::eq(one, operand));
        (stores || core::ptr::eq(row, &UPSTREAM.instruction))
            && at == Some(descriptor)
            && matches!(operand, tree::Operand::Bytes(_, None))
            && self.unknown_tile(operand).is_some()
    }

    /// The memory of an undeclared descriptor, one for each name.
    pub(super) fn described(&mut self, name: &Name) -> Operand {
        let known = self.code.buffer_names.iter().position(|known| *known == name.text);
        let buffer = known.unwrap_or_else(|| {
            let (space, size, image) = (Space::Global, u32::MAX, false);
            self.code.buffers.push(Buffer { space, size, image, owner: None, instance_of: None });
            self.code.buffer_names.push(name.text.clone());
            self.code.buffers.len() - 1
        });
        let buffer = buffer.min(usize::from(BufferId::MAX)) as BufferId;
        Operand::Bytes(Bytes { buffer, base: None, size: u32::MAX, range: None, span: name.span })
    }

    /// For a tile load in machine code, the object and the coordinates, which are in the registers after the address.
    pub(super) fn behind_address(&self, instruction: &Instruction, operands: &mut Vec<Operand>) {
        let Some((row, flags)) = instruction.nvidia else { return };
        let Some(tree::Operand::Bytes(name, _)) = instruction.operands.first() else { return };
        if row.row.name != LOAD || operands.len() < 2 {
            return;
        }
        let (mut register, span) = (name.text.clone(), name.span);
        for at in 0..=flags.elements {
            let Some(next) = next_register(&register) else { return };
            register = next;
            let held = self.slot(&register).map(Atom::Slot);
            let code = alloc::vec![(held.unwrap_or(Atom::Object(Object::Null)), span)];
            let place = if at == 0 { Place::Any } else { Place::Coordinate };
            let operand = Operand::Value(place, Expression { code, span });
            operands.insert(2 + usize::from(at), operand);
        }
    }

    /// A coordinate of a tile; an undefined name has no value.
    pub(super) fn coordinate(&mut self, value: &Expression) -> Operand {
        let value = match self.unknown_tile(&tree::Operand::Value(value.clone())) {
            Some(Operand::Value(_, unknown)) => unknown,
            _ => self.resolve(value),
        };
        Operand::Value(Place::Coordinate, value)
    }

    /// Number of mbarrier objects of a CTA.
    pub(super) fn declared(&self) -> u16 {
        self.code.mbarriers.len() as u16
    }

    /// In machine code, a token is in two registers: its phase, which waits test, is in the second, `R3` after `R2`.
    pub(super) fn high_half_of_token(&mut self, instruction: &Instruction, outcome: Outcome) {
        let (Outcome::Token(low), Some(name)) = (outcome, &instruction.result) else { return };
        let sass = instruction.nvidia.is_some_and(|(row, _)| row.spelling == Spelling::Sass);
        if let Some(high) = next_register(&name.text).filter(|_| sass) {
            let slot = self.slot(&high).unwrap_or_else(|| self.declare(&high, name.span));
            let code = alloc::vec![(Atom::Slot(low), name.span)];
            self.push(Step::Set(slot, Expression { code, span: name.span }));
        }
    }

    /// The destination of the predicate or token of an instruction.
    pub(super) fn outcome_of_nvidia(&mut self, instruction: &Instruction, kind: Kind) -> Outcome {
        let Some(name) = &instruction.result else { return Outcome::Nowhere };
        if !kind.has_predicate() && !kind.has_token() && !kind.has_count() {
            if kind != Kind::Move {
                // Its result is not a known number; a variable with its name must not seem to have one.
                self.declare(&name.text, name.span);
            }
            return Outcome::Nowhere;
        }
        let slot = self.slot(&name.text).unwrap_or_else(|| self.declare(&name.text, name.span));
        match kind {
            _ if kind.has_predicate() => Outcome::Slot(slot),
            _ if kind.has_count() => Outcome::Count(slot),
            _ => Outcome::Token(slot),
        }
    }
}
