//! Accesses to memory.

use super::super::decode::{Memory, Source};
use super::super::operand::{Bank, Registers, Scalar};
use super::super::table::access::{Does, Path};
use super::super::unit::Instruction;
use super::Shared;
use super::registers::File;
use alloc::vec::Vec;
use tidegate_kernel::ir::{
    Access, Comparison, Engine, Guard, Op, Operand, Reg, Space, Special, window,
};
use tidegate_model::mem::operation::Scope;

/// Where the bytes of an access begin.
struct Address {
    value: Operand,
    space: Space,
    /// The lanes in which the access is in range, if that is checked.
    in_range: Option<Operand>,
    /// Whether the address is not all known.
    anywhere: bool,
}

impl File {
    /// Lowers an access.
    pub(super) fn access<'a>(
        &mut self,
        shared: &mut Shared<'a, '_>,
        instruction: &Instruction<'a>,
        memory: &Memory<'a>,
    ) {
        let address = self.address(memory);
        let scalar = matches!(memory.access.path, Path::Scalar | Path::ScalarBuffer);
        let bytes = u32::from(memory.access.bytes);
        let count = if memory.access.stride.is_some() { 2 } else { 1 };
        let stride = memory.access.stride.map_or(1, i64::from);
        // The first load may write the register of the address.
        let first = if count > 1 {
            self.out.compute(32, Op::Copy, &[address.value])
        } else {
            address.value
        };
        for index in 0..count {
            let offset = memory.constants[index].wrapping_mul(stride);
            let value = first;
            let mut access = match memory.access.does {
                Does::Load => Access::load(value, address.space, bytes, Vec::new()),
                Does::Store => {
                    let values = self.stored(memory.data[index], bytes);
                    Access::store(value, address.space, bytes, values)
                }
                Does::Arrive { .. } => return self.arrive(memory, value),
                Does::Atomic { .. } => Access::atomic(value, address.space, bytes, Vec::new()),
                Does::CopyIn | Does::CopyOut => {
                    return self.copy(shared, instruction, memory, &address);
                }
                Does::Exchange | Does::Hint => return,
            };
            access.offset = offset;
            access.anywhere = address.anywhere;
            access.perhaps_atomic =
                access.atomic.is_none() && memory.scope.is_some_and(|scope| scope >= Scope::Agent);
            access.engine = if scalar { Engine::Scalar } else { Engine::Vector };
            let loaded = self.results(memory, index, bytes);
            access.to.clone_from(&loaded);
            self.out.guard(match (scalar, address.in_range) {
                (true, _) => None,
                (_, Some(mask)) => Some(Guard::Mask(mask)),
                _ => Some(self.guard()),
            });
            self.out.access(access);
            self.out.guard(None);
            self.widen(memory, &loaded);
        }
    }

    /// An arrival at a barrier in LDS.
    fn arrive(&mut self, memory: &Memory<'_>, address: Operand) {
        let offset = Operand::Int(memory.constants[0] as u64);
        let address = self.out.compute(32, Op::Add, &[address, offset]);
        let count = match memory.data[0] {
            _ if memory.access.asynchronous => None,
            Some(Source::Registers(registers)) => Some(self.read(registers.bank, registers.first)),
            _ => Some(Operand::Data),
        };
        self.out.guard(Some(self.guard()));
        self.out.arrive_in_lds(address, count);
        self.out.guard(None);
        if let Some(result) = memory.result {
            self.forget(result);
        }
    }

    /// Registers that a load writes; for less than 32 bits a register of its own.
    fn results(&mut self, memory: &Memory<'_>, index: usize, bytes: u32) -> Vec<Reg> {
        let Some(result) = memory.result else { return Vec::new() };
        if bytes < 4 {
            return alloc::vec![self.out.register(8 * bytes as u8)];
        }
        let count = bytes.div_ceil(4) as u8;
        let first = result.first + index as u16 * u16::from(count);
        self.targets(Registers { first, count: count.min(result.count), ..result })
    }

    /// Extends what a load of less than 32 bits has read. A load into one half of a register gives data.
    fn widen(&mut self, memory: &Memory<'_>, loaded: &[Reg]) {
        let (Some(result), &[narrow]) = (memory.result, loaded) else { return };
        if memory.access.bytes >= 4 {
            return;
        }
        let value = match memory.access.extends {
            Some(true) => {
                let bits = 8 * memory.access.bytes;
                self.out.compute(32, Op::SignExtend(bits), &[Operand::Register(narrow)])
            }
            Some(false) => Operand::Register(narrow),
            None => return self.forget(Registers { count: 1, ..result }),
        };
        self.write(result.bank, result.first, value);
    }

    /// What a store writes, register by register.
    fn stored(&mut self, data: Option<Source<'_>>, bytes: u32) -> Vec<(Operand, u8)> {
        match data {
            Some(Source::Registers(registers)) if bytes >= 4 => {
                let count = (bytes / 4).min(u32::from(registers.count)) as u16;
                let read = |index| (self.read(registers.bank, registers.first + index), 4);
                (0..count).map(read).collect()
            }
            Some(source) => {
                let value = self.source(source);
                alloc::vec![(value, bytes.min(8) as u8)]
            }
            None => Vec::new(),
        }
    }

    fn address(&mut self, memory: &Memory<'_>) -> Address {
        let plain = |value, space| Address { value, space, in_range: None, anywhere: false };
        match memory.access.path {
            Path::Ds => {
                let value = memory.address.map_or(Operand::Int(0), |source| self.source(source));
                plain(value, Space::Local)
            }
            Path::Scalar => {
                let base = memory.base.map_or(Operand::Data, |base| self.wide(base));
                let offset = memory.offset.map(|offset| self.source(offset));
                plain(self.sum(64, base, offset), Space::Generic)
            }
            Path::Scratch => {
                let base = memory.base.map_or(Operand::Int(0), |base| self.source(base));
                let offset = memory.address.map(|offset| self.source(offset));
                plain(self.sum(32, base, offset), Space::Private)
            }
            Path::Buffer | Path::ScalarBuffer => self.resource(memory),
            Path::Global | Path::Flat => {
                let space =
                    if memory.access.path == Path::Flat { Space::Generic } else { Space::Global };
                let Some(base) = memory.base else {
                    let value = memory.address.map_or(Operand::Data, |source| self.wide(source));
                    return plain(value, space);
                };
                let base = self.wide(base);
                let offset = memory.address.map(|offset| self.source(offset));
                let offset = offset.map(|offset| match memory.scaled {
                    true => {
                        let bytes = Operand::Int(u64::from(memory.access.bytes));
                        self.out.compute(64, Op::Mul, &[offset, bytes])
                    }
                    false => offset,
                });
                plain(self.sum(64, base, offset), space)
            }
        }
    }

    fn sum(&mut self, bits: u8, base: Operand, offset: Option<Operand>) -> Operand {
        match offset {
            Some(offset) => self.out.compute(bits, Op::Add, &[base, offset]),
            None => base,
        }
    }

    /// An address by a resource: 48 bits of base, offsets, and the number of bytes that it has.
    fn resource(&mut self, memory: &Memory<'_>) -> Address {
        let Some(Source::Registers(base)) = memory.base else {
            let value = Operand::Data;
            return Address { value, space: Space::Generic, in_range: None, anywhere: true };
        };
        let low = self.read(base.bank, base.first);
        let high = self.read(base.bank, base.first + 1);
        let bits = self.out.compute(32, Op::And, &[high, Operand::Int(0xffff)]);
        let mut value = self.out.compute(64, Op::Concat, &[low, bits]);
        // The bit that spreads elements over lanes marks the memory of a lane.
        let swizzled = self.out.compute(32, Op::ShrUnsigned, &[high, Operand::Int(31)]);
        let start = Operand::Int(window(Space::Private));
        let start = self.out.compute(64, Op::Mul, &[swizzled, start]);
        value = self.out.compute(64, Op::Add, &[value, start]);
        let lane = memory.address.map(|offset| self.source(offset));
        let scalar = memory.offset.map(|offset| self.source(offset));
        value = self.sum(64, value, lane);
        value = self.sum(64, value, scalar);
        let in_range = lane.filter(|_| !memory.indexed).map(|lane| {
            let records = self.read(base.bank, base.first + 2);
            let constant = Operand::Int(memory.constants[0] as u64);
            let offset = self.out.compute(64, Op::Add, &[lane, constant]);
            let below = self.out.compute(1, Op::Compare(Comparison::Ult, 64), &[offset, records]);
            self.ballot(below)
        });
        Address { value, space: Space::Generic, in_range, anywhere: memory.indexed }
    }

    /// A copy between global memory and LDS.
    fn copy<'a>(
        &mut self,
        _shared: &mut Shared<'a, '_>,
        _instruction: &Instruction<'a>,
        memory: &Memory<'a>,
        address: &Address,
    ) {
        let bytes = u32::from(memory.access.bytes);
        let constant = memory.constants[0];
        let local = match memory.local {
            Some(local) => self.source(local),
            // m0 has the address of the first lane; the others follow.
            None => {
                let m0 = self.read(Bank::Scalar, Scalar::M0);
                let m0 = self.out.compute(32, Op::And, &[m0, Operand::Int(0x3_ffff)]);
                let size = Operand::Int(u64::from(bytes.max(4)));
                let lane = Operand::Special(Special::Lane);
                let lane = self.out.compute(32, Op::Mul, &[lane, size]);
                self.out.compute(32, Op::Add, &[m0, lane])
            }
        };
        let local = self.out.compute(32, Op::Add, &[local, Operand::Int(constant as u64)]);
        let guard = address.in_range.map_or_else(|| self.guard(), Guard::Mask);
        self.out.guard(Some(guard));
        let mut copy = match memory.access.does {
            Does::CopyOut => {
                let offset = Operand::Int(constant as u64);
                let to = self.out.compute(64, Op::Add, &[address.value, offset]);
                let mut read = Access::load(local, Space::Local, bytes, Vec::new());
                read.copies_to = Some((to, address.space));
                read
            }
            _ => {
                let mut read = Access::load(address.value, address.space, bytes, Vec::new());
                (read.offset, read.anywhere) = (constant, address.anywhere);
                read.copies_to = Some((local, Space::Local));
                read
            }
        };
        let asynchronous = memory.access.asynchronous;
        copy.engine = if asynchronous { Engine::Asynchronous } else { Engine::Vector };
        self.out.access(copy);
        self.out.guard(None);
    }

    /// A copy of a tile by a descriptor: the first group has the address in LDS in its second register.
    pub(super) fn tensor(&mut self, groups: &[Registers], to_local: bool) {
        let mut word = |group: usize, at: u16| match groups.get(group) {
            Some(group) => self.read(group.bank, group.first + at),
            None => Operand::Data,
        };
        let local = word(0, 1);
        let words = [0, 1, 2, 3, 4].map(|at| word(1, at));
        let others = (2..groups.len()).flat_map(|group| (0..4).map(move |at| (group, at)));
        let zeros: Vec<Operand> = others.map(|(group, at)| word(group, at)).collect();
        self.out.copy_tile(to_local, local, words, &zeros);
    }
}
