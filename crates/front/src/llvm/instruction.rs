//! Instructions.

use super::cursor::{Cursor, Parsed};
use super::lexer::{Kind as Token, Token as Read};
use super::module::begins_type;
use super::types::{self, Scalar, Type};
use super::unit::Unit;
use super::value::cast;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Comparison, End, Guard, Kind, Op, Operand, Reg, Space, window};

/// The integer operations.
fn binary(word: &str) -> Option<Op> {
    Some(match word {
        "add" => Op::Add,
        "sub" => Op::Sub,
        "mul" => Op::Mul,
        "udiv" => Op::DivUnsigned,
        "sdiv" => Op::DivSigned,
        "urem" => Op::RemUnsigned,
        "srem" => Op::RemSigned,
        "shl" => Op::Shl,
        "lshr" => Op::ShrUnsigned,
        "ashr" => Op::ShrSigned,
        "and" => Op::And,
        "or" => Op::Or,
        "xor" => Op::Xor,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "eq" => Comparison::Eq,
        "ne" => Comparison::Ne,
        "ult" => Comparison::Ult,
        "ule" => Comparison::Ule,
        "ugt" => Comparison::Ugt,
        "uge" => Comparison::Uge,
        "slt" => Comparison::Slt,
        "sle" => Comparison::Sle,
        "sgt" => Comparison::Sgt,
        "sge" => Comparison::Sge,
        _ => return None,
    })
}

/// Instructions on floating-point numbers: their results are data.
const FLOATING: [&str; 8] = ["fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "va_arg"];

/// Instructions that are not modelled.
const NOT_MODELLED: [&str; 8] = [
    "invoke",
    "callbr",
    "landingpad",
    "cleanuppad",
    "cleanupret",
    "catchpad",
    "catchret",
    "catchswitch",
];

impl<'a> Unit<'_, 'a> {
    /// Lowers an instruction; the end of the block, if it is one.
    pub(super) fn instruction(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<Option<End>> {
        let mut name = None;
        if cursor.peek().kind == Token::Local && cursor.ahead(1).text == "=" {
            let result = cursor.take().text;
            self.defines(result);
            name = Some(result);
            cursor.at += 1;
        }
        if matches!(cursor.peek().text, "tail" | "musttail" | "notail") {
            cursor.at += 1;
        }
        let token = cursor.peek();
        if token.kind != Token::Word {
            return Err(cursor.unexpected("an instruction of LLVM IR"));
        }
        cursor.at += 1;
        match token.text {
            "ret" | "br" | "switch" | "unreachable" | "indirectbr" | "resume" => {
                return self.terminator(cursor, token.text).map(Some);
            }
            "call" => self.call(cursor, name)?,
            "load" => self.load(cursor, name)?,
            "store" => self.store(cursor)?,
            "fence" => self.fence(cursor)?,
            "atomicrmw" => self.atomic(cursor, name)?,
            "cmpxchg" => self.exchange(cursor, name)?,
            "alloca" => self.alloca(cursor, name)?,
            "getelementptr" => self.element_address(cursor, name)?,
            "phi" => self.read_phi(cursor, name)?,
            "icmp" => self.compare(cursor, name)?,
            "select" => self.select(cursor, name)?,
            "freeze" => {
                let (of, value) = self.typed(cursor)?;
                self.define(name, &of, &value);
            }
            "extractelement" | "insertelement" | "shufflevector" | "extractvalue"
            | "insertvalue" => {
                self.aggregate(cursor, name, token.text)?;
            }
            word if binary(word).is_some() => self.binary(cursor, name, word)?,
            word if FLOATING.contains(&word) => self.floating(cursor, name, word)?,
            word => self.conversion(cursor, name, word)?,
        }
        Ok(None)
    }

    /// Skips flags such as `nsw`, `fast`, `inbounds`, up to a type.
    fn flags(cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        while !begins_type(cursor) {
            if cursor.is("(") {
                cursor.skip_group();
            } else if matches!(cursor.peek().kind, Token::Word | Token::Number) {
                cursor.at += 1;
            } else {
                return Err(cursor.unexpected("a type"));
            }
        }
        Ok(())
    }

    fn terminator(&mut self, cursor: &mut Cursor<'_, 'a>, word: &str) -> Parsed<End> {
        match word {
            "ret" => {
                self.copies_in_flight();
                if cursor.eat("void") {
                    return Ok(End::Return(Vec::new()));
                }
                let (of, values) = self.typed(cursor)?;
                let scalars = self.around.module.types.scalars(&of);
                let followed = scalars.iter().zip(values);
                let followed = followed.filter(|((_, one), _)| matches!(one, Scalar::Followed(_)));
                Ok(End::Return(followed.map(|(_, value)| value).collect()))
            }
            "br" if cursor.is("label") => {
                let label = Self::label(cursor)?;
                Ok(End::Jump(self.edge(label)))
            }
            "br" => {
                let (_, on) = self.typed(cursor)?;
                cursor.expect(",")?;
                let then = Self::label(cursor)?;
                cursor.expect(",")?;
                let other = Self::label(cursor)?;
                let on = on.first().copied().unwrap_or(Operand::Data);
                Ok(End::Branch { on, then: self.edge(then), other: self.edge(other) })
            }
            "switch" => self.switch(cursor),
            "unreachable" => Ok(End::Unreachable),
            other => Ok(End::Unknown(format!("`{other}` is not modelled"))),
        }
    }

    fn label(cursor: &mut Cursor<'_, 'a>) -> Parsed<Read<'a>> {
        cursor.expect("label")?;
        let token = cursor.take();
        if token.kind == Token::Local {
            return Ok(token);
        }
        cursor.at -= 1;
        Err(cursor.unexpected("the name of a block"))
    }

    fn switch(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<End> {
        let (_, on) = self.typed(cursor)?;
        cursor.expect(",")?;
        let default = Self::label(cursor)?;
        cursor.expect("[")?;
        let mut cases = Vec::new();
        loop {
            cursor.skip_lines();
            if cursor.eat("]") {
                break;
            }
            let (_, value) = self.typed(cursor)?;
            cursor.expect(",")?;
            let label = Self::label(cursor)?;
            if let Some(Operand::Int(value)) = value.first() {
                cases.push((*value, self.edge(label)));
            }
        }
        let on = on.first().copied().unwrap_or(Operand::Data);
        Ok(End::Switch { on, cases, default: self.edge(default) })
    }

    fn binary(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
        word: &str,
    ) -> Parsed<()> {
        Self::flags(cursor)?;
        let (of, one) = self.typed(cursor)?;
        cursor.expect(",")?;
        let other = self.value(cursor, &of)?;
        let (Some(name), Some(op)) = (name, binary(word)) else { return Ok(()) };
        let registers = self.registers(name, &of);
        for ((to, one), other) in registers.into_iter().zip(one).zip(other) {
            if let Some(to) = to {
                self.code.compute_to(to, op, &[one, other]);
            }
        }
        Ok(())
    }

    /// The results of floating-point instructions are data: only integer results need a mark.
    fn floating(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
        word: &str,
    ) -> Parsed<()> {
        if word == "fcmp" {
            Self::flags(cursor)?;
            let of = types::read(cursor)?;
            let result = match self.around.module.types.resolve(&of) {
                Type::Vector(count, _) => Type::Vector(*count, Type::Int(1).into()),
                _ => Type::Int(1),
            };
            self.define(name, &result, &[]);
        }
        Ok(())
    }

    fn compare(&mut self, cursor: &mut Cursor<'_, 'a>, name: Option<&'a str>) -> Parsed<()> {
        cursor.eat("samesign");
        let word = cursor.take().text;
        let Some(how) = comparison(word) else {
            cursor.at -= 1;
            return Err(cursor.unexpected("a comparison"));
        };
        let (of, one) = self.typed(cursor)?;
        cursor.expect(",")?;
        let other = self.value(cursor, &of)?;
        let result = match self.around.module.types.resolve(&of) {
            Type::Vector(count, _) => Type::Vector(*count, Type::Int(1).into()),
            _ => Type::Int(1),
        };
        let scalars = self.around.module.types.scalars(&of);
        let Some(name) = name else { return Ok(()) };
        let registers = self.registers(name, &result);
        for (at, to) in registers.into_iter().enumerate() {
            let Some(to) = to else { continue };
            match (scalars.get(at), one.get(at), other.get(at)) {
                (Some((_, Scalar::Followed(bits))), Some(one), Some(other)) => {
                    self.code.compute_to(to, Op::Compare(how, *bits), &[*one, *other]);
                }
                _ => self.code.push(Kind::Opaque { to: alloc::vec![to] }),
            }
        }
        Ok(())
    }

    fn select(&mut self, cursor: &mut Cursor<'_, 'a>, name: Option<&'a str>) -> Parsed<()> {
        Self::flags(cursor)?;
        let (_, condition) = self.typed(cursor)?;
        cursor.expect(",")?;
        let (of, one) = self.typed(cursor)?;
        cursor.expect(",")?;
        let (_, other) = self.typed(cursor)?;
        let Some(name) = name else { return Ok(()) };
        let registers = self.registers(name, &of);
        for (at, to) in registers.into_iter().enumerate() {
            let condition = condition.get(at).or(condition.first());
            if let (Some(to), Some(on), Some(one), Some(other)) =
                (to, condition, one.get(at), other.get(at))
            {
                self.code.compute_to(to, Op::Select, &[*on, *one, *other]);
            }
        }
        Ok(())
    }

    fn read_phi(&mut self, cursor: &mut Cursor<'_, 'a>, name: Option<&'a str>) -> Parsed<()> {
        Self::flags(cursor)?;
        let of = types::read(cursor)?;
        let to = name.map(|name| self.registers(name, &of)).unwrap_or_default();
        while cursor.eat("[") {
            let from = self.value(cursor, &of)?;
            cursor.expect(",")?;
            let label = cursor.take();
            if label.kind != Token::Local {
                cursor.at -= 1;
                return Err(cursor.unexpected("the name of a block"));
            }
            cursor.expect("]")?;
            self.phi(&to, &from, label.text);
            if !cursor.eat(",") {
                break;
            }
        }
        Ok(())
    }

    fn conversion(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
        word: &str,
    ) -> Parsed<()> {
        const KNOWN: [&str; 14] = [
            "trunc",
            "zext",
            "sext",
            "fptrunc",
            "fpext",
            "fptoui",
            "fptosi",
            "uitofp",
            "sitofp",
            "ptrtoint",
            "inttoptr",
            "bitcast",
            "addrspacecast",
            "ptrtoaddr",
        ];
        if !KNOWN.contains(&word) && !NOT_MODELLED.contains(&word) {
            cursor.at -= 1;
            return Err(cursor.unexpected("an instruction of LLVM IR"));
        }
        if !KNOWN.contains(&word) {
            // It could do anything: the verdict stays open where it is reached.
            let why = format!("`{word}` is not an instruction that is modelled");
            self.code.push(Kind::Unknown { why, to: Vec::new() });
            return Ok(());
        }
        Self::flags(cursor)?;
        let (from, value) = self.typed(cursor)?;
        cursor.expect("to")?;
        let to = types::read(cursor)?;
        let Some(name) = name else { return Ok(()) };
        let registers = self.registers(name, &to);
        let scalars = self.around.module.types.scalars(&from);
        let followed = value.len() == registers.len() && !word.starts_with("fp");
        let space = |of: &Type| match of {
            Type::Pointer(space) => self.around.space(*space),
            _ => Space::Global,
        };
        if word == "bitcast" && value.len() != registers.len() {
            let value = value.iter().zip(&scalars).map(|(value, (_, scalar))| (*value, *scalar));
            self.regroup(&value.collect::<Vec<_>>(), &registers, &to);
            return Ok(());
        }
        let moved = if word == "addrspacecast" { cast(space(&from), space(&to)) } else { 0 };
        for (at, to) in registers.into_iter().enumerate() {
            let Some(to) = to else { continue };
            match (followed, scalars.get(at)) {
                (true, Some((_, Scalar::Followed(bits)))) => {
                    let value = value[at];
                    match word {
                        "sext" => self.code.compute_to(to, Op::SignExtend(*bits), &[value]),
                        _ if moved != 0 => {
                            self.code.compute_to(to, Op::Add, &[value, Operand::Int(moved as u64)]);
                        }
                        _ => self.code.compute_to(to, Op::Copy, &[value]),
                    }
                }
                _ => self.code.push(Kind::Opaque { to: alloc::vec![to] }),
            }
        }
        Ok(())
    }

    /// Reads the bits of scalars, the first in the lowest bits, as those of others.
    fn regroup(&mut self, from: &[(Operand, Scalar)], to: &[Option<Reg>], of: &Type) {
        let scalars = self.around.module.types.scalars(of);
        let width = |scalar: &Scalar| match scalar {
            Scalar::Followed(bits) => Some(u64::from(*bits)),
            Scalar::Data(_) => None,
        };
        let widths = from.first().and_then(|(_, one)| width(one));
        let widths = widths.zip(scalars.first().and_then(|(_, one)| width(one)));
        for (at, to) in to.iter().enumerate() {
            let Some(to) = *to else { continue };
            match widths {
                Some((narrow, wide)) if wide % narrow == 0 => {
                    let count = (wide / narrow) as usize;
                    let parts = from.get(at * count..(at + 1) * count).unwrap_or_default();
                    let mut all = Operand::Int(0);
                    for (place, (part, _)) in (0..).zip(parts) {
                        let shift = Operand::Int(place * narrow);
                        let part = self.code.compute(wide as u8, Op::Shl, &[*part, shift]);
                        all = self.code.compute(wide as u8, Op::Or, &[all, part]);
                    }
                    self.code.compute_to(to, Op::Copy, &[all]);
                }
                Some((wide, narrow)) if wide % narrow == 0 => {
                    let count = (wide / narrow) as usize;
                    let part = from.get(at / count).map_or(Operand::Data, |(part, _)| *part);
                    let shift = Operand::Int((at % count) as u64 * narrow);
                    let part = self.code.compute(wide as u8, Op::ShrUnsigned, &[part, shift]);
                    self.code.compute_to(to, Op::Copy, &[part]);
                }
                _ => self.code.push(Kind::Opaque { to: alloc::vec![to] }),
            }
        }
    }

    fn aggregate(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
        word: &str,
    ) -> Parsed<()> {
        let (of, mut values) = self.typed(cursor)?;
        let mut result = of.clone();
        match word {
            "shufflevector" => {
                cursor.expect(",")?;
                let (_, more) = self.typed(cursor)?;
                cursor.expect(",")?;
                let (mask, picks) = self.typed(cursor)?;
                values.extend(more);
                if let (Type::Vector(count, _), Type::Vector(_, element)) = (mask, &of) {
                    result = Type::Vector(count, element.clone());
                }
                let pick = |one: &Operand| match one {
                    Operand::Int(at) => values.get(*at as usize).copied().unwrap_or(Operand::Data),
                    _ => Operand::Data,
                };
                values = picks.iter().map(pick).collect();
            }
            "extractelement" | "extractvalue" => {
                let mut part = Some((0, values.len(), of));
                while cursor.eat(",") {
                    if cursor.peek().kind == Token::Metadata {
                        break;
                    }
                    let index = self.index(cursor)?;
                    part = part.and_then(|(start, _, of)| {
                        let (before, count, inner) =
                            self.around.module.types.part(&of, index.unwrap_or(0))?;
                        let count = if index.is_some() { count } else { 0 };
                        Some((start + before, count, inner))
                    });
                }
                let Some((start, count, inner)) = part else { return Ok(()) };
                values = values.get(start..start + count).unwrap_or_default().to_vec();
                result = inner;
            }
            _ => {
                cursor.expect(",")?;
                let (_, element) = self.typed(cursor)?;
                let mut part = Some((0, of));
                let mut known = true;
                while cursor.eat(",") {
                    if cursor.peek().kind == Token::Metadata {
                        break;
                    }
                    let index = self.index(cursor)?;
                    known &= index.is_some();
                    part = part.and_then(|(start, of)| {
                        let (before, _, inner) =
                            self.around.module.types.part(&of, index.unwrap_or(0))?;
                        Some((start + before, inner))
                    });
                }
                match part {
                    Some((start, _)) if known && start + element.len() <= values.len() => {
                        values[start..start + element.len()].copy_from_slice(&element);
                    }
                    _ => values.fill(Operand::Data),
                }
            }
        }
        self.define(name, &result, &values);
        Ok(())
    }

    /// An index, with or without its type; `None` if it is not constant.
    fn index(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<Option<u64>> {
        if cursor.peek().kind == Token::Number {
            return Ok(cursor.take().text.parse().ok());
        }
        let (_, value) = self.typed(cursor)?;
        Ok(match value.first() {
            Some(Operand::Int(value)) => Some(*value),
            _ => None,
        })
    }

    fn alloca(&mut self, cursor: &mut Cursor<'_, 'a>, name: Option<&'a str>) -> Parsed<()> {
        while cursor.eat("inalloca") || cursor.eat("swifterror") {}
        let of = types::read(cursor)?;
        let (mut count, mut space) = (1, 0);
        while cursor.eat(",") {
            if cursor.is("addrspace") {
                space = types::address_space(cursor)?;
            } else if cursor.is("align") {
                cursor.at += 2;
            } else if begins_type(cursor) {
                let (_, value) = self.typed(cursor)?;
                count =
                    if let Some(Operand::Int(count)) = value.first() { *count } else { 1 << 10 };
            } else {
                break;
            }
        }
        let size = self.around.module.types.size(&of).0.max(1).saturating_mul(count).min(1 << 20);
        let place = self.around.at(cursor.peek().place);
        let id = self.around.builder.object(name.unwrap_or(""), place, Space::Private, Some(size));
        let generic = self.around.space(space) == Space::Generic;
        let offset = if generic { window(Space::Private) as i64 } else { 0 };
        self.define(name, &Type::Pointer(space), &[Operand::Object(id, offset)]);
        Ok(())
    }

    fn element_address(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
    ) -> Parsed<()> {
        Self::flags(cursor)?;
        let of = types::read(cursor)?;
        cursor.expect(",")?;
        let (pointer, base) = self.typed(cursor)?;
        let (Type::Pointer(space), [base]) =
            (self.around.module.types.resolve(&pointer).clone(), &base[..])
        else {
            self.define(name, &pointer, &[]);
            return Ok(());
        };
        let bits = self.around.module.types.pointer_bits(space).min(64) as u8;
        let (mut address, mut inner, mut first) = (*base, of, true);
        while cursor.eat(",") {
            if cursor.peek().kind == Token::Metadata {
                break;
            }
            let (index_type, index) = self.typed(cursor)?;
            let index = index.first().copied().unwrap_or(Operand::Data);
            let from = if let Type::Int(bits) = index_type { bits.min(64) as u8 } else { 64 };
            let constant = match index {
                Operand::Int(value) => Some((value << (64 - from)) as i64 >> (64 - from)),
                _ => None,
            };
            let is_struct =
                !first && matches!(self.around.module.types.resolve(&inner), Type::Struct(..));
            let stride = if first {
                let (size, align) = self.around.module.types.size(&inner);
                size.next_multiple_of(align.max(1))
            } else {
                let at = if is_struct { constant.unwrap_or(0).max(0) as u64 } else { 1 };
                let Some((bytes, next)) = self.around.module.types.element(&inner, at) else {
                    break;
                };
                let (bytes, next) = (bytes, next.clone());
                inner = next;
                bytes
            };
            first = false;
            let offset = match constant {
                _ if is_struct => Operand::Int(stride),
                Some(index) => Operand::Int(index.wrapping_mul(stride as i64) as u64),
                None => {
                    let wide = match from < bits {
                        true => self.code.compute(bits, Op::SignExtend(from), &[index]),
                        false => index,
                    };
                    self.code.compute(bits, Op::Mul, &[wide, Operand::Int(stride)])
                }
            };
            if offset != Operand::Int(0) {
                address = self.code.compute(bits, Op::Add, &[address, offset]);
            }
        }
        self.define(name, &pointer, &[address]);
        Ok(())
    }

    /// Marks the results of something as not modelled.
    pub(super) fn unknown(&mut self, why: String, name: Option<&'a str>, of: &Type) {
        let registers = name.map(|name| self.registers(name, of)).unwrap_or_default();
        self.code.push(Kind::Unknown { why, to: registers.into_iter().flatten().collect() });
    }

    /// Performs what follows only in lanes where a condition holds.
    pub(super) fn only_if(&mut self, condition: Option<Operand>) {
        self.code.guard(condition.map(|on| Guard::Bit(on, true)));
    }
}
