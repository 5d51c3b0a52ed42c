//! Integer types of C: the type of an operator, and the conversion of numbers.
//!
//! Unsigned 64-bit numbers are stored as the signed number with the same bits.

use super::linear::{self, Reach};
use super::memory::plain;
use super::{Atom, Binary, Expression, Fault, Unary, Value};
use crate::diagnostic::Span;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// A type. Numbers of the scenario language itself are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    #[default]
    Exact,
    /// A literal that does not fit into `int`.
    Wide,
    Bool,
    Char,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    /// Not an integer: its values are data.
    Data,
}

impl Type {
    /// The type that words spell; `None` if it is not an integer type.
    pub(crate) fn of<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        let has = |wanted: &str| words.clone().any(|word| word == wanted);
        if has("auto") {
            return None;
        }
        let unsigned = has("unsigned");
        Some(match () {
            () if has("char") && unsigned || has("uchar") => Self::Uchar,
            () if has("char") => Self::Char,
            () if has("short") && unsigned || has("ushort") => Self::Ushort,
            () if has("short") => Self::Short,
            () if has("long") && unsigned || has("ulong") || has("size_t") => Self::Ulong,
            () if has("long") || has("ptrdiff_t") => Self::Long,
            () if unsigned || has("uint") => Self::Uint,
            () if has("int") || has("signed") || has("enum") => Self::Int,
            () if has("bool") => Self::Bool,
            () => return None,
        })
    }

    /// Every type.
    pub(crate) const ALL: [Self; 12] = [
        Self::Exact,
        Self::Wide,
        Self::Bool,
        Self::Char,
        Self::Uchar,
        Self::Short,
        Self::Ushort,
        Self::Int,
        Self::Uint,
        Self::Long,
        Self::Ulong,
        Self::Data,
    ];

    /// A word for each type, for terms.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Wide => "wide",
            Self::Bool => "bool",
            Self::Char => "char",
            Self::Uchar => "uchar",
            Self::Short => "short",
            Self::Ushort => "ushort",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Long => "long",
            Self::Ulong => "ulong",
            Self::Data => "data",
        }
    }

    /// Bits, and whether there is a sign.
    fn size(self) -> (u32, bool) {
        match self {
            Self::Bool => (1, false),
            Self::Char => (8, true),
            Self::Uchar => (8, false),
            Self::Short => (16, true),
            Self::Ushort => (16, false),
            Self::Int => (32, true),
            Self::Uint => (32, false),
            Self::Exact | Self::Wide | Self::Long | Self::Data => (64, true),
            Self::Ulong => (64, false),
        }
    }

    /// The bytes of a number.
    pub(crate) fn bytes(self) -> u32 {
        self.size().0.div_ceil(8)
    }

    /// The minimum and maximum of a type with less than 64 bits.
    pub(crate) fn range(self) -> Option<(i64, i64)> {
        match self.size() {
            (64, _) => None,
            (bits, true) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            (bits, false) => Some((0, (1 << bits) - 1)),
        }
    }

    /// The type of a literal of C: the first one that its suffix allows and that holds it. Only literals that are not
    /// decimal may be unsigned without a suffix.
    pub(crate) fn of_literal(number: u64, decimal: bool, suffix: &str) -> Self {
        let has = |letter: char| suffix.contains([letter, letter.to_ascii_uppercase()]);
        let allows = |of: &Self| {
            let (bits, signed) = of.size();
            let most = u64::MAX >> (64 - bits + u32::from(signed));
            let unsigned = if has('u') { !signed } else { signed || !decimal };
            unsigned && (bits == 64 || !has('l')) && number <= most
        };
        let all = [Self::Int, Self::Uint, Self::Long, Self::Ulong];
        all.into_iter().find(allows).unwrap_or(Self::Ulong)
    }

    /// The type of the result of a comparison or `!`: `int` in C.
    fn truth(self) -> Self {
        if matches!(self, Self::Exact | Self::Wide) { Self::Exact } else { Self::Int }
    }

    /// The promoted type: at least `int`.
    pub(crate) fn promoted(self) -> Self {
        if matches!(self, Self::Exact | Self::Wide) { self } else { self.max(Self::Int) }
    }

    /// The type of a binary operator.
    pub(crate) fn common(self, other: Self) -> Self {
        match (self.promoted(), other.promoted()) {
            (Self::Exact, Self::Exact) => Self::Exact,
            (Self::Wide, Self::Exact | Self::Wide) | (Self::Exact, Self::Wide) => Self::Wide,
            (Self::Wide, typed) | (typed, Self::Wide) => typed.max(Self::Long),
            (Self::Exact, typed) | (typed, Self::Exact) if typed == Self::Data => typed,
            (one, other) => one.max(other),
        }
    }

    /// Whether conversion to the other type can change a number of this type.
    pub(crate) fn changes(self, to: Self) -> bool {
        if to == Self::Data {
            return self != to;
        }
        match (self.range(), to.range()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some((least, most)), Some((first, last))) => least < first || most > last,
        }
    }
}

/// Converts a number to a type, truncating upper bits.
pub(super) fn converted(value: Value, to: Type, reach: &Reach) -> Result<Value, Fault> {
    if to == Type::Bool && matches!(value, Value::Int(_) | Value::Linear(_)) {
        return linear::truth(value, reach).map(|value| Value::Int(i64::from(value)));
    }
    match to.range() {
        Some((least, most)) => Ok(linear::wrapped(value, (least, most), reach)),
        None => Ok(value),
    }
}

/// The result of a signed operator, which is undefined if it does not fit.
pub(super) fn checked(value: Value, to: Type, reach: &Reach) -> Result<Value, Fault> {
    let wrapped = converted(value, to, reach)?;
    if wrapped == value { Ok(value) } else { Err(Fault::SignedOverflow) }
}

/// An operator on unsigned 64-bit numbers.
pub(super) fn unsigned(
    operator: Binary,
    left: Value,
    right: Value,
    reach: &Reach,
) -> Result<Value, Fault> {
    let plain = || super::binary(operator, left, right, reach);
    if wraps(operator) {
        return match plain() {
            Err(Fault::Overflow) => wrapping(operator, left, right, reach),
            result => result,
        };
    }
    let (low, high) = (linear::negative(left, reach), linear::negative(right, reach));
    let compares = matches!(
        operator,
        Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
    );
    if !low && !high || compares && low == high {
        return plain();
    }
    if compares {
        // The number with the upper bit set is larger.
        return super::binary(operator, Value::Int(low.into()), Value::Int(high.into()), reach);
    }
    let (left, right) = (linear::settled(left, reach), linear::settled(right, reach));
    let (a, b) = (super::number(left)? as u64, super::number(right)? as u64);
    let value = match operator {
        Binary::Divide => a.checked_div(b).ok_or(Fault::DivisionByZero)?,
        Binary::Remainder => a.checked_rem(b).ok_or(Fault::DivisionByZero)?,
        Binary::ShiftRight => a >> (b & 63),
        Binary::Least => a.min(b),
        Binary::Most => a.max(b),
        _ => return super::binary(operator, left, right, reach),
    };
    Ok(Value::Int(value as i64))
}

/// Whether the result of an operator may wrap around.
fn wraps(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft)
}

/// The lowest 64 bits of a result that does not fit.
fn wrapping(operator: Binary, left: Value, right: Value, reach: &Reach) -> Result<Value, Fault> {
    let (left, right) = (linear::settled(left, reach), linear::settled(right, reach));
    let (a, b) = (plain(super::number(left)?)?, plain(super::number(right)?)?);
    let result = match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::ShiftLeft => a.wrapping_shl(b as u32),
        _ => return Err(Fault::Overflow),
    };
    plain(result).map(Value::Int)
}

/// A value on the stack: its type, and the element that ends it.
#[derive(Clone, Copy)]
struct Entry {
    of: Type,
    end: usize,
}

/// Code with the conversions that its types require.
struct Typing<'a> {
    code: &'a [(Atom, Span)],
    stack: Vec<Entry>,
    /// Elements to insert, by the index they follow.
    put: OrderedMap<usize, Vec<Atom>>,
    /// Replacements of elements.
    turned: OrderedMap<usize, Atom>,
}

/// Inserts the conversions of C into an expression with resolved names, given the types of variables; returns its type.
pub(crate) fn typed(expression: &mut Expression, of_slot: impl Fn(u16) -> Type) -> Type {
    let mut typing = Typing {
        code: &expression.code,
        stack: Vec::new(),
        put: OrderedMap::new(),
        turned: OrderedMap::new(),
    };
    let Some(of) = typing.run(of_slot) else { return Type::Exact };
    let Typing { put, turned, .. } = typing;
    if !put.is_empty() || !turned.is_empty() {
        expression.code = rewritten(&expression.code, &put, &turned);
    }
    of
}

/// The code with the inserted elements; jumps target the position before them.
fn rewritten(
    code: &[(Atom, Span)],
    put: &OrderedMap<usize, Vec<Atom>>,
    turned: &OrderedMap<usize, Atom>,
) -> Vec<(Atom, Span)> {
    let (mut all, mut after) = (Vec::with_capacity(code.len() * 2), Vec::with_capacity(code.len()));
    let mut places = Vec::with_capacity(code.len());
    for (at, &(atom, span)) in code.iter().enumerate() {
        places.push(all.len());
        all.push((turned.get(&at).copied().unwrap_or(atom), span));
        after.push(all.len());
        all.extend(put.get(&at).into_iter().flatten().map(|&atom| (atom, span)));
    }
    for (at, place) in places.into_iter().enumerate() {
        let to = |jump: u32| {
            let end = after.get(at + jump as usize).copied().unwrap_or(all.len());
            if jump == 0 { 0 } else { (end - place - 1) as u32 }
        };
        let atom = match all[place].0 {
            Atom::And(jump) => Atom::And(to(jump)),
            Atom::Or(jump) => Atom::Or(to(jump)),
            Atom::Unless(jump) => Atom::Unless(to(jump)),
            Atom::Jump(jump) => Atom::Jump(to(jump)),
            other => other,
        };
        all[place].0 = atom;
    }
    all
}

impl Typing<'_> {
    fn run(&mut self, of_slot: impl Fn(u16) -> Type) -> Option<Type> {
        // The end of each `? :`, and the type of its first branch.
        let mut joins: Vec<(usize, Type)> = Vec::new();
        for at in 0..self.code.len() {
            self.join(&mut joins, at)?;
            let of = match self.code[at].0 {
                Atom::Slot(slot) => of_slot(slot),
                Atom::Memory(_) => Type::Wide,
                Atom::Int(number) if i32::try_from(number).is_err() => Type::Wide,
                Atom::Literal(number, of) => {
                    self.turned.insert(at, Atom::Int(number));
                    of
                }
                Atom::Convert(to) => {
                    self.stack.pop()?;
                    to
                }
                Atom::Unary(operator) => self.unary(operator, at)?,
                Atom::Binary(operator) => self.binary(operator, at)?,
                Atom::And(_) | Atom::Or(_) | Atom::Unless(_) => {
                    self.stack.pop()?;
                    continue;
                }
                Atom::Truth => self.stack.pop()?.of.truth(),
                Atom::Jump(0) | Atom::Address => continue,
                Atom::Jump(jump) => {
                    joins.push((at + 1 + jump as usize, self.stack.pop()?.of));
                    continue;
                }
                Atom::Element | Atom::Remote => {
                    self.stack.pop()?;
                    self.stack.pop()?;
                    Type::Exact
                }
                Atom::ElementOf(..) => {
                    self.stack.pop()?;
                    Type::Exact
                }
                _ => Type::Exact,
            };
            self.stack.push(Entry { of, end: at });
        }
        self.join(&mut joins, self.code.len())?;
        self.stack.pop().map(|entry| entry.of)
    }

    /// Gives both branches of `? :` one type.
    fn join(&mut self, joins: &mut Vec<(usize, Type)>, at: usize) -> Option<()> {
        while let Some((_, first)) = joins.pop_if(|(to, _)| *to == at) {
            let second = self.stack.pop()?;
            let of = first.common(second.of);
            if of != Type::Data && (first.changes(of) || second.of.changes(of)) {
                self.put(second.end, Atom::Convert(of));
            }
            self.stack.push(Entry { of, ..second });
        }
        Some(())
    }

    fn put(&mut self, after: usize, atom: Atom) {
        self.put.entry(after).or_default().push(atom);
    }

    /// Converts an operand; a number in place.
    fn convert(&mut self, operand: Entry, to: Type) {
        let number = match (self.code[operand.end].0, to.range()) {
            (Atom::Literal(number, _), Some(range)) if to != Type::Bool => Some((number, range)),
            _ => None,
        };
        match number {
            Some((number, range)) => {
                let number = linear::wrapped_number(number, range);
                self.turned.insert(operand.end, Atom::Int(number));
            }
            None => self.put(operand.end, Atom::Convert(to)),
        }
    }

    fn unary(&mut self, operator: Unary, at: usize) -> Option<Type> {
        let of = self.stack.pop()?.of.promoted();
        match (operator, of) {
            (Unary::Not, _) => return Some(of.truth()),
            (_, Type::Uint) => self.put(at, Atom::Convert(of)),
            (Unary::Negate, Type::Ulong) => {
                // The negative of the largest power of two is itself.
                self.turned.insert(at, Atom::Unary(Unary::Complement));
                self.put(at, Atom::Int(1));
                self.put(at, Atom::Unsigned(Binary::Add));
            }
            (Unary::Negate, Type::Int) => self.put(at, Atom::Checked(of)),
            _ => {}
        }
        Some(of)
    }

    fn binary(&mut self, operator: Binary, at: usize) -> Option<Type> {
        let (right, left) = (self.stack.pop()?, self.stack.pop()?);
        if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
            return Some(self.shift(operator, (left, right), at));
        }
        let of = left.of.common(right.of);
        for operand in [left, right] {
            let exact = matches!(operand.of, Type::Exact | Type::Wide);
            let converts = matches!(of, Type::Uint | Type::Data);
            if exact && converts || !exact && operand.of.changes(of) {
                self.convert(operand, of);
            }
        }
        let keeps = matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply);
        // A product of 32-bit numbers may need all 64 bits.
        if of == Type::Ulong || of == Type::Uint && operator == Binary::Multiply {
            self.turned.insert(at, Atom::Unsigned(operator));
        }
        match (operator, of) {
            (Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessOrEqual, _)
            | (Binary::Greater | Binary::GreaterOrEqual, _) => return Some(of.truth()),
            (_, Type::Uint) if keeps => self.put(at, Atom::Convert(of)),
            (_, Type::Int) if keeps => self.put(at, Atom::Checked(of)),
            _ => {}
        }
        Some(of)
    }

    /// A shift has the type of its first operand; its count is less than the width of that type.
    fn shift(&mut self, operator: Binary, (left, right): (Entry, Entry), at: usize) -> Type {
        let of = left.of.promoted();
        if matches!(of, Type::Exact | Type::Wide) {
            return of;
        }
        let bits = i64::from(of.size().0);
        self.put(right.end, Atom::Int(bits - 1));
        self.put(right.end, Atom::Binary(Binary::And));
        let is_left = operator == Binary::ShiftLeft;
        if bits == 64 && (is_left || of == Type::Ulong) {
            self.turned.insert(at, Atom::Unsigned(operator));
        }
        if is_left && bits == 32 {
            self.put(at, Atom::Convert(of));
        }
        of
    }
}
