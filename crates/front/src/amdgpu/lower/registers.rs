//! The register file of a wave as registers of the IR.

use super::super::decode::Source;
use super::super::operand::{Bank, Registers, Scalar};
use tidegate_kernel::builder::FunctionBuilder;
use tidegate_kernel::ir::{Comparison, Guard, Op, Operand, Place, Reg};
use tidegate_model::ordered::OrderedMap;

/// Builds the function of a kernel, with a register of the IR for each register of the machine.
pub(super) struct File {
    pub(super) out: FunctionBuilder,
    registers: OrderedMap<(Bank, u16), Reg>,
    /// EXEC, as wide as a wave.
    exec: Reg,
    /// The condition code, 1 bit.
    scc: Reg,
    /// Whether a later instruction reads the condition code that the next one writes. One that none reads is not computed: its
    /// compare could keep a loop from repeating.
    pub(super) scc_is_read: bool,
    /// Lanes of a wave: 32 or 64.
    pub(super) lanes: u8,
}

/// The constant address in hardware registers of the generic address space: its bits 63:32.
const APERTURES: [(&str, u64); 4] = [
    ("src_shared_base", 0x7f00_0000),
    ("src_private_base", 0x7e00_0000),
    ("src_shared_limit", 0x7f00_0000),
    ("src_private_limit", 0x7e00_0000),
];

/// The value of a hardware register of the generic address space, as 32 bits; as 64 bits it is the upper half.
pub(super) fn aperture(word: &str) -> Option<u64> {
    let word = word.strip_suffix("_hi").or_else(|| word.strip_suffix("_lo")).unwrap_or(word);
    APERTURES.iter().find(|(name, _)| *name == word).map(|(_, high)| *high)
}

impl File {
    pub(super) fn new(name: &str, place: Place, lanes: u8) -> Self {
        let mut out = FunctionBuilder::new(name, place);
        let (exec, scc) = (out.register(lanes), out.register(1));
        Self { out, registers: OrderedMap::new(), exec, scc, scc_is_read: true, lanes }
    }

    fn register(&mut self, bank: Bank, index: u16) -> Reg {
        let out = &mut self.out;
        *self.registers.entry((bank, index)).or_insert_with(|| out.register(32))
    }

    /// The mask of active lanes.
    pub(super) const fn exec(&self) -> Operand {
        Operand::Register(self.exec)
    }

    /// The condition code, 1 bit.
    pub(super) const fn scc(&self) -> Operand {
        Operand::Register(self.scc)
    }

    /// The register of the condition code.
    pub(super) const fn scc_register(&self) -> Reg {
        self.scc
    }

    /// The lanes that perform a vector instruction.
    pub(super) const fn guard(&self) -> Guard {
        Guard::Mask(Operand::Register(self.exec))
    }

    pub(super) fn set_scc(&mut self, value: Operand) {
        self.out.compute_to(self.scc, Op::Copy, &[value]);
    }

    pub(super) fn set_exec(&mut self, value: Operand) {
        self.out.compute_to(self.exec, Op::Copy, &[value]);
    }

    /// A register as a value of 32 bits.
    pub(super) fn read(&mut self, bank: Bank, index: u16) -> Operand {
        match (bank, index) {
            (Bank::Scalar, Scalar::EXEC) => match self.lanes {
                32 => self.exec(),
                _ => self.out.compute(32, Op::Copy, &[Operand::Register(self.exec)]),
            },
            (Bank::Scalar, index) if index == Scalar::EXEC + 1 && self.lanes == 64 => {
                self.high(Operand::Register(self.exec))
            }
            (Bank::Scalar, Scalar::NULL) => Operand::Int(0),
            (Bank::Scalar, Scalar::SCC) => self.out.compute(32, Op::Copy, &[self.scc()]),
            _ => Operand::Register(self.register(bank, index)),
        }
    }

    /// Bits 63:32 of a value.
    pub(super) fn high(&mut self, value: Operand) -> Operand {
        if let Operand::Int(value) = value {
            return Operand::Int(value >> 32);
        }
        let high = self.out.compute(64, Op::ShrUnsigned, &[value, Operand::Int(32)]);
        self.out.compute(32, Op::Copy, &[high])
    }

    /// A source of 32 bits.
    pub(super) fn source(&mut self, source: Source<'_>) -> Operand {
        match source {
            Source::Registers(Registers { bank, first, .. }) => self.read(bank, first),
            Source::Half(Registers { bank, first, .. }, upper) => {
                let whole = self.read(bank, first);
                match upper {
                    true => self.out.compute(32, Op::ShrUnsigned, &[whole, Operand::Int(16)]),
                    false => whole,
                }
            }
            Source::Number(value) => Operand::Int(value as u64 & 0xffff_ffff),
            Source::Symbol { .. } | Source::Data => Operand::Data,
        }
    }

    /// A source of 64 bits.
    pub(super) fn wide(&mut self, source: Source<'_>) -> Operand {
        match source {
            Source::Registers(registers) => self.pair(registers),
            Source::Number(value) => Operand::Int(value as u64),
            Source::Half(..) | Source::Symbol { .. } | Source::Data => Operand::Data,
        }
    }

    /// Two registers as a value of 64 bits; one register with zeros above.
    pub(super) fn pair(&mut self, Registers { bank, first, count }: Registers) -> Operand {
        if (bank, first) == (Bank::Scalar, Scalar::EXEC) && self.lanes == 64 && count == 2 {
            return self.exec();
        }
        let low = self.read(bank, first);
        if count < 2 {
            return self.out.compute(64, Op::Copy, &[low]);
        }
        let high = self.read(bank, first + 1);
        self.out.compute(64, Op::Concat, &[low, high])
    }

    /// A source that is a mask, as wide as a wave.
    pub(super) fn mask(&mut self, source: Source<'_>) -> Operand {
        match (source, self.lanes) {
            (Source::Registers(registers), 64) => self.pair(registers),
            (Source::Number(value), 64) => Operand::Int(value as u64),
            _ => self.source(source),
        }
    }

    /// Writes a value of 32 bits.
    pub(super) fn write(&mut self, bank: Bank, index: u16, value: Operand) {
        match (bank, index) {
            (Bank::Scalar, Scalar::NULL) => {}
            (Bank::Scalar, Scalar::SCC) => {
                let bit = self.is_not_zero(value, 32);
                self.set_scc(bit);
            }
            (Bank::Scalar, Scalar::EXEC) if self.lanes == 32 => self.set_exec(value),
            (Bank::Scalar, Scalar::EXEC) => {
                let high = self.high(self.exec());
                self.out.compute_to(self.exec, Op::Concat, &[value, high]);
            }
            (Bank::Scalar, index) if index == Scalar::EXEC + 1 && self.lanes == 64 => {
                let low = self.out.compute(32, Op::Copy, &[self.exec()]);
                self.out.compute_to(self.exec, Op::Concat, &[low, value]);
            }
            _ => {
                let to = self.register(bank, index);
                self.guarded(bank, |file| file.out.compute_to(to, Op::Copy, &[value]));
            }
        }
    }

    /// Writes the low 16 bits of a value into half of a register. The other half becomes zero unless it is `kept`.
    pub(super) fn write_half(&mut self, to: Registers, value: Operand, upper: bool, kept: bool) {
        let mut half = self.out.compute(32, Op::And, &[value, Operand::Int(0xffff)]);
        if upper {
            half = self.out.compute(32, Op::Shl, &[half, Operand::Int(16)]);
        }
        if kept {
            let mask = if upper { 0xffff } else { 0xffff_0000 };
            let old = self.read(to.bank, to.first);
            let old = self.out.compute(32, Op::And, &[old, Operand::Int(mask)]);
            half = self.out.compute(32, Op::Or, &[half, old]);
        }
        self.write(to.bank, to.first, half);
    }

    /// Writes a value of 64 bits into two registers, or its low half into one.
    pub(super) fn write_wide(&mut self, to: Registers, value: Operand) {
        if (to.bank, to.first) == (Bank::Scalar, Scalar::EXEC) && self.lanes == 64 && to.count == 2
        {
            return self.set_exec(value);
        }
        let low = match value {
            Operand::Int(value) => Operand::Int(value & 0xffff_ffff),
            _ => self.out.compute(32, Op::Copy, &[value]),
        };
        let high = if to.count > 1 { Some(self.high(value)) } else { None };
        self.write(to.bank, to.first, low);
        if let Some(high) = high {
            self.write(to.bank, to.first + 1, high);
        }
    }

    /// Writes a mask as wide as a wave.
    pub(super) fn write_mask(&mut self, to: Registers, mask: Operand) {
        match self.lanes {
            64 => self.write_wide(to, mask),
            _ => self.write(to.bank, to.first, mask),
        }
    }

    /// Makes registers data.
    pub(super) fn forget(&mut self, Registers { bank, first, count }: Registers) {
        for index in first..first + u16::from(count) {
            match (bank, index) {
                (Bank::Scalar, Scalar::EXEC | Scalar::NULL | Scalar::SCC) => {
                    self.write(bank, index, Operand::Data);
                }
                (Bank::Scalar, other) if other == Scalar::EXEC + 1 => {
                    self.write(bank, index, Operand::Data);
                }
                _ => {
                    let to = alloc::vec![self.register(bank, index)];
                    self.guarded(bank, |file| {
                        file.out.push(tidegate_kernel::ir::Kind::Opaque { to });
                    });
                }
            }
        }
    }

    /// The registers of the IR that a load writes into.
    pub(super) fn targets(&mut self, to: Registers) -> alloc::vec::Vec<Reg> {
        (to.first..to.first + u16::from(to.count)).map(|i| self.register(to.bank, i)).collect()
    }

    /// Does something in the active lanes, or in all where a scalar register is written.
    pub(super) fn guarded(&mut self, bank: Bank, act: impl FnOnce(&mut Self)) {
        let guard = (bank != Bank::Scalar).then(|| self.guard());
        self.out.guard(guard);
        act(self);
        self.out.guard(None);
    }

    /// A mask reduced to the active lanes.
    pub(super) fn active(&mut self, mask: Operand) -> Operand {
        self.out.compute(self.lanes, Op::And, &[mask, self.exec()])
    }

    /// The mask of active lanes in which a bit is set.
    pub(super) fn ballot(&mut self, bit: Operand) -> Operand {
        let mask = self.out.compute(self.lanes, Op::Ballot, &[bit]);
        self.active(mask)
    }

    /// Whether a value of this width is not zero, as 1 bit.
    pub(super) fn is_not_zero(&mut self, value: Operand, bits: u8) -> Operand {
        self.out.compute(1, Op::Compare(Comparison::Ne, bits), &[value, Operand::Int(0)])
    }
}
