//! Computation in registers.

use super::function::Lowering;
use super::tree::{Line, Operand as Written, Register};
use super::types::Type;
use alloc::vec::Vec;
use tidegate_kernel::builder::Shuffled;
use tidegate_kernel::ir::{Comparison, NvidiaKind, Op, Operand, Reg, Special};
use tidegate_lang::vocabulary::ptx::{COMPUTES, IDLE};
use tidegate_model::ptx::action::Spelling;

/// The parts of a head.
fn has(head: &str, wanted: &str) -> bool {
    head.split('.').any(|part| part == wanted)
}

const fn int(number: i64) -> Operand {
    Operand::Int(number as u64)
}

/// The comparison of a modifier of `setp`.
fn comparison(part: &str, signed: bool) -> Option<Comparison> {
    use Comparison::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    Some(match (part, signed) {
        ("eq", _) => Eq,
        ("ne", _) => Ne,
        ("lt", true) => Slt,
        ("le", true) => Sle,
        ("gt", true) => Sgt,
        ("ge", true) => Sge,
        ("lt", false) | ("lo", _) => Ult,
        ("le", false) | ("ls", _) => Ule,
        ("gt", false) | ("hi", _) => Ugt,
        ("ge", false) | ("hs", _) => Uge,
        _ => return None,
    })
}

impl<'t> Lowering<'_, '_, 't> {
    /// The width of a register.
    pub(super) fn width(&self, register: Register) -> u8 {
        self.function.registers.get(register as usize).copied().unwrap_or(64)
    }

    /// Puts a value of a type into a register, which may be wider.
    pub(super) fn widened(&mut self, to: Register, kind: Type, value: Operand) {
        let op = match kind.signed && self.width(to) > kind.bits {
            true => Op::SignExtend(kind.bits),
            false => Op::Copy,
        };
        self.builder.compute_to(to, op, &[value]);
    }

    /// An instruction that computes; `false` for one that is not known.
    pub(super) fn compute(&mut self, stem: &str, line: &Line<'t>) -> bool {
        if IDLE.contains(&stem) || matches!(stem, "discard" | "setmaxnreg" | "stackrestore") {
            return true;
        }
        if stem == "cvta" {
            self.convert_address(line);
            return true;
        }
        if !COMPUTES.contains(&stem) && !self.beside(stem) {
            return false;
        }
        // The mask is the last operand of what waits for other threads of the warp.
        if has(line.head, "sync")
            && matches!(stem, "elect" | "shfl" | "vote" | "match" | "redux" | "mma" | "wmma")
        {
            let mask = match line.operands.last() {
                Some(mask) if !matches!(stem, "mma" | "wmma") => self.value(mask),
                _ => int(0xffff_ffff),
            };
            let kind = NvidiaKind::WarpSync { orders: false };
            self.push(kind, alloc::vec![mask], Vec::new(), Spelling::Ptx(30));
        }
        let done = match stem {
            "mov" => self.moved(line),
            "elect" => self.elected(line),
            "shfl" => self.shuffled(line),
            "vote" => self.voted(line),
            "redux" => self.reduced(line),
            _ => self.calculated(stem, line),
        };
        if done.or_else(|| self.function_of_lanes(stem, line)).is_none() {
            self.opaque(line);
        }
        true
    }

    /// Whether an instruction only computes, of those that are not in the table.
    fn beside(&self, stem: &str) -> bool {
        matches!(
            stem,
            "mov"
                | "selp"
                | "elect"
                | "mapa"
                | "fma"
                | "movmatrix"
                | "istypep"
                | "suq"
                | "txq"
                | "tex"
                | "tld4"
                | "suld"
                | "stacksave"
                | "wmma"
                | "mma"
                | "vmad"
                | "vmin"
                | "vmax"
                | "vabsdiff"
                | "vshl"
                | "vshr"
                | "bmsk"
                | "cos"
                | "pmevent"
        )
    }

    /// The register of the first operand.
    pub(super) fn target(&self, line: &Line<'_>) -> Option<Register> {
        match line.operands.first() {
            Some(Written::Register(register)) => Some(*register),
            _ => None,
        }
    }

    /// The values of the operands after the result.
    fn inputs(&mut self, line: &Line<'t>) -> [Operand; 4] {
        let mut inputs = [Operand::Data; 4];
        for (input, operand) in inputs.iter_mut().zip(line.operands.iter().skip(1)) {
            *input = self.value(operand);
        }
        inputs
    }

    fn moved(&mut self, line: &Line<'t>) -> Option<()> {
        let width = Type::last(line.head).bits;
        if width > 64 {
            return None;
        }
        match &line.operands[..] {
            [Written::Vector(parts), from] => {
                let from = self.value(from);
                let each = width / u8::try_from(parts.len()).ok().filter(|&count| count > 0)?;
                for (at, part) in (0_i64..).zip(parts) {
                    if let Written::Register(to) = part {
                        let of = [from, int(at * i64::from(each)), int(each.into())];
                        let value = self.builder.compute(64, Op::ExtractUnsigned, &of);
                        self.builder.compute_to(*to, Op::Copy, &[value]);
                    }
                }
            }
            [Written::Register(to), Written::Vector(parts)] => {
                let each = width / u8::try_from(parts.len()).ok().filter(|&count| count > 0)?;
                let mut whole = int(0);
                for (at, part) in (0_i64..).zip(parts) {
                    let of = [whole, self.value(part), int(at * i64::from(each)), int(each.into())];
                    whole = self.builder.compute(64, Op::Insert, &of);
                }
                self.builder.compute_to(*to, Op::Copy, &[whole]);
            }
            [Written::Register(to), from] => {
                let value = self.value(from);
                self.builder.compute_to(*to, Op::Copy, &[value]);
            }
            _ => return None,
        }
        Some(())
    }

    /// `elect.sync d|p, mask`
    fn elected(&mut self, line: &Line<'t>) -> Option<()> {
        let (first, second) = match line.operands.first()? {
            Written::Pair(first, second) => (*first, *second),
            Written::Register(register) => (Some(*register), None),
            _ => return None,
        };
        if let Some(to) = first {
            self.builder.compute_to(to, Op::ReadFirst, &[Operand::Special(Special::Lane)]);
        }
        if let Some(to) = second {
            self.builder.compute_to(to, Op::Elect, &[]);
        }
        Some(())
    }

    /// `shfl.sync.idx.b32 d|p, a, b, c, mask`
    fn shuffled(&mut self, line: &Line<'t>) -> Option<()> {
        let (to, passed) = match line.operands.first()? {
            Written::Pair(first, second) => (*first, *second),
            Written::Register(register) => (Some(*register), None),
            _ => return None,
        };
        let [from, by, limits, _] = self.inputs(line);
        let ways = [
            ("idx", Shuffled::Index),
            ("up", Shuffled::Up),
            ("down", Shuffled::Down),
            ("bfly", Shuffled::Butterfly),
        ];
        let (_, way) = ways.into_iter().find(|(word, _)| has(line.head, word))?;
        let (source, holds) = self.builder.shuffle_source(way, by, limits);
        if let Some(to) = to {
            self.builder.compute_to(to, Op::Shuffle, &[from, source]);
        }
        if let Some(passed) = passed {
            self.builder.compute_to(passed, Op::Copy, &[holds]);
        }
        Some(())
    }

    /// `vote.sync.any.pred p, q, mask`, `vote.sync.ballot.b32 d, q, mask`
    fn voted(&mut self, line: &Line<'t>) -> Option<()> {
        let to = self.target(line)?;
        let [predicate, ..] = self.inputs(line);
        let some = self.builder.compute(32, Op::Ballot, &[predicate]);
        if has(line.head, "ballot") {
            self.builder.compute_to(to, Op::Copy, &[some]);
            return Some(());
        }
        let no = self.builder.compute(1, Op::Not, &[predicate]);
        let others = self.builder.compute(32, Op::Ballot, &[no]);
        let is = |comparison| Op::Compare(comparison, 32);
        let any = self.builder.compute(1, is(Comparison::Ne), &[some, int(0)]);
        let all = self.builder.compute(1, is(Comparison::Eq), &[others, int(0)]);
        match () {
            () if has(line.head, "any") => self.builder.compute_to(to, Op::Copy, &[any]),
            () if has(line.head, "all") => self.builder.compute_to(to, Op::Copy, &[all]),
            () => {
                let none = self.builder.compute(1, Op::Not, &[any]);
                self.builder.compute_to(to, Op::Or, &[all, none]);
            }
        }
        Some(())
    }

    fn calculated(&mut self, stem: &str, line: &Line<'t>) -> Option<()> {
        let kind = Type::last(line.head);
        if matches!(stem, "setp" | "set") {
            return self.compared(stem, line, kind);
        }
        let to = self.target(line)?;
        let of = self.inputs(line);
        let selects = matches!(stem, "selp" | "mapa" | "getctarank");
        if kind.bits > 64 || kind.opaque && !selects {
            return None;
        }
        let value = self.result(stem, line, kind, to, of)?;
        if value != Operand::Register(to) {
            let signed = kind.signed && stem != "cvt";
            self.widened(to, Type { signed, ..kind }, value);
        }
        Some(())
    }

    /// The result of an instruction of a type.
    fn result(
        &mut self,
        stem: &str,
        line: &Line<'t>,
        kind: Type,
        to: Reg,
        of: [Operand; 4],
    ) -> Option<Operand> {
        let [a, b, c, d] = of;
        let (width, signed) = (kind.bits, kind.signed);
        if line.head.ends_with(".sat") || has(line.head, "sat") {
            return None;
        }
        // The result goes straight into its register where that has the width.
        let direct = (self.width(to) == width).then_some(to);
        let by_sign = |unsigned: Op, with: Op| if signed { with } else { unsigned };
        let carries = has(line.head, "cc") || matches!(stem, "addc" | "subc" | "madc");
        if carries {
            return self.carried(stem, line, kind, of);
        }
        let op = match stem {
            "add" => Op::Add,
            "sub" => Op::Sub,
            "mul" if has(line.head, "wide") => return self.product_wide(to, kind, a, b),
            "mul" if has(line.head, "hi") => by_sign(Op::MulHighUnsigned, Op::MulHighSigned),
            "mul" => Op::Mul,
            "mad" => return self.product_sum(line, to, kind, [a, b, c]),
            "div" => by_sign(Op::DivUnsigned, Op::DivSigned),
            "rem" => by_sign(Op::RemUnsigned, Op::RemSigned),
            "min" => by_sign(Op::MinUnsigned, Op::MinSigned),
            "max" => by_sign(Op::MaxUnsigned, Op::MaxSigned),
            "and" => Op::And,
            "or" => Op::Or,
            "xor" => Op::Xor,
            "not" => return Some(self.put(direct, width, Op::Not, &[a])),
            "shl" => Op::Shl,
            "shr" => by_sign(Op::ShrUnsigned, Op::ShrSigned),
            "bfe" => {
                let op = by_sign(Op::ExtractUnsigned, Op::ExtractSigned);
                return Some(self.put(direct, width, op, &[a, b, c]));
            }
            "bfi" => return Some(self.put(direct, width, Op::Insert, &[b, a, c, d])),
            "popc" => return Some(self.builder.compute(width, Op::CountOnes, &[a])),
            "clz" => return Some(self.builder.compute(width, Op::CountLeadingZeros, &[a])),
            "brev" => return Some(self.put(direct, width, Op::Reverse, &[a])),
            "neg" => return Some(self.put(direct, width, Op::Sub, &[int(0), a])),
            "abs" => {
                let minus = self.builder.compute(width, Op::Sub, &[int(0), a]);
                return Some(self.put(direct, width, Op::MaxSigned, &[a, minus]));
            }
            "lop3" => {
                let table = match line.operands.get(4) {
                    Some(Written::Number(table)) if line.head == "lop3.b32" => *table as u8,
                    _ => return None,
                };
                let value = self.builder.compute(width, Op::Logic(table), &[a, b, c]);
                return Some(self.put(direct, width, Op::Copy, &[value]));
            }
            "prmt" if line.head == "prmt.b32" => {
                return Some(self.put(direct, width, Op::Permute, &[a, b, c]));
            }
            "shf" => return self.funnel(line, a, b, c),
            "selp" => return Some(self.put(direct, width, Op::Select, &[c, a, b])),
            "slct" if line.head.ends_with(".s32") => {
                let compare = Op::Compare(Comparison::Sge, 32);
                let holds = self.builder.compute(1, compare, &[c, int(0)]);
                return Some(self.builder.compute(64, Op::Select, &[holds, a, b]));
            }
            "cnot" => {
                let compare = Op::Compare(Comparison::Eq, width);
                return Some(self.builder.compute(1, compare, &[a, int(0)]));
            }
            "sad" => {
                let (less, more) = (
                    by_sign(Op::MinUnsigned, Op::MinSigned),
                    by_sign(Op::MaxUnsigned, Op::MaxSigned),
                );
                let [less, more] = [less, more].map(|op| self.builder.compute(width, op, &[a, b]));
                let apart = self.builder.compute(width, Op::Sub, &[more, less]);
                return Some(self.put(direct, width, Op::Add, &[apart, c]));
            }
            "mul24" if has(line.head, "lo") => {
                let op = by_sign(Op::ExtractUnsigned, Op::ExtractSigned);
                let [a, b] = [a, b].map(|of| self.builder.compute(32, op, &[of, int(0), int(24)]));
                return Some(self.put(direct, width, Op::Mul, &[a, b]));
            }
            "cvt" => return self.converted(line, kind, a),
            "activemask" => return Some(Operand::Special(Special::ActiveMask)),
            "mapa" => return self.mapped(a, b),
            "getctarank" => {
                return Some(self.builder.compute(32, Op::ExtractUnsigned, &[a, int(24), int(7)]));
            }
            _ => return None,
        };
        Some(self.put(direct, width, op, &[a, b]))
    }

    /// Computes into a register, or a new one.
    fn put(&mut self, to: Option<Reg>, width: u8, op: Op, of: &[Operand]) -> Operand {
        match to {
            Some(to) => {
                self.builder.compute_to(to, op, of);
                Operand::Register(to)
            }
            None => self.builder.compute(width, op, of),
        }
    }

    /// A value of a type in twice its width.
    fn doubled(&mut self, kind: Type, value: Operand) -> Operand {
        let op = if kind.signed { Op::SignExtend(kind.bits) } else { Op::Copy };
        let narrow = match value {
            Operand::Int(number) if !kind.signed => {
                return Operand::Int(number & (u64::MAX >> (64 - u32::from(kind.bits))));
            }
            value => value,
        };
        let cut = self.builder.compute(kind.bits, Op::Copy, &[narrow]);
        self.builder.compute(2 * kind.bits, op, &[cut])
    }

    fn product_wide(&mut self, to: Reg, kind: Type, a: Operand, b: Operand) -> Option<Operand> {
        if kind.bits > 32 {
            return None;
        }
        let [a, b] = [a, b].map(|of| self.doubled(kind, of));
        self.builder.compute_to(to, Op::Mul, &[a, b]);
        Some(Operand::Register(to))
    }

    fn product_sum(
        &mut self,
        line: &Line<'t>,
        to: Reg,
        kind: Type,
        [a, b, c]: [Operand; 3],
    ) -> Option<Operand> {
        if has(line.head, "wide") {
            if kind.bits > 32 {
                return None;
            }
            let [a, b] = [a, b].map(|of| self.doubled(kind, of));
            let product = self.builder.compute(2 * kind.bits, Op::Mul, &[a, b]);
            self.builder.compute_to(to, Op::Add, &[product, c]);
            return Some(Operand::Register(to));
        }
        let op = match (has(line.head, "hi"), kind.signed) {
            (false, _) => Op::Mul,
            (true, true) => Op::MulHighSigned,
            (true, false) => Op::MulHighUnsigned,
        };
        let product = self.builder.compute(kind.bits, op, &[a, b]);
        Some(self.builder.compute(kind.bits, Op::Add, &[product, c]))
    }

    /// Sums with a carry: `add.cc`, `addc`, `sub.cc`, `subc`, `mad.lo.cc`, `madc.hi`.
    fn carried(
        &mut self,
        stem: &str,
        line: &Line<'t>,
        kind: Type,
        of: [Operand; 4],
    ) -> Option<Operand> {
        let [mut a, mut b, c, _] = of;
        let takes = stem.ends_with('c');
        if stem.starts_with("mad") {
            let op = match (has(line.head, "hi"), kind.signed) {
                (false, _) => Op::Mul,
                (true, true) => Op::MulHighSigned,
                (true, false) => Op::MulHighUnsigned,
            };
            (a, b) = (self.builder.compute(kind.bits, op, &[a, b]), c);
        }
        let subtracts = stem.starts_with("sub");
        let carry = if takes { Operand::Register(self.carry) } else { int(0) };
        let op = if subtracts { Op::Sub } else { Op::Add };
        let sum = self.builder.compute(kind.bits, op, &[a, b]);
        let sum = self.builder.compute(kind.bits, op, &[sum, carry]);
        if has(line.head, "cc") {
            let op = if subtracts { Op::Borrow(kind.bits) } else { Op::Carry(kind.bits) };
            self.builder.compute_to(self.carry, op, &[a, b, carry]);
        }
        Some(sum)
    }

    /// `shf.l.wrap.b32 d, low, high, by`
    fn funnel(
        &mut self,
        line: &Line<'t>,
        low: Operand,
        high: Operand,
        by: Operand,
    ) -> Option<Operand> {
        let both = self.builder.compute(64, Op::Concat, &[low, high]);
        let by = match has(line.head, "wrap") {
            true => self.builder.compute(32, Op::And, &[by, int(31)]),
            false => self.builder.compute(32, Op::MinUnsigned, &[by, int(32)]),
        };
        if has(line.head, "r") {
            return Some(self.builder.compute(64, Op::ShrUnsigned, &[both, by]));
        }
        let moved = self.builder.compute(64, Op::Shl, &[both, by]);
        Some(self.builder.compute(64, Op::ShrUnsigned, &[moved, int(32)]))
    }

    /// `cvt.u64.s32 to, from` between integers.
    fn converted(&mut self, line: &Line<'t>, from: Type, value: Operand) -> Option<Operand> {
        let stem = line.head.rsplit_once('.')?.0;
        let to = Type::of(stem.rsplit('.').next()?)?;
        if to.opaque || to.bits > 64 || stem.matches('.').count() > 1 {
            return None;
        }
        let cut = self.builder.compute(from.bits, Op::Copy, &[value]);
        let wide = match from.signed && to.bits > from.bits {
            true => self.builder.compute(to.bits, Op::SignExtend(from.bits), &[cut]),
            false => self.builder.compute(to.bits, Op::Copy, &[cut]),
        };
        let target = self.target(line)?;
        self.widened(target, to, wide);
        Some(Operand::Register(target))
    }

    /// `mapa`: the address in the CTA of a rank. Bit 31 says that there is one.
    fn mapped(&mut self, address: Operand, rank: Operand) -> Option<Operand> {
        let marked = self.builder.compute(32, Op::Or, &[rank, int(0x80)]);
        Some(self.builder.compute(64, Op::Insert, &[address, marked, int(24), int(8)]))
    }

    /// `setp.lt.and.u32 p|q, a, b, c` and `set.lt.u32.s32 d, a, b`
    fn compared(&mut self, stem: &str, line: &Line<'t>, kind: Type) -> Option<()> {
        let (first, second) = match line.operands.first()? {
            Written::Pair(first, second) => (*first, *second),
            Written::Register(register) => (Some(*register), None),
            _ => return None,
        };
        let [a, b, c, _] = self.inputs(line);
        let mut parts = line.head.split('.').skip(1);
        let comparison = comparison(parts.next()?, kind.signed).filter(|_| !kind.opaque)?;
        let join = match parts.next()? {
            "and" => Some(Op::And),
            "or" => Some(Op::Or),
            "xor" => Some(Op::Xor),
            _ => None,
        };
        let compare = Op::Compare(comparison, kind.bits);
        let holds = self.builder.compute(1, compare, &[a, b]);
        let joined = |lowering: &mut Self, holds| match join {
            Some(join) => lowering.builder.compute(1, join, &[holds, c]),
            None => holds,
        };
        if stem == "set" {
            let one = if has(line.head, "f32") { int(0x3f80_0000) } else { int(-1) };
            let holds = joined(self, holds);
            self.builder.compute_to(first?, Op::Select, &[holds, one, int(0)]);
            return Some(());
        }
        // Both results, before one of them changes the predicate that is joined.
        let not = second.map(|_| self.builder.compute(1, Op::Not, &[holds]));
        let not = not.map(|not| joined(self, not));
        let holds = joined(self, holds);
        if let Some(to) = first {
            self.builder.compute_to(to, Op::Copy, &[holds]);
        }
        if let Some((to, not)) = second.zip(not) {
            self.builder.compute_to(to, Op::Copy, &[not]);
        }
        Some(())
    }

    /// The value of a special register.
    pub(super) fn special(&mut self, name: &str) -> Operand {
        let name = name.trim_start_matches('%');
        let (stem, dimension) = name.split_once('.').unwrap_or((name, ""));
        let dimension = match dimension {
            "" | "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return Operand::Data,
        };
        let lane = Operand::Special(Special::Lane);
        let mut mask = |first: i64, back: i64| {
            let bit = self.builder.compute(32, Op::Shl, &[int(first), lane]);
            self.builder.compute(32, Op::Add, &[bit, int(back)])
        };
        Operand::Special(match stem {
            "tid" => Special::Thread(dimension),
            "ntid" => Special::Threads(dimension),
            "ctaid" => Special::Group(dimension),
            "nctaid" => Special::Groups(dimension),
            "laneid" => Special::Lane,
            "warpid" => Special::Wave,
            "nwarpid" => Special::Waves,
            "cluster_ctaid" => Special::GroupInCluster(dimension),
            "cluster_nctaid" => Special::GroupsOfCluster(dimension),
            "clusterid" => Special::Cluster(dimension),
            "nclusterid" => Special::Clusters(dimension),
            "cluster_ctarank" => Special::RankInCluster,
            "cluster_nctarank" => Special::RanksOfCluster,
            "lanemask_eq" => return mask(1, 0),
            "lanemask_lt" => return mask(1, -1),
            "lanemask_le" => return mask(2, -1),
            "lanemask_ge" => return mask(-1, 0),
            "lanemask_gt" => return mask(-2, 0),
            _ => return Operand::Data,
        })
    }
}
