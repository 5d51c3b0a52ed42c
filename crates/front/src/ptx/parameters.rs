//! Parameters of calls: registers that hold their bytes.

use alloc::vec::Vec;
use tidegate_kernel::builder::FunctionBuilder;
use tidegate_kernel::ir::{Op, Operand, Reg};

/// The most bytes of a parameter that are followed.
const MOST: u64 = 512;

/// The bytes of a parameter, in registers of equal width.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    pub(super) registers: Vec<Reg>,
    /// Bytes of each register.
    unit: u32,
}

impl Cells {
    /// How many registers of how many bytes a parameter has.
    pub(super) fn shape(bytes: u64, array: bool) -> (usize, u32) {
        match bytes {
            1 | 2 | 4 | 8 if !array => (1, bytes as u32),
            _ => ((bytes.min(MOST) as usize).div_ceil(4), 4),
        }
    }

    /// Registers for a parameter; `make` makes a register with a number of bits.
    pub(super) fn new(bytes: u64, array: bool, mut make: impl FnMut(u8) -> Reg) -> Self {
        let (count, unit) = Self::shape(bytes, array);
        Self { registers: (0..count).map(|_| make(8 * unit as u8)).collect(), unit }
    }

    fn at(&self, offset: i64) -> Option<Reg> {
        let index = usize::try_from(offset.div_euclid(i64::from(self.unit.max(1)))).ok()?;
        self.registers.get(index).copied()
    }

    /// The value of a number of bytes at an offset.
    pub(super) fn read(&self, builder: &mut FunctionBuilder, offset: i64, bytes: u32) -> Operand {
        let Some(first) = self.at(offset) else { return Operand::Data };
        let within = offset.rem_euclid(i64::from(self.unit)) as u32;
        if within == 0 && bytes == self.unit {
            return Operand::Register(first);
        }
        if within + bytes <= self.unit {
            let of = [Operand::Register(first), int(8 * within), int(8 * bytes)];
            return builder.compute(8 * self.unit as u8, Op::ExtractUnsigned, &of);
        }
        match self.at(offset + i64::from(self.unit)) {
            Some(second) if within == 0 && bytes == 2 * self.unit => {
                let of = [Operand::Register(first), Operand::Register(second)];
                builder.compute(8 * bytes as u8, Op::Concat, &of)
            }
            _ => Operand::Data,
        }
    }

    /// Sets a number of bytes at an offset.
    pub(super) fn write(
        &self,
        builder: &mut FunctionBuilder,
        offset: i64,
        bytes: u32,
        value: Operand,
    ) {
        let Some(first) = self.at(offset) else { return };
        let within = offset.rem_euclid(i64::from(self.unit)) as u32;
        if within == 0 && bytes == self.unit {
            builder.compute_to(first, Op::Copy, &[value]);
        } else if within + bytes <= self.unit {
            let of = [Operand::Register(first), value, int(8 * within), int(8 * bytes)];
            builder.compute_to(first, Op::Insert, &of);
        } else {
            builder.compute_to(first, Op::Copy, &[value]);
            if let Some(second) = self.at(offset + i64::from(self.unit)) {
                let half = int(8 * self.unit);
                let high = builder.compute(64, Op::ShrUnsigned, &[value, half]);
                builder.compute_to(second, Op::Copy, &[high]);
            }
        }
    }
}

fn int(number: u32) -> Operand {
    Operand::Int(number.into())
}
