//! Operands: constants and constant expressions, and the values of names.

use super::cursor::{Cursor, Parsed};
use super::lexer::{Kind, hexadecimal};
use super::types::{self, Scalar, Type};
use super::unit::Unit;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Operand, Space, window};

/// A constant: an integer, an address, or data.
pub(super) type Constant = Operand;

/// The bits of a width.
pub(super) const fn ones(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Adds a number to a constant.
pub(super) const fn plus(constant: Constant, by: i64) -> Constant {
    match constant {
        Operand::Int(value) => Operand::Int(value.wrapping_add(by as u64)),
        Operand::Object(id, offset) => Operand::Object(id, offset.wrapping_add(by)),
        other => other,
    }
}

impl<'a> Unit<'_, 'a> {
    /// Reads an operand of a type: one value for each of its scalars.
    pub(super) fn value(&mut self, cursor: &mut Cursor<'_, 'a>, of: &Type) -> Parsed<Vec<Operand>> {
        let token = cursor.peek();
        if token.kind == Kind::Local {
            cursor.at += 1;
            return Ok(self.named(token, of));
        }
        self.constant(cursor, of, 0)
    }

    /// Reads a type and an operand of it.
    pub(super) fn typed(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<(Type, Vec<Operand>)> {
        let of = types::read(cursor)?;
        let value = self.value(cursor, &of)?;
        Ok((of, value))
    }

    fn constant(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        of: &Type,
        depth: u32,
    ) -> Parsed<Vec<Constant>> {
        if depth > 32 {
            return Err(cursor.unexpected("a constant that is nested less deeply"));
        }
        let scalars = self.around.module.types.scalars(of);
        let all = |constant: Constant| {
            let each = |(_, scalar): &(u64, Scalar)| match (scalar, constant) {
                (Scalar::Data(_), _) => Operand::Data,
                (Scalar::Followed(bits), Operand::Int(value)) => Operand::Int(value & ones(*bits)),
                (_, other) => other,
            };
            scalars.iter().map(each).collect::<Vec<_>>()
        };
        let token = cursor.take();
        Ok(match (token.kind, token.text) {
            (Kind::Global, name) => all(self.around.address(name)),
            (Kind::Number, text) => {
                let number = text.parse::<i128>().map(|value| value as u64).ok();
                all(number.or_else(|| hexadecimal(text)).map_or(Operand::Data, Operand::Int))
            }
            (Kind::Word, "true") => all(Operand::Int(1)),
            (Kind::Word, "false" | "null" | "zeroinitializer" | "none") => all(Operand::Int(0)),
            (Kind::Word, "undef" | "poison") => all(Operand::Data),
            (Kind::Text, _) => all(Operand::Data),
            (Kind::Mark, "[" | "<" | "{") => {
                let mut parts = Vec::new();
                // `<{` begins a packed structure.
                let packed = token.text == "<" && cursor.eat("{");
                while !cursor.eat("]") && !cursor.eat(">") && !cursor.eat("}") {
                    if cursor.eat(",") {
                        continue;
                    }
                    let inner = types::read(cursor)?;
                    parts.extend(self.constant(cursor, &inner, depth + 1)?);
                }
                if packed {
                    cursor.expect(">")?;
                }
                if parts.len() == scalars.len() { parts } else { all(Operand::Data) }
            }
            (Kind::Word, "splat") => {
                cursor.expect("(")?;
                let inner = types::read(cursor)?;
                let value = self.constant(cursor, &inner, depth + 1)?;
                cursor.expect(")")?;
                all(value.first().copied().unwrap_or(Operand::Data))
            }
            (Kind::Word, "asm") => {
                cursor.skip_line();
                all(Operand::Data)
            }
            (Kind::Word, "getelementptr") => all(self.constant_address(cursor, depth)?),
            (Kind::Word, name) => {
                let expression = self.expression(cursor, name, depth)?;
                all(expression)
            }
            _ => {
                cursor.at -= 1;
                return Err(cursor.unexpected("a value"));
            }
        })
    }

    /// Reads the rest of a constant expression: `ptrtoint (ptr @a to i64)`, `add (i32 1, i32 2)`.
    fn expression(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: &str,
        depth: u32,
    ) -> Parsed<Constant> {
        while matches!(cursor.peek().kind, Kind::Word) {
            cursor.at += 1;
        }
        if !cursor.is("(") {
            return Err(cursor.unexpected("a constant expression"));
        }
        cursor.at += 1;
        let mut values = Vec::new();
        let (mut from, mut to) = (None, None);
        while !cursor.eat(")") {
            if cursor.eat(",") {
                continue;
            }
            if cursor.eat("to") {
                to = Some(types::read(cursor)?);
                continue;
            }
            if cursor.peek().kind == Kind::End {
                return Err(cursor.unexpected("`)`"));
            }
            let of = types::read(cursor)?;
            values.push(
                self.constant(cursor, &of, depth + 1)?.first().copied().unwrap_or(Operand::Data),
            );
            from.get_or_insert(of);
        }
        let one = values.first().copied().unwrap_or(Operand::Data);
        Ok(match (name, &values[..]) {
            ("addrspacecast", _) => {
                let space = |of: &Option<Type>| match of {
                    Some(Type::Pointer(space)) => self.around.space(*space),
                    _ => Space::Global,
                };
                plus(one, cast(space(&from), space(&to)))
            }
            ("ptrtoint" | "inttoptr" | "bitcast" | "trunc" | "zext" | "ptrtoaddr", _) => one,
            ("add", [one, Operand::Int(by)] | [Operand::Int(by), one]) => plus(*one, *by as i64),
            ("sub", [one, Operand::Int(by)]) => plus(*one, (*by as i64).wrapping_neg()),
            _ => Operand::Data,
        })
    }

    fn constant_address(&mut self, cursor: &mut Cursor<'_, 'a>, depth: u32) -> Parsed<Constant> {
        while !cursor.is("(") {
            if cursor.at_line_end() {
                return Err(cursor.unexpected("`(`"));
            }
            cursor.at += 1;
        }
        cursor.at += 1;
        if cursor.is("(") {
            cursor.skip_group();
        }
        let element = types::read(cursor)?;
        cursor.expect(",")?;
        let base = types::read(cursor)?;
        let base =
            self.constant(cursor, &base, depth + 1)?.first().copied().unwrap_or(Operand::Data);
        let mut indices = Vec::new();
        while cursor.eat(",") {
            while cursor.eat("inrange") {
                if cursor.is("(") {
                    cursor.skip_group();
                }
            }
            let of = types::read(cursor)?;
            let bits = if let Type::Int(bits) = of { bits.min(64) as u8 } else { 64 };
            match self.constant(cursor, &of, depth + 1)?.first() {
                Some(Operand::Int(value)) => {
                    indices.push((value << (64 - bits)) as i64 >> (64 - bits));
                }
                _ => indices.push(0),
            }
        }
        cursor.expect(")")?;
        Ok(plus(base, self.around.offset(&element, &indices)))
    }
}

/// The offset that a cast of an address from one space to another adds.
pub(super) const fn cast(from: Space, to: Space) -> i64 {
    match (from, to) {
        (Space::Generic, to) => (window(to) as i64).wrapping_neg(),
        (from, Space::Generic) => window(from) as i64,
        _ => 0,
    }
}
