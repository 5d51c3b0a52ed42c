//! Operations across the lanes of a warp: votes, shuffles, the uniform datapath.

use super::function::Lowering;
use super::listing::Line;
use super::operand::{Operand as Written, Predicate};
use super::sums::roles;
use tidegate_kernel::builder::Shuffled;
use tidegate_kernel::ir::{Comparison, Op, Operand, Special};

const fn int(number: i64) -> Operand {
    Operand::Int(number as u64)
}

fn has(head: &str, wanted: &str) -> bool {
    head.split('.').any(|part| part == wanted)
}

impl<'t> Lowering<'_, 't> {
    /// `ELECT P0, URZ, PT`
    pub(super) fn elected(&mut self, line: &Line<'t>) -> Option<()> {
        let elected = self.builder.compute(1, Op::Elect, &[]);
        for operand in &line.operands {
            match operand {
                Written::Predicate(predicate) => {
                    self.set_predicate(*predicate, elected);
                    break;
                }
                Written::Register(register, _) if register.number.is_some() => {
                    let lane = Operand::Special(Special::Lane);
                    let first = self.builder.compute(32, Op::ReadFirst, &[lane]);
                    self.set(*register, first);
                }
                _ => {}
            }
        }
        Some(())
    }

    /// `VOTE.ANY R0, P0, P1`, `VOTEU.ANY UP0, P1`
    pub(super) fn voted(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let (input, out) = roles.out.split_last().map(|(last, rest)| (*last, rest.to_vec()))?;
        let input = self.truth(input);
        let some = self.builder.compute(32, Op::Ballot, &[input]);
        let is = |comparison| Op::Compare(comparison, 32);
        let any = self.builder.compute(1, is(Comparison::Ne), &[some, int(0)]);
        let value = match () {
            () if has(line.head, "ANY") => any,
            () => {
                let not = self.builder.compute(1, Op::Not, &[input]);
                let others = self.builder.compute(32, Op::Ballot, &[not]);
                let all = self.builder.compute(1, is(Comparison::Eq), &[others, int(0)]);
                match has(line.head, "ALL") {
                    true => all,
                    false => {
                        let none = self.builder.compute(1, Op::Not, &[any]);
                        self.builder.compute(1, Op::Or, &[all, none])
                    }
                }
            }
        };
        if let Some(out) = out.first() {
            self.set_predicate(*out, value);
        }
        if let Some(to) = roles.to {
            self.set(to, some);
        }
        Some(())
    }

    /// `R2UR UR0, R1`: the value of a lane whose predicate holds, for the whole warp.
    pub(super) fn move_to_uniform(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let to = roles.to?;
        let from = self.value(roles.of.first()?);
        let old = self.word(to);
        self.builder.guard(None);
        let holds = self.holds();
        let lanes = self.builder.compute(32, Op::Ballot, &[holds]);
        let lane = self.builder.compute(32, Op::CountTrailingZeros, &[lanes]);
        let read = self.builder.compute(32, Op::ReadLane, &[from, lane]);
        let any = self.builder.compute(1, Op::Compare(Comparison::Ne, 32), &[lanes, int(0)]);
        let value = self.builder.compute(32, Op::Select, &[any, read, old]);
        self.set(to, value);
        Some(())
    }

    /// `P2R R8, PR, RZ, 0x41`: the predicates of a mask as bits, among the other bits of a register.
    pub(super) fn predicates_read(&mut self, line: &Line<'t>) -> Option<()> {
        let [Written::Register(to, _), Written::Word("PR" | "UPR"), from, Written::Number(mask)] =
            &line.operands[..]
        else {
            return None;
        };
        let uniform = to.uniform;
        let from = self.value(from);
        let mut bits = self.builder.compute(32, Op::And, &[from, int(!mask)]);
        for number in (0..7).filter(|number| mask >> number & 1 == 1) {
            let one = Predicate { uniform, number: Some(number), not: false };
            let one = Operand::Register(self.predicate_register(one)?);
            let wide = self.builder.compute(32, Op::Copy, &[one]);
            let bit = self.builder.compute(32, Op::Shl, &[wide, int(number.into())]);
            bits = self.builder.compute(32, Op::Or, &[bits, bit]);
        }
        self.set(*to, bits);
        Some(())
    }

    /// `R2P PR, R8, 0x41`: the bits of a mask as predicates.
    pub(super) fn predicates_written(&mut self, line: &Line<'t>) -> Option<()> {
        let (from, mask) = match &line.operands[..] {
            [_, from, Written::Number(mask)] if !line.head.contains('.') => {
                (self.value(from), *mask)
            }
            _ => (Operand::Data, 0x7f),
        };
        let uniform = line.head.starts_with('U');
        for number in (0..7).filter(|number| mask >> number & 1 == 1) {
            let bit = self.builder.compute(32, Op::ShrUnsigned, &[from, int(number.into())]);
            self.set_predicate(Predicate { uniform, number: Some(number), not: false }, bit);
        }
        Some(())
    }

    /// `SHFL.IDX P0, R0, a, b, c`
    pub(super) fn shuffled(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let [from, by, limits] = roles.of[..] else { return None };
        let [from, by, limits] = [from, by, limits].map(|of| self.value(of));
        let way = match line.head.split('.').nth(1)? {
            "IDX" => Shuffled::Index,
            "UP" => Shuffled::Up,
            "DOWN" => Shuffled::Down,
            "BFLY" => Shuffled::Butterfly,
            _ => return None,
        };
        let (source, holds) = self.builder.shuffle_source(way, by, limits);
        let value = self.builder.compute(32, Op::Shuffle, &[from, source]);
        self.set(roles.to?, value);
        if let Some(out) = roles.out.first() {
            self.set_predicate(*out, holds);
        }
        Some(())
    }
}
