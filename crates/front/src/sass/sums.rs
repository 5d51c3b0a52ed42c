//! Sums and products of the integer units, with carries.

use super::function::Lowering;
use super::listing::Line;
use super::operand::{Operand as Written, Predicate, Register};
use alloc::vec::Vec;
use tidegate_kernel::ir::{Op, Operand};

const fn int(number: i64) -> Operand {
    Operand::Int(number as u64)
}

/// The operands of an instruction by their role.
pub(super) struct Roles<'o, 't> {
    /// The register that takes the result.
    pub(super) to: Option<Register>,
    /// Predicates after it that take carries.
    pub(super) out: Vec<Predicate>,
    /// The inputs that are no predicates.
    pub(super) of: Vec<&'o Written<'t>>,
    /// Predicates after the inputs.
    pub(super) conditions: Vec<Predicate>,
}

/// The roles of operands: predicates, the result, carries, inputs, conditions.
pub(super) fn roles<'o, 't>(line: &'o Line<'t>) -> Roles<'o, 't> {
    let (mut to, mut out, mut of, mut conditions) = (None, Vec::new(), Vec::new(), Vec::new());
    for operand in &line.operands {
        match operand {
            Written::Register(register, _) if to.is_none() => to = Some(*register),
            Written::Predicate(predicate) if of.is_empty() => out.push(*predicate),
            Written::Predicate(predicate) => conditions.push(*predicate),
            other => of.push(other),
        }
    }
    Roles { to, out, of, conditions }
}

impl<'t> Lowering<'_, 't> {
    /// `IADD3 R0, P1, P2, a, b, c` and `IADD3.X R0, P1, P2, a, b, c, P3, P4`: the sums are computed in 64 bits, and the
    /// carries are their high parts.
    pub(super) fn sum(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let mut sum = int(0);
        let mut carry = int(0);
        for operand in &roles.of {
            // `-x` is `~x + 1`; one carry covers both additions.
            let (value, one) = match operand {
                Written::Register(register, change) if change.minus && !change.absolute => {
                    let word = self.word(*register);
                    (self.builder.compute(32, Op::Not, &[word]), int(1))
                }
                other => (self.value(other), int(0)),
            };
            let more = self.builder.compute(1, Op::Carry(32), &[sum, value, one]);
            sum = self.builder.compute(32, Op::Add, &[sum, value]);
            sum = self.builder.compute(32, Op::Add, &[sum, one]);
            carry = self.builder.compute(32, Op::Add, &[carry, more]);
        }
        for predicate in roles.conditions.iter().take(2) {
            let value = self.truth(*predicate);
            let more = self.builder.compute(1, Op::Carry(32), &[sum, int(0), value]);
            let one = self.builder.compute(32, Op::Copy, &[value]);
            sum = self.builder.compute(32, Op::Add, &[sum, one]);
            carry = self.builder.compute(32, Op::Add, &[carry, more]);
        }
        self.set(roles.to?, sum);
        if let [first, rest @ ..] = &roles.out[..] {
            let any = tidegate_kernel::ir::Comparison::Ne;
            let one = self.builder.compute(1, Op::Compare(any, 32), &[carry, int(0)]);
            self.set_predicate(*first, one);
            if let Some(second) = rest.first() {
                let two = tidegate_kernel::ir::Comparison::Ugt;
                let two = self.builder.compute(1, Op::Compare(two, 32), &[carry, int(1)]);
                self.set_predicate(*second, two);
            }
        }
        Some(())
    }

    /// `IADD.64`, `UIADD3.64`: sums of pairs.
    pub(super) fn sum_of_pairs(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let mut sum = int(0);
        for operand in &roles.of {
            let value = self.wide_value(operand);
            sum = self.builder.compute(64, Op::Add, &[sum, value]);
        }
        self.set_pair(roles.to?, sum);
        Some(())
    }

    /// `IMAD R0, a, b, c` and its forms, which include moves.
    pub(super) fn product(&mut self, line: &Line<'t>) -> Option<()> {
        let has = |part: &str| line.head.split('.').any(|it| it == part);
        let roles = roles(line);
        let [a, b, c, ..] = roles.of[..] else { return None };
        let to = roles.to?;
        let unsigned = has("U32");
        let zero = matches!(c, Written::Register(Register { number: None, .. }, _));
        if has("HI") && zero {
            let [a, b] = [a, b].map(|of| self.value(of));
            let op = if unsigned { Op::MulHighUnsigned } else { Op::MulHighSigned };
            let high = self.builder.compute(32, op, &[a, b]);
            self.set(to, high);
            return Some(());
        }
        // The summand is a pair of registers in both forms.
        if has("WIDE") || has("HI") {
            let [a, b] = [a, b].map(|of| self.value(of));
            let op = if unsigned { Op::Copy } else { Op::SignExtend(32) };
            let [a, b] = [a, b].map(|of| {
                let word = self.builder.compute(32, Op::Copy, &[of]);
                self.builder.compute(64, op, &[word])
            });
            let product = self.builder.compute(64, Op::Mul, &[a, b]);
            let c = self.wide_value(c);
            let sum = self.builder.compute(64, Op::Add, &[product, c]);
            if let Some(out) = roles.out.first() {
                let carry = self.builder.compute(1, Op::Carry(64), &[product, c, int(0)]);
                self.set_predicate(*out, carry);
            }
            if has("WIDE") {
                self.set_pair(to, sum);
            } else {
                let high = self.builder.compute(64, Op::ShrUnsigned, &[sum, int(32)]);
                self.set(to, high);
            }
            return Some(());
        }
        let [a, b] = [a, b].map(|of| self.value(of));
        let c = self.value(c);
        let product = self.builder.compute(32, Op::Mul, &[a, b]);
        let mut sum = self.builder.compute(32, Op::Add, &[product, c]);
        if has("X") {
            let carry = roles.conditions.first().map_or(int(0), |carry| self.truth(*carry));
            let one = self.builder.compute(32, Op::Copy, &[carry]);
            sum = self.builder.compute(32, Op::Add, &[sum, one]);
        }
        self.set(to, sum);
        Some(())
    }

    /// `LEA R0, P0, a, b, 0x2`, `LEA.HI R0, a, b, c, 0x1f`, `LEA.HI.X R0, a, b, c, 0x2, P0`.
    pub(super) fn scaled(&mut self, line: &Line<'t>) -> Option<()> {
        let has = |part: &str| line.head.split('.').any(|it| it == part);
        let roles = roles(line);
        let to = roles.to?;
        let (moved, b) = match (&roles.of[..], has("HI")) {
            ([a, b, shift], false) => {
                let by = self.value(shift);
                let a = self.value(a);
                let b = self.value(b);
                let mut moved = self.builder.compute(32, Op::Shl, &[a, by]);
                // The rank of a CTA in an address: bit 31 marks it.
                if matches!(shift, Written::Number(0x18)) && roles.out.is_empty() {
                    moved = self.builder.compute(32, Op::Or, &[moved, int(0x8000_0000)]);
                }
                (moved, b)
            }
            ([a, b, c, shift], true) => {
                let by = match shift {
                    Written::Number(by) => *by & 31,
                    _ => return None,
                };
                let a = self.value(a);
                let c = match has("SX32") {
                    true => self.builder.compute(32, Op::ShrSigned, &[a, int(31)]),
                    false => self.value(c),
                };
                let whole = self.builder.compute(64, Op::Concat, &[a, c]);
                let moved = self.builder.compute(64, Op::ShrUnsigned, &[whole, int(32 - by)]);
                (self.builder.compute(32, Op::Copy, &[moved]), self.value(b))
            }
            ([a, b, shift], true) if has("SX32") => {
                let Written::Number(by) = shift else { return None };
                let a = self.value(a);
                let c = self.builder.compute(32, Op::ShrSigned, &[a, int(31)]);
                let whole = self.builder.compute(64, Op::Concat, &[a, c]);
                let of = [whole, int(32 - (*by & 31))];
                let moved = self.builder.compute(64, Op::ShrUnsigned, &of);
                (self.builder.compute(32, Op::Copy, &[moved]), self.value(b))
            }
            _ => return None,
        };
        let carry = match has("X") {
            true => roles.conditions.first().map_or(int(0), |carry| self.truth(*carry)),
            false => int(0),
        };
        let out = roles
            .out
            .first()
            .map(|out| (*out, self.builder.compute(1, Op::Carry(32), &[moved, b, carry])));
        let one = self.builder.compute(32, Op::Copy, &[carry]);
        let sum = self.builder.compute(32, Op::Add, &[moved, b]);
        let sum = self.builder.compute(32, Op::Add, &[sum, one]);
        self.set(to, sum);
        if let Some((out, carry)) = out {
            self.set_predicate(out, carry);
        }
        Some(())
    }
}
