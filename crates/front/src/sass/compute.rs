//! Computation in registers: moves, logic, shifts, comparisons, votes.

use super::function::{Lowering, REDUCED};
use super::listing::Line;
use super::operand::{Operand as Written, Predicate, Register, half_text};
use super::sums::roles;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Comparison, Kind, Op, Operand, Special};
use tidegate_lang::vocabulary::sass::halves;

const fn int(number: i64) -> Operand {
    Operand::Int(number as u64)
}

/// Instructions without an effect that is judged: convergence, hints, caches, scheduling.
const IDLE: [&str; 36] = [
    "NOP",
    "BSSY",
    "BSYNC",
    "BREAK",
    "BMOV",
    "YIELD",
    "NANOSLEEP",
    "ERRBAR",
    "CGAERRBAR",
    "CCTLL",
    "CCTLT",
    "PREEXIT",
    "ACQBULK",
    "PMTRIG",
    "RPCMOV",
    "LEPC",
    "UTMAPF",
    "UBLKPF",
    "UTMACCTL",
    "UCCTL",
    "DEPBAR",
    "WARPGROUPSET",
    "SETCTAID",
    "SETLMEMBASE",
    "TTUCCTL",
    "UVIRTCOUNT",
    "UTCATOMSWS",
    "STTM",
    "UTCSHIFT",
    "BGMMA_SKIP",
    "CSMTEST",
    "ISCADD_NOP",
    "CONT",
    "SSY",
    "PBK",
    "SYNC",
];

/// Instructions whose 32-bit result in a lane is a function of the operands in that lane.
const OF_LANES: [&str; 12] = [
    "FADD", "FMUL", "FFMA", "FMNMX", "MUFU", "HADD2", "HMUL2", "HMNMX2", "F2FP", "F2F", "I2F",
    "I2FP",
];
/// Instructions of two operands whose order does not matter.
const SYMMETRIC: [&str; 6] = ["FADD", "FMUL", "FMNMX", "HADD2", "HMUL2", "HMNMX2"];

/// Instructions that compute values which are not followed.
const OPAQUE: [&str; 81] = [
    "FADD",
    "FADD2",
    "FMUL",
    "FMUL2",
    "FFMA",
    "FFMA2",
    "FCHK",
    "FMNMX",
    "FMNMX3",
    "FSEL",
    "FSET",
    "FSETP",
    "FSWZADD",
    "MUFU",
    "HADD2",
    "HMUL2",
    "HFMA2",
    "HMNMX2",
    "HSET2",
    "HSETP2",
    "HMMA",
    "IMMA",
    "BMMA",
    "DMMA",
    "QMMA",
    "OMMA",
    "DADD",
    "DMUL",
    "DFMA",
    "DSETP",
    "DMNMX",
    "F2F",
    "F2I",
    "I2F",
    "F2FP",
    "F2IP",
    "I2FP",
    "FRND",
    "I2I",
    "I2IP",
    "IDP",
    "IDP4A",
    "XMAD",
    "MATCH",
    "REDUX",
    "CREDUX",
    "FLO",
    "UFLO",
    "IABS_",
    "QSPC",
    "P2UR",
    "GETLMEMBASE",
    "MOVM",
    "LDTM",
    "TEX",
    "TLD",
    "TLD4",
    "TMML",
    "TXD",
    "TXQ",
    "SULD",
    "VABSDIFF",
    "VABSDIFF4",
    "VHMNMX",
    "VIADDMNMX",
    "VIMNMX3",
    "UF2FP",
    "UI2F",
    "UF2I",
    "UFADD",
    "UFMUL",
    "UFFMA",
    "UFSEL",
    "UFSETP",
    "UFMNMX",
    "UFRND",
    "UF2F",
    "UI2FP",
    "IPA",
    "AL2P",
    "UREDGR",
];

fn has(head: &str, wanted: &str) -> bool {
    head.split('.').any(|part| part == wanted)
}

impl<'t> Lowering<'_, 't> {
    /// An instruction that computes; `false` for one that is not known.
    pub(super) fn compute(&mut self, head: &str, line: &Line<'t>) -> bool {
        if IDLE.contains(&head) {
            // `UTCATOMSWS.FIND_AND_SET` and others say that they succeeded.
            if let Some(Written::Predicate(predicate)) = line.operands.first() {
                self.set_predicate(*predicate, int(1));
            }
            return true;
        }
        if OPAQUE.contains(&head) && head != "HFMA2" {
            let done = match head {
                "REDUX" | "CREDUX" => self.reduced(line),
                _ => self.function_of_lanes(head, line),
            };
            if done.is_none() {
                let to = self.results(line);
                self.builder.push(Kind::Opaque { to });
            }
            return true;
        }
        let plain = head.strip_prefix('U').unwrap_or(head);
        let done = match plain {
            "MOV" | "IMAD" | "LEA" | "IADD3" | "IADD" | "VIADD" | "LOP3" | "SHF" | "SGXT"
            | "PRMT" | "SEL" | "IMNMX" | "VIMNMX" | "POPC" | "BREV" | "BMSK" | "IABS" | "LOP" => {
                self.calculated(plain, line)
            }
            "IADD32I" | "IADD2" => self.sum(line),
            "HFMA2" => self.constant_of_halves(line),
            "ISETP" => self.compared(line),
            "PLOP3" => self.predicates(line),
            "S2R" | "S2UR" | "CS2R" | "CS2UR" | "2R" => self.special_read(line),
            "ELECT" => self.elected(line),
            "VOTE" | "VOTEU" => self.voted(line),
            "R2UR" => self.move_to_uniform(line),
            "SHFL" => self.shuffled(line),
            "P2R" | "P2UR" if head == line.head => self.predicates_read(line),
            "R2P" | "R2UP" => self.predicates_written(line),
            "LDC" | "LDCU" => self.constant_read(line),
            "SETMAXREG" => {
                if let Some(Written::Predicate(predicate)) = line.operands.first() {
                    self.set_predicate(*predicate, int(1));
                }
                Some(())
            }
            "B2R" | "B2UR" => self.reduction_read(line),
            _ => return false,
        };
        if done.is_none() {
            let to = self.results(line);
            self.builder.push(Kind::Opaque { to });
        }
        true
    }

    /// `CREDUX.MAX.F32 UR4, R2`: all threads get one value, which is not followed.
    fn reduced(&mut self, line: &Line<'t>) -> Option<()> {
        let [to] = self.results(line)[..] else { return None };
        self.builder.compute_to(to, Op::ReadFirst, &[Operand::Data]);
        Some(())
    }

    /// An instruction whose result in each lane is a function of its operands there, which is not followed.
    fn function_of_lanes(&mut self, head: &str, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let [to] = self.results(line)[..] else { return None };
        let wide = line.head.split('.').any(|part| ["64", "WIDE"].contains(&part));
        if !OF_LANES.contains(&head) || wide || !roles.out.is_empty() {
            return None;
        }
        let (mut what, mut of) = (String::from(line.head), Vec::new());
        let mut changes = Vec::new();
        for operand in &roles.of {
            match operand {
                Written::Register(register, change) => {
                    of.push(self.word(*register));
                    changes.push(*change);
                }
                // A constant is part of the function.
                Written::Number(number) => what += &format!(" {number}"),
                Written::Float(text) => what += &format!(" {text}"),
                _ => return None,
            }
        }
        if roles.conditions.iter().any(|condition| condition.number.is_some()) {
            return None;
        }
        let flags = changes.iter().flat_map(|one| [one.minus, one.not, one.absolute]);
        let flags = flags.chain(roles.conditions.iter().map(|one| one.not));
        what.extend(flags.map(|is_set| if is_set { '1' } else { '0' }));
        let plain = changes.iter().all(|change| *change == changes[0]);
        let symmetric = SYMMETRIC.contains(&head) && of.len() == 2 && plain;
        self.builder.function_to(to, &what, symmetric, &of);
        Some(())
    }

    fn calculated(&mut self, head: &str, line: &Line<'t>) -> Option<()> {
        match head {
            "IMAD" => return self.product(line),
            "LEA" => return self.scaled(line),
            "IADD3" | "IADD" | "VIADD" if has(line.head, "64") => return self.sum_of_pairs(line),
            "IADD3" | "IADD" | "VIADD" => return self.sum(line),
            "SHF" => return self.shifted(line),
            "LOP3" => return self.logic(line),
            _ => {}
        }
        let roles = roles(line);
        let to = roles.to?;
        let mut of = [Operand::Data; 4];
        for (value, operand) in of.iter_mut().zip(&roles.of) {
            *value = self.value(operand);
        }
        let [a, b, c, _] = of;
        let unsigned = has(line.head, "U32");
        let condition = roles.conditions.first().copied();
        let value = match head {
            "MOV" if has(line.head, "64") => {
                let value = self.wide_value(roles.of.first()?);
                self.set_pair(to, value);
                return Some(());
            }
            "MOV" => a,
            "SGXT" => {
                let op = if unsigned { Op::ExtractUnsigned } else { Op::ExtractSigned };
                self.builder.compute(32, op, &[a, int(0), b])
            }
            "PRMT" => {
                let value = self.builder.compute(32, Op::Permute, &[a, c, b]);
                // The rank of a CTA in an address: bit 31 marks it.
                match roles.of.get(1) {
                    Some(Written::Number(0x654)) => {
                        self.builder.compute(32, Op::Or, &[value, int(0x8000_0000)])
                    }
                    _ => value,
                }
            }
            "SEL" => {
                let condition = self.truth(condition?);
                self.builder.compute(32, Op::Select, &[condition, a, b])
            }
            "IMNMX" | "VIMNMX"
                if line.head.split('.').skip(1).all(|it| it == "U32" || it == "S32") =>
            {
                let (least, most) = match unsigned {
                    true => (Op::MinUnsigned, Op::MaxUnsigned),
                    false => (Op::MinSigned, Op::MaxSigned),
                };
                let condition = self.truth(condition?);
                let least = self.builder.compute(32, least, &[a, b]);
                let most = self.builder.compute(32, most, &[a, b]);
                self.builder.compute(32, Op::Select, &[condition, least, most])
            }
            "POPC" => self.builder.compute(32, Op::CountOnes, &[a]),
            "BREV" => self.builder.compute(32, Op::Reverse, &[a]),
            "IABS" => {
                let minus = self.builder.compute(32, Op::Sub, &[int(0), a]);
                self.builder.compute(32, Op::MaxSigned, &[a, minus])
            }
            _ => return None,
        };
        for predicate in roles.out {
            self.set_predicate(predicate, Operand::Data);
        }
        self.set(to, value);
        Some(())
    }

    /// `SHF.R.U32.HI R0, low, by, high`, `SHF.L.U32 R0, a, by, RZ`
    fn shifted(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let [low, by, high] = roles.of[..] else { return None };
        let [low, by, high] = [low, by, high].map(|of| self.value(of));
        let by = match has(line.head, "W") {
            true => self.builder.compute(32, Op::And, &[by, int(31)]),
            false => by,
        };
        let whole = self.builder.compute(64, Op::Concat, &[low, high]);
        let signed = has(line.head, "S32") || has(line.head, "S64");
        // Without `.64`, only one of the halves is moved: the high one with `.HI`.
        let wide = has(line.head, "U64") || has(line.head, "S64");
        let value = match (has(line.head, "R"), has(line.head, "HI")) {
            (true, true) => {
                let op = if signed { Op::ShrSigned } else { Op::ShrUnsigned };
                self.builder.compute(32, op, &[high, by])
            }
            (true, false) => {
                let op = if signed { Op::ShrSigned } else { Op::ShrUnsigned };
                self.builder.compute(64, op, &[whole, by])
            }
            (false, true) => {
                let moved = self.builder.compute(64, Op::Shl, &[whole, by]);
                self.builder.compute(64, Op::ShrUnsigned, &[moved, int(32)])
            }
            (false, false) => self.builder.compute(32, Op::Shl, &[low, by]),
        };
        let _ = wide;
        self.set(roles.to?, value);
        Some(())
    }

    /// `LOP3.LUT P0, R0, a, b, c, 0xc0, !PT`
    fn logic(&mut self, line: &Line<'t>) -> Option<()> {
        let roles = roles(line);
        let [a, b, c, Written::Number(table)] = roles.of[..] else { return None };
        let [a, b, c] = [a, b, c].map(|of| self.value(of));
        let value = self.builder.compute(32, Op::Logic(*table as u8), &[a, b, c]);
        // The predicate may stand before the result.
        let out = line.operands.iter().find_map(|operand| match operand {
            Written::Predicate(predicate) => Some(*predicate),
            _ => None,
        });
        let first = matches!(line.operands.first(), Some(Written::Predicate(_)));
        if let Some(out) = out.filter(|_| first) {
            let some = self.builder.compute(1, Op::Compare(Comparison::Ne, 32), &[value, int(0)]);
            let also = roles.conditions.first().map_or(int(0), |also| self.truth(*also));
            let either = self.builder.compute(1, Op::Or, &[some, also]);
            self.set_predicate(out, either);
        }
        self.set(roles.to?, value);
        Some(())
    }

    /// `HFMA2.MMA R0, -RZ, RZ, 0, 5.96e-08`: a constant as two half floats.
    fn constant_of_halves(&mut self, line: &Line<'t>) -> Option<()> {
        let [Written::Register(to, _), first, second, high, low] = &line.operands[..] else {
            return None;
        };
        let zero = |operand: &Written<'_>| {
            matches!(operand, Written::Register(Register { number: None, .. }, _))
        };
        if !zero(first) || !zero(second) {
            return None;
        }
        let value = halves(&half_text(high)?, &half_text(low)?)?;
        self.set(*to, int(value));
        Some(())
    }

    /// `ISETP.GE.U32.AND.EX P0, P1, a, b, P2, P3`
    fn compared(&mut self, line: &Line<'t>) -> Option<()> {
        use Comparison::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let mut predicates = line.operands.iter().filter_map(|operand| match operand {
            Written::Predicate(predicate) => Some(*predicate),
            _ => None,
        });
        let (first, second) = (predicates.next()?, predicates.next());
        let also = predicates.next();
        let low = predicates.next();
        let mut inputs = line.operands.iter().filter(|it| !matches!(it, Written::Predicate(_)));
        let (a, b) = (inputs.next()?, inputs.next()?);
        let [a, b] = [a, b].map(|of| self.value(of));
        let unsigned = has(line.head, "U32");
        let by = |unsigned_one, signed| if unsigned { unsigned_one } else { signed };
        let comparison = match line.head.split('.').nth(1)? {
            "EQ" => Eq,
            "NE" => Ne,
            "LT" => by(Ult, Slt),
            "LE" => by(Ule, Sle),
            "GT" => by(Ugt, Sgt),
            "GE" => by(Uge, Sge),
            _ => return None,
        };
        let is = |comparison| Op::Compare(comparison, 32);
        let holds = match has(line.head, "EX") {
            false => self.builder.compute(1, is(comparison), &[a, b]),
            true => {
                // The high words decide where they differ, otherwise the low words do.
                let low = self.truth(low?);
                let strict = match comparison {
                    Sle => Slt,
                    Sge => Sgt,
                    Ule => Ult,
                    Uge => Ugt,
                    other => other,
                };
                let same = self.builder.compute(1, is(Eq), &[a, b]);
                let strict = match comparison {
                    Eq => int(0),
                    _ => self.builder.compute(1, is(strict), &[a, b]),
                };
                let equal = self.builder.compute(1, Op::And, &[same, low]);
                self.builder.compute(1, Op::Or, &[strict, equal])
            }
        };
        let join = match () {
            () if has(line.head, "OR") => Op::Or,
            () if has(line.head, "XOR") => Op::Xor,
            () => Op::And,
        };
        let also = also.map_or(int(1), |also| self.truth(also));
        let not = self.builder.compute(1, Op::Not, &[holds]);
        let other = self.builder.compute(1, join, &[not, also]);
        let holds = self.builder.compute(1, join, &[holds, also]);
        self.set_predicate(first, holds);
        if let Some(second) = second {
            self.set_predicate(second, other);
        }
        Some(())
    }

    /// `PLOP3.LUT P0, P1, a, b, c, 0x80, 0x0`
    fn predicates(&mut self, line: &Line<'t>) -> Option<()> {
        let [
            Written::Predicate(first),
            Written::Predicate(second),
            Written::Predicate(a),
            Written::Predicate(b),
            Written::Predicate(c),
            Written::Number(one),
            Written::Number(other),
        ] = line.operands[..]
        else {
            return None;
        };
        let of = [a, b, c].map(|of| self.truth(of));
        let made = [one, other].map(|table| self.builder.compute(1, Op::Logic(table as u8), &of));
        self.set_predicate(first, made[0]);
        self.set_predicate(second, made[1]);
        Some(())
    }

    /// `S2R R0, SR_TID.X`
    fn special_read(&mut self, line: &Line<'t>) -> Option<()> {
        let [Written::Register(to, _), Written::Word(name)] = &line.operands[..] else {
            return None;
        };
        let lane = Operand::Special(Special::Lane);
        let special = |special| Operand::Special(special);
        let value = match *name {
            "SRZ" => {
                self.set(*to, int(0));
                if !has(line.head, "32") {
                    self.set(Self::after(*to, 1), int(0));
                }
                return Some(());
            }
            "SR_TID.X" => special(Special::Thread(0)),
            "SR_TID.Y" => special(Special::Thread(1)),
            "SR_TID.Z" => special(Special::Thread(2)),
            "SR_CTAID.X" => special(Special::Group(0)),
            "SR_CTAID.Y" => special(Special::Group(1)),
            "SR_CTAID.Z" => special(Special::Group(2)),
            "SR_NTID.X" => special(Special::Threads(0)),
            "SR_NCTAID.X" => special(Special::Groups(0)),
            "SR_LANEID" => lane,
            "SR_CgaCtaId" | "SR_CTARANK" => special(Special::RankInCluster),
            "SR_CgaSize" => special(Special::RanksOfCluster),
            "SR_WARPID" => special(Special::Wave),
            "SR_SWINHI" => int(0x7f00_0000),
            "SR_EQMASK" => self.builder.compute(32, Op::Shl, &[int(1), lane]),
            "SR_LTMASK" => {
                let bit = self.builder.compute(32, Op::Shl, &[int(1), lane]);
                self.builder.compute(32, Op::Sub, &[bit, int(1)])
            }
            "SR_LEMASK" => {
                let bit = self.builder.compute(32, Op::Shl, &[int(2), lane]);
                self.builder.compute(32, Op::Sub, &[bit, int(1)])
            }
            "SR_GEMASK" => self.builder.compute(32, Op::Shl, &[int(-1), lane]),
            "SR_GTMASK" => self.builder.compute(32, Op::Shl, &[int(-2), lane]),
            _ => return None,
        };
        self.set(*to, value);
        Some(())
    }

    /// `LDC.64 R0, c[0x0][0x210]`
    fn constant_read(&mut self, line: &Line<'t>) -> Option<()> {
        let [Written::Register(to, _), Written::Constant(bank, base, offset, _)] =
            &line.operands[..]
        else {
            return None;
        };
        let words = match () {
            () if has(line.head, "64") => 2,
            () if has(line.head, "128") => 4,
            () => 1,
        };
        if words == 1 {
            let width = match () {
                () if has(line.head, "U8") || has(line.head, "S8") => 8,
                () if has(line.head, "U16") || has(line.head, "S16") => 16,
                () => 32,
            };
            let value = self.constant(*bank, *base, *offset, width);
            let signed = has(line.head, "S8") || has(line.head, "S16");
            let value = match signed {
                true => self.builder.compute(32, Op::SignExtend(width), &[value]),
                false => value,
            };
            self.set(*to, value);
            return Some(());
        }
        for at in 0..words / 2 {
            let value = self.constant(*bank, *base, *offset + 8 * i64::from(at), 64);
            self.set_pair(Self::after(*to, 2 * at), value);
        }
        Some(())
    }

    /// `B2R.RESULT R0, P0`: what the last reduction of a barrier gave.
    fn reduction_read(&mut self, line: &Line<'t>) -> Option<()> {
        let value = Operand::Register(REDUCED);
        for operand in &line.operands {
            match operand {
                Written::Register(register, _) => self.set(*register, value),
                Written::Predicate(predicate) => {
                    let some = Op::Compare(Comparison::Ne, 32);
                    let some = self.builder.compute(1, some, &[value, int(0)]);
                    self.set_predicate(*predicate, some);
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The value of a predicate operand that may be missing.
    pub(super) fn truth_or(&mut self, predicate: Option<Predicate>, otherwise: bool) -> Operand {
        predicate.map_or(Operand::Int(u64::from(otherwise)), |predicate| self.truth(predicate))
    }
}
