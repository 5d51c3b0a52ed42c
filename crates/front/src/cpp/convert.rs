//! Values from places, conversions, and arithmetic.

use super::symbol::{Is, Value};
use super::types::{GENERIC, INT, Type, UNSIGNED};
use super::unit::{Unit, wrapped};
use super::{Parsed, Problem};
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;

impl Unit {
    /// The value of an expression: the contents of a place, or the address of an array.
    pub(super) fn rvalue(&mut self, value: Value) -> Value {
        match (&value.of, value.is) {
            (Type::Array(of, _), Is::Place(address, space)) => {
                Value { of: Type::Pointer(of.clone(), space), is: Is::Operand(address) }
            }
            (Type::Reference(of, space), Is::Register(name)) => {
                let place = Value { of: (**of).clone(), is: Is::Place(name, *space) };
                self.rvalue(place)
            }
            (Type::Float(_), Is::Register(_)) => Value { is: Is::Data, ..value },
            (_, Is::Register(name)) => {
                self.body.touched.push((name.clone(), false));
                Value { is: Is::Operand(name), of: value.of }
            }
            (of, Is::Place(address, space)) if of.is_scalar() => {
                let of = value.of.clone();
                self.load(of, &address, space)
            }
            (_, is) => Value { is, of: value.of },
        }
    }

    pub(super) fn load(&mut self, of: Type, address: &str, space: u32) -> Value {
        let at = Type::Void.pointer(space);
        let (stored, at) = (self.types.stored(&of), self.types.spelled(&at));
        let name = self.fresh();
        let (how, of) = match of {
            Type::Volatile(of) => ("volatile ", (*of).clone()),
            of => ("", of),
        };
        self.effect(format!("{name} = load {how}{stored}, {at} {address}"));
        match of {
            Type::Float(_) => Value { of, is: Is::Data },
            Type::Bool => self.compute(of, format!("trunc i8 {name} to i1")),
            _ => Value { of, is: Is::Operand(name) },
        }
    }

    /// Writes a value of the type of a place.
    pub(super) fn store(&mut self, of: &Type, value: &Value, address: &str, space: u32) {
        let mut operand = self.operand(value);
        let (how, of) = match of {
            Type::Volatile(of) => ("volatile ", &**of),
            of => ("", of),
        };
        if *of == Type::Bool && !matches!(value.is, Is::Int(_)) {
            let wide = self.compute(Type::Int(8, false), format!("zext i1 {operand} to i8"));
            operand = self.operand(&wide);
        }
        let at = self.types.spelled(&Type::Void.pointer(space));
        let stored = self.types.stored(of);
        self.effect(format!("store {how}{stored} {operand}, {at} {address}"));
    }

    /// Assigns a value to a variable or a place.
    pub(super) fn assign(&mut self, to: &Value, value: Value) -> Parsed<()> {
        match &to.is {
            Is::Register(name) => {
                let value = self.convert(value, &to.of)?;
                self.body.effects += 1;
                self.body.touched.push((name.clone(), true));
                if !matches!(to.of, Type::Float(_)) {
                    let typed = self.typed(&value);
                    self.emit(format!("{name} = freeze {typed}"));
                }
                Ok(())
            }
            Is::Place(address, space) if to.of.is_scalar() => {
                let value = self.convert(value, &to.of)?;
                self.store(&to.of, &value, address, *space);
                Ok(())
            }
            Is::Place(..)
                if self.opencl
                    && value.of.value().is_number()
                    && self.vector_of(&to.of).is_some() =>
            {
                // A number is assigned to all elements of a vector.
                let value = self.rvalue(value);
                for (_, part) in self.parts(to)? {
                    self.assign(&part, value.clone())?;
                }
                Ok(())
            }
            Is::Place(address, space) => self.copy(&to.of, &value, address, *space),
            _ => Err(Problem::at(self.peek(), "this is not a variable, and cannot be assigned to")),
        }
    }

    /// Copies a structure or array.
    fn copy(&mut self, of: &Type, value: &Value, address: &str, space: u32) -> Parsed<()> {
        let Is::Place(from, source) = &value.is else {
            return Err(self.mismatch(value, of));
        };
        match (&value.of, of) {
            (one, other) if one == other => {}
            (Type::Struct(one), Type::Struct(other)) if self.types.derives(*one, *other) => {}
            _ => return Err(self.mismatch(value, of)),
        }
        let to = self.types.spelled(&Type::Void.pointer(space));
        let at = self.types.spelled(&Type::Void.pointer(*source));
        if self.types.is_small(of) {
            let stored = self.types.stored(of);
            let name = self.fresh();
            self.effect(format!("{name} = load {stored}, {at} {from}"));
            self.effect(format!("store {stored} {name}, {to} {address}"));
        } else {
            let size = self.types.size(of).0;
            self.effect(format!(
                "call void @llvm.memcpy({to} {address}, {at} {from}, i64 {size}, i1 false)"
            ));
        }
        Ok(())
    }

    pub(super) fn mismatch(&self, value: &Value, to: &Type) -> Box<Problem> {
        let (from, to) = (self.shown(&value.of), self.shown(to));
        Problem::at(self.peek(), format!("a value of type `{from}` does not convert to `{to}`"))
    }

    /// The name of a type in messages.
    pub(super) fn shown(&self, of: &Type) -> String {
        match of {
            Type::Pointer(of, _) => format!("{} *", self.shown(of)),
            Type::Reference(of, _) => format!("{} &", self.shown(of)),
            Type::Volatile(of) => format!("volatile {}", self.shown(of)),
            Type::Array(of, count) => format!("{} [{count}]", self.shown(of)),
            Type::Struct(at) => {
                self.types.structs.get(*at).map_or_else(String::new, |one| (&*one.name).into())
            }
            Type::Bool => "bool".into(),
            Type::Int(bits, signed) => {
                let sign = if *signed { "" } else { "unsigned " };
                let name = match bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                format!("{sign}{name}")
            }
            other => self.types.spelled(other),
        }
    }

    /// Converts a value to a type, as an assignment or a cast does.
    pub(super) fn convert(&mut self, value: Value, to: &Type) -> Parsed<Value> {
        let value = self.rvalue(value);
        let to = match to {
            Type::Volatile(to) => to,
            to => to,
        };
        if value.of == *to || matches!(to, Type::Auto) {
            return Ok(value);
        }
        Ok(match (&value.of, to) {
            (_, Type::Void) => Value { of: Type::Void, is: Is::Nothing },
            (from, Type::Float(_)) if from.is_number() => Value { of: to.clone(), is: Is::Data },
            (Type::Float(_), _) if to.is_integer() => {
                let spelled = self.types.spelled(to);
                self.compute(to.clone(), format!("fptosi float undef to {spelled}"))
            }
            (from, Type::Bool) if from.is_scalar() => self.truth(value)?,
            (from, Type::Int(bits, signed)) if from.is_integer() => {
                let (bits, signed) = (*bits, *signed);
                self.resize(value, bits, signed)
            }
            (Type::Pointer(..), Type::Pointer(..)) => self.readdress(value, to),
            (Type::Pointer(..), Type::Int(bits, signed)) => {
                let (bits, signed) = (*bits, *signed);
                if let Is::Int(number) = value.is {
                    return Ok(Self::integer(number, to.clone()));
                }
                let typed = self.typed(&value);
                let wide = self.compute(Type::Int(64, false), format!("ptrtoint {typed} to i64"));
                self.resize(wide, bits, signed)
            }
            (from, Type::Pointer(..)) if from.is_integer() => {
                let wide = self.resize(value, 64, from_signed(&INT));
                if let Is::Int(number) = wide.is {
                    return Ok(Value { of: to.clone(), is: Is::Int(number) });
                }
                let (typed, spelled) = (self.typed(&wide), self.types.spelled(to));
                self.compute(to.clone(), format!("inttoptr {typed} to {spelled}"))
            }
            _ => return Err(self.mismatch(&value, to)),
        })
    }

    fn resize(&mut self, value: Value, bits: u8, signed: bool) -> Value {
        let of = Type::Int(bits, signed);
        if let Is::Int(number) = value.is {
            return Self::integer(number, of);
        }
        let from = value.of.bits();
        if from == bits {
            return Value { of, ..value };
        }
        let word = match from > bits {
            true => "trunc",
            false if value.of.is_signed() => "sext",
            false => "zext",
        };
        let typed = self.typed(&value);
        self.compute(of, format!("{word} {typed} to i{bits}"))
    }

    /// Converts an address to another address space.
    fn readdress(&mut self, value: Value, to: &Type) -> Value {
        let (Type::Pointer(_, from), Type::Pointer(_, space)) = (&value.of, to) else {
            return value;
        };
        let constant = matches!(value.is, Is::Int(_));
        if from == space || constant {
            return Value { of: to.clone(), ..value };
        }
        let (typed, spelled) = (self.typed(&value), self.types.spelled(to));
        self.compute(to.clone(), format!("addrspacecast {typed} to {spelled}"))
    }

    /// Whether a value is not zero.
    pub(super) fn truth(&mut self, value: Value) -> Parsed<Value> {
        let value = self.rvalue(value);
        match (&value.of, &value.is) {
            (Type::Bool, _) => Ok(value),
            (_, Is::Int(number)) => Ok(Self::integer(i64::from(*number != 0), Type::Bool)),
            (Type::Float(_), _) => {
                Ok(self.compute(Type::Bool, "fcmp une float undef, undef".into()))
            }
            (Type::Int(..), _) => {
                let typed = self.typed(&value);
                Ok(self.compute(Type::Bool, format!("icmp ne {typed}, 0")))
            }
            (Type::Pointer(..), _) => {
                let typed = self.typed(&value);
                Ok(self.compute(Type::Bool, format!("icmp ne {typed}, null")))
            }
            _ => Err(self.mismatch(&value, &Type::Bool)),
        }
    }

    /// The type of the result of an operation on two numbers.
    pub(super) fn common(one: &Type, other: &Type) -> Type {
        match (one, other) {
            (Type::Float(one), Type::Float(other)) => Type::Float((*one).max(*other)),
            (Type::Float(_), _) => one.clone(),
            (_, Type::Float(_)) => other.clone(),
            _ => {
                let (one, other) = (promoted(one), promoted(other));
                let bits = one.bits().max(other.bits());
                let unsigned =
                    [&one, &other].into_iter().any(|of| of.bits() == bits && !of.is_signed());
                Type::Int(bits, !unsigned)
            }
        }
    }

    /// An operation on two values: arithmetic, comparisons, addresses.
    pub(super) fn operation(&mut self, op: &str, one: Value, other: Value) -> Parsed<Value> {
        let (one, other) = (self.rvalue(one), self.rvalue(other));
        let compares = matches!(op, "==" | "!=" | "<" | ">" | "<=" | ">=");
        match (&one.of, &other.of) {
            (Type::Pointer(..), Type::Pointer(..)) if compares => {
                self.compare_addresses(op, one, other)
            }
            (Type::Pointer(..), Type::Pointer(of, _)) if op == "-" => {
                let size = self.types.size(of).0.max(1) as i64;
                let (long, generic) = (Type::Int(64, true), Type::Void.pointer(GENERIC));
                let (one, other) = (self.convert(one, &generic)?, self.convert(other, &generic)?);
                let (one, other) = (self.convert(one, &long)?, self.convert(other, &long)?);
                let bytes = self.operation("-", one, other)?;
                self.operation("/", bytes, Self::integer(size, long))
            }
            (Type::Pointer(..), from) if from.is_integer() && matches!(op, "+" | "-") => {
                let other = match op {
                    "-" => {
                        let wide = self.convert(other, &Type::Int(64, true))?;
                        self.operation("-", Self::integer(0, Type::Int(64, true)), wide)?
                    }
                    _ => other,
                };
                self.element(one, other)
            }
            (from, Type::Pointer(..)) if from.is_integer() && op == "+" => self.element(other, one),
            (Type::Pointer(..), from) | (from, Type::Pointer(..))
                if compares && from.is_integer() =>
            {
                self.compare_addresses(op, one, other)
            }
            (from, with) if from.is_number() && with.is_number() => self.arithmetic(op, one, other),
            (from, with) => {
                if let Some(value) = self.overloaded_on(op, &[&one, &other])? {
                    return Ok(value);
                }
                if let Some(value) = self.elementwise(op, &one, &other)? {
                    return Ok(value);
                }
                let what = format!("`{op}` on `{}` and `{}`", self.shown(from), self.shown(with));
                Err(self.unsupported(&what))
            }
        }
    }

    fn compare_addresses(&mut self, op: &str, one: Value, other: Value) -> Parsed<Value> {
        let generic = Type::Void.pointer(GENERIC);
        let (one, other) = (self.convert(one, &generic)?, self.convert(other, &generic)?);
        let (typed, other) = (self.typed(&one), self.operand(&other));
        let how = comparison(op, false);
        Ok(self.compute(Type::Bool, format!("icmp {how} {typed}, {other}")))
    }

    /// The address of an element.
    pub(super) fn element(&mut self, pointer: Value, index: Value) -> Parsed<Value> {
        let Type::Pointer(of, _) = &pointer.of else {
            return Err(self.mismatch(&index, &INT));
        };
        let size = self.types.size(of).0.max(1);
        let signed = !matches!(index.of, Type::Int(64, false));
        let index = self.convert(index, &Type::Int(64, signed))?;
        if index.is == Is::Int(0) {
            return Ok(pointer);
        }
        let (typed, index) = (self.typed(&pointer), self.operand(&index));
        let of = pointer.of.clone();
        Ok(self.compute(of, format!("getelementptr [{size} x i8], {typed}, i64 {index}")))
    }

    fn arithmetic(&mut self, op: &str, one: Value, other: Value) -> Parsed<Value> {
        let shift = matches!(op, "<<" | ">>");
        let of = if shift { promoted(&one.of) } else { Self::common(&one.of, &other.of) };
        let (one, mut other) = (self.convert(one, &of)?, self.convert(other, &of)?);
        if shift && self.opencl && of.is_integer() {
            // OpenCL C shifts by the low bits of the right operand.
            let low = Self::integer(i64::from(of.bits()) - 1, of.clone());
            other = self.arithmetic("&", other, low)?;
        }
        let compares = matches!(op, "==" | "!=" | "<" | ">" | "<=" | ">=");
        if matches!(of, Type::Float(_)) {
            return Ok(match compares {
                true => self.compute(Type::Bool, "fcmp une float undef, undef".into()),
                false => Value { of, is: Is::Data },
            });
        }
        let signed = of.is_signed();
        if let (Is::Int(one), Is::Int(other)) = (&one.is, &other.is)
            && let Some(value) = folded(op, *one, *other, of.bits(), signed)
        {
            let of = if compares { Type::Bool } else { of };
            return Ok(Self::integer(value, of));
        }
        let (typed, other) = (self.typed(&one), self.operand(&other));
        if compares {
            let how = comparison(op, signed);
            return Ok(self.compute(Type::Bool, format!("icmp {how} {typed}, {other}")));
        }
        let word = match op {
            "+" => "add",
            "-" => "sub",
            "*" => "mul",
            "/" if signed => "sdiv",
            "/" => "udiv",
            "%" if signed => "srem",
            "%" => "urem",
            "<<" => "shl",
            ">>" if signed => "ashr",
            ">>" => "lshr",
            "&" => "and",
            "|" => "or",
            "^" => "xor",
            _ => return Err(self.unsupported(&format!("`{op}`"))),
        };
        Ok(self.compute(of, format!("{word} {typed}, {other}")))
    }

    /// The address of a place, in the address space of the place.
    pub(super) fn address(&mut self, value: Value) -> Parsed<Value> {
        match value.is {
            Is::Place(address, space) => {
                Ok(Value { of: value.of.pointer(space), is: Is::Operand(address) })
            }
            Is::Register(name) => match value.of {
                Type::Reference(of, space) => {
                    Ok(Value { of: Type::Pointer(of, space), is: Is::Operand(name) })
                }
                _ => Err(self.unsupported("the address of this variable")),
            },
            _ => Err(Problem::at(self.peek(), "this has no address")),
        }
    }

    /// The place at an address.
    pub(super) fn at_address(&mut self, pointer: Value) -> Parsed<Value> {
        let pointer = self.rvalue(pointer);
        let Type::Pointer(of, space) = pointer.of.clone() else {
            return Err(Problem::at(self.peek(), "this is not a pointer"));
        };
        let address: Rc<str> = self.operand(&pointer);
        Ok(Value { of: (*of).clone(), is: Is::Place(address, space) })
    }
}

const fn from_signed(of: &Type) -> bool {
    of.is_signed()
}

/// The type after integer promotion: small integers become `int`.
pub(super) fn promoted(of: &Type) -> Type {
    match of {
        Type::Bool => INT,
        Type::Int(bits, _) if *bits < 32 => INT,
        Type::Int(32, false) => UNSIGNED,
        other => other.clone(),
    }
}

fn comparison(op: &str, signed: bool) -> &'static str {
    match (op, signed) {
        ("==", _) => "eq",
        ("!=", _) => "ne",
        ("<", true) => "slt",
        ("<", false) => "ult",
        ("<=", true) => "sle",
        ("<=", false) => "ule",
        (">", true) => "sgt",
        (">", false) => "ugt",
        (">=", true) => "sge",
        _ => "uge",
    }
}

/// An operation on two constants; `None` where it is not defined.
fn folded(op: &str, one: i64, other: i64, bits: u8, signed: bool) -> Option<i64> {
    let (low, high) = (one as u64, other as u64);
    let shift = u32::try_from(other).ok().filter(|by| *by < u32::from(bits));
    let value = match op {
        "+" => one.wrapping_add(other),
        "-" => one.wrapping_sub(other),
        "*" => one.wrapping_mul(other),
        "/" if signed => one.checked_div(other)?,
        "%" if signed => one.checked_rem(other)?,
        "/" => low.checked_div(high)? as i64,
        "%" => low.checked_rem(high)? as i64,
        "<<" => one << shift?,
        ">>" if signed => one >> shift?,
        ">>" => (low >> shift?) as i64,
        "&" => one & other,
        "|" => one | other,
        "^" => one ^ other,
        "==" => return Some(i64::from(one == other)),
        "!=" => return Some(i64::from(one != other)),
        _ => {
            let order = if signed { one.cmp(&other) } else { low.cmp(&high) };
            return Some(i64::from(match op {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                ">" => order.is_gt(),
                ">=" => order.is_ge(),
                _ => return None,
            }));
        }
    };
    Some(wrapped(value, bits, signed))
}
