//! Formulas of the tables as computations of the IR.

use super::super::decode::Source;
use super::super::table::Step;
use super::registers::File;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Comparison, Op, Operand};

/// What a formula can refer to.
pub(super) struct Context<'a> {
    pub(super) sources: &'a [Value<'a>],
    /// The old value of the result, 32 bits.
    pub(super) old: Operand,
    /// The result and its bits, in a formula of the condition code.
    pub(super) result: (Operand, u8),
}

/// A source, or the value that it is known to have.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Of(Source<'a>),
    Is(Operand),
}

impl File {
    /// The value of a formula, with its number of bits; data where the formula is not well-formed.
    pub(super) fn formula(&mut self, steps: &[Step], context: &Context<'_>) -> (Operand, u8) {
        let mut stack: Vec<(Operand, u8)> = Vec::new();
        for &step in steps {
            let value = self.step(step, &mut stack, context);
            stack.push(value);
        }
        stack.pop().unwrap_or((Operand::Data, 32))
    }

    fn pick(&mut self, index: u8, context: &Context<'_>, wide: bool) -> Operand {
        match context.sources.get(usize::from(index)) {
            Some(&Value::Of(source)) if wide => self.wide(source),
            Some(&Value::Of(source)) => self.source(source),
            Some(&Value::Is(value)) => value,
            None => Operand::Data,
        }
    }

    fn step(
        &mut self,
        step: Step,
        stack: &mut Vec<(Operand, u8)>,
        context: &Context<'_>,
    ) -> (Operand, u8) {
        match step {
            Step::A(index) => return (self.pick(index, context, false), 32),
            Step::W(index) => return (self.pick(index, context, true), 64),
            Step::Old => return (context.old, 32),
            Step::R => return context.result,
            Step::Scc => return (self.out.compute(32, Op::Copy, &[self.scc()]), 32),
            Step::L(value) => return (Operand::Int(u64::from(value)), 32),
            Step::L64(value) => return (Operand::Int(value), 64),
            Step::Lane(index) => {
                let mask = match context.sources.get(usize::from(index)) {
                    Some(&Value::Of(source)) => self.mask(source),
                    Some(&Value::Is(value)) => value,
                    None => Operand::Data,
                };
                return (self.out.compute(1, Op::LaneBit, &[mask]), 1);
            }
            _ => {}
        }
        let mut pop = || stack.pop().unwrap_or((Operand::Data, 32));
        let (top, bits) = pop();
        if let Some((op, to)) = one(step, bits) {
            return (self.out.compute(to, op, &[top]), to);
        }
        match step {
            Step::High => (self.high(top), 32),
            Step::Lowest | Step::Leading => (self.position(step, top, bits), 32),
            Step::Select => {
                let (then, bits) = pop();
                // The condition is below both values: the top is the value where it does not hold.
                let (condition, _) = pop();
                (self.out.compute(bits, Op::Select, &[condition, then, top]), bits)
            }
            Step::Field | Step::SignedField => {
                let (position, _) = pop();
                let (value, bits) = pop();
                let op = if step == Step::Field { Op::ExtractUnsigned } else { Op::ExtractSigned };
                (self.out.compute(bits, op, &[value, position, top]), bits)
            }
            Step::Bytes => {
                let (low, _) = pop();
                let (high, _) = pop();
                (self.permute(high, low, top), 32)
            }
            Step::Join => {
                let (low, _) = pop();
                (self.out.compute(64, Op::Concat, &[low, top]), 64)
            }
            _ => {
                let (left, bits) = pop();
                self.two(step, left, top, bits)
            }
        }
    }

    fn two(&mut self, step: Step, left: Operand, right: Operand, bits: u8) -> (Operand, u8) {
        let comparison = match step {
            Step::Eq => Some(Comparison::Eq),
            Step::Ne => Some(Comparison::Ne),
            Step::LtU => Some(Comparison::Ult),
            Step::LtS => Some(Comparison::Slt),
            Step::GtU => Some(Comparison::Ugt),
            Step::GtS => Some(Comparison::Sgt),
            _ => None,
        };
        if let Some(comparison) = comparison {
            return (self.out.compute(1, Op::Compare(comparison, bits), &[left, right]), 1);
        }
        let op = match step {
            Step::Add => Op::Add,
            Step::Sub => Op::Sub,
            Step::Mul => Op::Mul,
            Step::MulHiU => Op::MulHighUnsigned,
            Step::MulHiS => Op::MulHighSigned,
            Step::And => Op::And,
            Step::Or => Op::Or,
            Step::Xor => Op::Xor,
            Step::MinU => Op::MinUnsigned,
            Step::MinS => Op::MinSigned,
            Step::MaxU => Op::MaxUnsigned,
            Step::MaxS => Op::MaxSigned,
            Step::Shl => Op::Shl,
            Step::Shr => Op::ShrUnsigned,
            Step::Sar => Op::ShrSigned,
            _ => return (Operand::Data, bits),
        };
        let right = match step {
            Step::Shl | Step::Shr | Step::Sar => self.amount(right, bits),
            _ => right,
        };
        (self.out.compute(bits, op, &[left, right]), bits)
    }

    /// The low bits of a shift amount that count.
    fn amount(&mut self, amount: Operand, bits: u8) -> Operand {
        let mask = u64::from(bits) - 1;
        match amount {
            Operand::Int(value) => Operand::Int(value & mask),
            _ => self.out.compute(32, Op::And, &[amount, Operand::Int(mask)]),
        }
    }

    /// The position of the lowest or the highest one bit; -1 where there is none.
    fn position(&mut self, step: Step, value: Operand, bits: u8) -> Operand {
        let op = if step == Step::Lowest { Op::CountTrailingZeros } else { Op::CountLeadingZeros };
        let count = self.out.compute(bits, op, &[value]);
        let any = self.is_not_zero(value, bits);
        self.out.compute(32, Op::Select, &[any, count, Operand::Int(0xffff_ffff)])
    }

    /// `v_perm_b32`: selectors 0 to 7 pick bytes of the second source, then of the first; others give data.
    fn permute(&mut self, high: Operand, low: Operand, selector: Operand) -> Operand {
        let Operand::Int(selector) = selector else { return Operand::Data };
        let bytes = (selector as u32).to_le_bytes();
        if bytes.iter().any(|&byte| byte > 7) {
            return Operand::Data;
        }
        let nibbles = bytes.iter().rev().fold(0, |all, &byte| all << 4 | u64::from(byte));
        self.out.compute(32, Op::Permute, &[low, high, Operand::Int(nibbles)])
    }
}

/// An operation with one operand of this width, and the width of its result, in bits.
const fn one(step: Step, bits: u8) -> Option<(Op, u8)> {
    Some(match step {
        Step::Not => (Op::Not, bits),
        Step::Low => (Op::Copy, 32),
        Step::Zext => (Op::Copy, 64),
        Step::Sext => (Op::SignExtend(32), 64),
        Step::Sext8 => (Op::SignExtend(8), 32),
        Step::Sext16 => (Op::SignExtend(16), 32),
        Step::Bit => (Op::Copy, 32),
        Step::First => (Op::Copy, 1),
        Step::Ones => (Op::CountOnes, bits),
        Step::Reverse => (Op::Reverse, bits),
        _ => return None,
    })
}
