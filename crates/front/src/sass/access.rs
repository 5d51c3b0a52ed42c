//! Loads, stores, atomic operations and copies of a thread.

use super::function::Lowering;
use super::listing::Line;
use super::operand::{Operand as Written, Register};
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Comparison, Kind, NvidiaKind, Op, Operand, Reg, Space, Special};
use tidegate_model::mem::operation::Scope;

fn has(head: &str, wanted: &str) -> bool {
    head.split('.').any(|part| part == wanted)
}

/// The bytes of each lane.
fn bytes(head: &str) -> u32 {
    match () {
        () if has(head, "128") => 16,
        () if has(head, "64") || has(head, "F64") || has(head, "S64") => 8,
        () if has(head, "U8") || has(head, "S8") => 1,
        () if has(head, "U16") || has(head, "S16") => 2,
        () => 4,
    }
}

impl<'t> Lowering<'_, 't> {
    /// An instruction that accesses memory; `false` if it is none.
    pub(super) fn access(&mut self, head: &str, line: &Line<'t>) -> bool {
        let space = match head {
            "LDS" | "STS" | "ATOMS" | "LDSM" | "STSM" | "LDAS" | "STAS" => Space::Local,
            "LDG" | "STG" | "ATOMG" | "REDG" => Space::Global,
            "LDL" | "STL" => Space::Private,
            "LD" | "ST" | "ATOM" | "RED" => Space::Generic,
            "LDGSTS" => return self.copy_of_thread(line),
            _ => return false,
        };
        let Some(address) = line.operands.iter().find(|it| matches!(it, Written::Address(..)))
        else {
            return false;
        };
        let (base, offset) = self.address(address, space);
        match head {
            "LDSM" | "STSM" => self.matrix(head, line, base, offset),
            "ATOMS" | "ATOMG" | "REDG" | "ATOM" | "RED" => {
                let access = Access::atomic(base, space, bytes(line.head), Vec::new());
                let atomic = Self::atomic(line).or(access.atomic);
                self.builder.access(Access { offset, atomic, ..access });
                if !head.starts_with("RED") {
                    let to = self.results(line);
                    self.builder.push(Kind::Opaque { to });
                }
            }
            _ if head.starts_with("LD") => self.load(line, space, base, offset),
            _ => self.store(line, space, base, offset),
        }
        true
    }

    /// The base and the offset of an address.
    fn address(&mut self, operand: &Written<'t>, space: Space) -> (Operand, i64) {
        let Written::Address(registers, offset) = operand else { return (Operand::Data, 0) };
        let wide = matches!(space, Space::Global | Space::Generic);
        let mut sum = Operand::Int(0);
        for (at, register) in registers.iter().enumerate() {
            let value = match (wide, register.uniform, register.wide) {
                (false, ..) => self.word(*register),
                (true, true, _) | (true, false, true) => self.pair(*register),
                // `[RZ.U32+UR4]`, or an address as old code names it.
                (true, false, false) if registers.len() > 1 => self.word(*register),
                (true, false, false) => self.pair(*register),
            };
            let width = if wide { 64 } else { 32 };
            let value = match register.shift {
                0 => value,
                shift => {
                    let shift = Operand::Int(shift.into());
                    self.builder.compute(width, Op::Shl, &[value, shift])
                }
            };
            sum = match at {
                0 => value,
                _ => self.builder.compute(width, Op::Add, &[sum, value]),
            };
        }
        (sum, *offset)
    }

    /// The scope of a strong access. Operations on shared memory have no scope: it is that of the CTA.
    fn atomic(line: &Line<'_>) -> Option<Scope> {
        let narrow = has(line.head, "SM") || has(line.head, "CTA");
        let scope = if narrow { Scope::Workgroup } else { Scope::System };
        (has(line.head, "STRONG") || has(line.head, "MMIO")).then_some(scope)
    }

    fn load(&mut self, line: &Line<'t>, space: Space, base: Operand, offset: i64) {
        let Some(target) = line.operands.iter().find_map(|operand| match operand {
            Written::Register(register, _) => Some(*register),
            _ => None,
        }) else {
            return;
        };
        let bytes = bytes(line.head);
        let mut access = Access::load(base, space, bytes, Vec::new());
        (access.offset, access.atomic) = (offset, Self::atomic(line));
        if bytes >= 4 {
            for by in 0..(bytes / 4) as u8 {
                let register = self.register(Self::after(target, by));
                access.to.push(register.unwrap_or_else(|| self.builder.register(32)));
            }
            self.builder.access(access);
            return;
        }
        let read: Reg = self.builder.register(8 * bytes as u8);
        access.to.push(read);
        self.builder.access(access);
        let op = match has(line.head, "S8") || has(line.head, "S16") {
            true => Op::SignExtend(8 * bytes as u8),
            false => Op::Copy,
        };
        let value = self.builder.compute(32, op, &[Operand::Register(read)]);
        self.set(target, value);
    }

    fn store(&mut self, line: &Line<'t>, space: Space, base: Operand, offset: i64) {
        let bytes = bytes(line.head);
        let mut values = Vec::new();
        match line.operands.iter().rev().find(|it| !matches!(it, Written::Address(..))) {
            Some(Written::Register(register, _)) => {
                for by in 0..bytes.div_ceil(4) as u8 {
                    values.push((self.word(Self::after(*register, by)), bytes.min(4) as u8));
                }
            }
            Some(other) => values.push((self.value(other), bytes.min(4) as u8)),
            None => {}
        }
        let access = Access::store(base, space, bytes, values);
        self.builder.access(Access { offset, atomic: Self::atomic(line), ..access });
    }

    /// `LDSM.16.M88.4 R0, [R4]`: each of the first lanes names a row of 16 bytes.
    fn matrix(&mut self, head: &str, line: &Line<'t>, base: Operand, offset: i64) {
        let lanes = match line.head.rsplit('.').next() {
            Some("4") => 32,
            Some("2") => 16,
            _ => 8,
        };
        if lanes < 32 {
            let of = [Operand::Special(Special::Lane), Operand::Int(lanes)];
            let names = self.builder.compute(1, Op::Compare(Comparison::Ult, 32), &of);
            self.lanes_and(names);
        }
        let access = match head {
            "LDSM" => Access::load(base, Space::Local, 16, Vec::new()),
            _ => Access::store(base, Space::Local, 16, Vec::new()),
        };
        self.builder.access(Access { offset, ..access });
        let lanes = self.lanes();
        self.builder.guard(lanes);
        if let (Some(Written::Register(register, _)), "LDSM") = (line.operands.first(), head) {
            let count = match line.head.rsplit('.').next() {
                Some("4") => 4,
                Some("2") => 2,
                _ => 1,
            };
            let to = (0..count).filter_map(|by| self.register(Self::after(*register, by)));
            let to = to.collect();
            self.builder.push(Kind::Opaque { to });
        }
    }

    /// `LDGSTS.E.128 [R0], desc[UR4][R2.64], P0`
    fn copy_of_thread(&mut self, line: &Line<'t>) -> bool {
        let mut addresses = line.operands.iter().filter(|it| matches!(it, Written::Address(..)));
        let (Some(to), Some(from)) = (addresses.next(), addresses.next()) else { return false };
        let to = self.whole_address(to, Space::Local);
        let from = self.whole_address(from, Space::Global);
        let bytes = Operand::Int(bytes(line.head).into());
        let reads = line.operands.iter().rev().find_map(|operand| match operand {
            Written::Predicate(predicate) => Some(*predicate),
            _ => None,
        });
        let reads = self.truth_or(reads, true);
        let read = self.builder.compute(32, Op::Select, &[reads, bytes, Operand::Int(0)]);
        self.push(NvidiaKind::CopyAsync, alloc::vec![to, from, bytes, read], Vec::new());
        true
    }

    /// An address as one value.
    pub(super) fn whole_address(&mut self, operand: &Written<'t>, space: Space) -> Operand {
        match self.address(operand, space) {
            (base, 0) => base,
            (base, offset) => {
                let width = if space == Space::Local { 32 } else { 64 };
                self.builder.compute(width, Op::Add, &[base, Operand::Int(offset as u64)])
            }
        }
    }

    /// The register of a table operand.
    pub(super) fn table(operand: &Written<'t>, wanted: &str) -> Option<Register> {
        match operand {
            Written::Table(name, register, _) if *name == wanted => Some(*register),
            _ => None,
        }
    }
}
