//! The values of a kernel while it is lowered, and integer arithmetic.

use super::lower::Lowering;
use super::parse::Parsed;
use super::tree::Sign;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{
    Comparison, Edge, End, Kind as Does, ObjectId, Op, Operand, Passed, Place, Reg,
};

/// Bits of an integer.
const BITS: u8 = 32;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A known integer.
    Int(i64),
    /// An integer that only the host decides, plus an offset.
    Host(Host, i64),
    /// An integer of the execution.
    Scalar(Operand),
    /// A truth value of the execution.
    Bit(Operand),
    /// Data.
    Data,
    None,
    Text(String),
    Tuple(Vec<Value>),
    View(Box<View>),
    /// A pointer to global memory, or a descriptor of a tensor in it.
    Global(ObjectId),
    /// The type of an element, with its size in bytes.
    Type(i64),
    /// Values of different kinds on different ways: it cannot be followed.
    Mixed,
}

/// An integer that is the same for all agents of a launch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Host {
    /// The expression that it is: equal ones are equal.
    pub(super) key: String,
    /// Its value, if it is one of the launch and not an argument.
    pub(super) known: Option<Operand>,
    /// Whether it depends on the number of the program.
    pub(super) local: bool,
}

/// Which memory a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Shared,
    Tensor,
    /// mbarrier objects; `true` if every thread arrives.
    Barriers(bool),
}

/// Elements of an allocation, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    pub(super) object: ObjectId,
    pub(super) storage: Storage,
    /// Buffers, unless one is chosen.
    pub(super) count: Option<i64>,
    /// The chosen one.
    pub(super) index: Value,
    /// Bytes of a buffer.
    pub(super) stage: i64,
    /// The first byte in the buffer, and the number of bytes.
    pub(super) part: (i64, i64),
    pub(super) shape: Vec<i64>,
    /// Bytes of an element.
    pub(super) element: i64,
    /// The rank of the CTA that it is in, if it is another one.
    pub(super) rank: Option<Value>,
}

impl Value {
    pub(super) const fn int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    const fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Host(..) | Self::Scalar(_) | Self::Bit(_))
    }
}

const fn comparison(sign: Sign) -> Option<Comparison> {
    Some(match sign {
        Sign::Eq | Sign::Is => Comparison::Eq,
        Sign::Ne | Sign::IsNot => Comparison::Ne,
        Sign::Lt => Comparison::Slt,
        Sign::Le => Comparison::Sle,
        Sign::Gt => Comparison::Sgt,
        Sign::Ge => Comparison::Sge,
        _ => return None,
    })
}

/// The result for known integers.
fn folded(sign: Sign, one: i64, other: i64) -> Option<i64> {
    let wide = |result: Option<i64>| result.filter(|it| it.unsigned_abs() < 1 << 62);
    let shift = u32::try_from(other).ok().filter(|&by| by < 62);
    match sign {
        Sign::Add => wide(one.checked_add(other)),
        Sign::Sub => wide(one.checked_sub(other)),
        Sign::Mul => wide(one.checked_mul(other)),
        Sign::Floor => {
            let quotient = one.checked_div(other)?;
            Some(quotient - i64::from(one % other != 0 && (one < 0) != (other < 0)))
        }
        Sign::Rem => {
            let rest = one.checked_rem(other)?;
            Some(if rest != 0 && (rest < 0) != (other < 0) { rest + other } else { rest })
        }
        Sign::Power => wide(one.checked_pow(u32::try_from(other).ok()?)),
        Sign::Shl => wide(one.checked_mul(1_i64.checked_shl(shift?)?)),
        Sign::Shr => Some(one >> shift?),
        Sign::And => Some(one & other),
        Sign::Or => Some(one | other),
        Sign::Xor => Some(one ^ other),
        _ => None,
    }
}

impl Lowering<'_, '_> {
    /// The argument that the host passes for an expression, which is created at its first use.
    fn argument(&mut self, key: &str) -> Operand {
        if let Some(&known) = self.hosts.get(key) {
            return Operand::Argument(known);
        }
        let id = self.module.argument(key, self.kernel_place, BITS, Passed::Integer);
        self.hosts.insert(String::from(key), id);
        Operand::Argument(id)
    }

    /// The operand of a number; `Data` for everything else.
    pub(super) fn operand(&mut self, value: &Value) -> Operand {
        match value {
            Value::Int(value) => Operand::Int(*value as u64),
            Value::Scalar(operand) | Value::Bit(operand) => *operand,
            Value::Host(host, offset) => {
                let base = match host.known {
                    Some(known) => known,
                    None if host.local => return Operand::Data,
                    None => self.argument(&host.key),
                };
                match offset {
                    0 => base,
                    _ => self.builder.compute(BITS, Op::Add, &[base, Operand::Int(*offset as u64)]),
                }
            }
            _ => Operand::Data,
        }
    }

    /// A number of 1 bit.
    pub(super) fn bit(&mut self, value: &Value) -> Operand {
        match value {
            Value::Bit(bit) => *bit,
            Value::Int(value) => Operand::Int(u64::from(*value != 0)),
            Value::None => Operand::Int(0),
            Value::Scalar(_) | Value::Host(..) => {
                let of = self.operand(value);
                let op = Op::Compare(Comparison::Ne, BITS);
                self.builder.compute(1, op, &[of, Operand::Int(0)])
            }
            _ => Operand::Data,
        }
    }

    /// An integer that the host decides as a number of rounds. It is at least 1.
    pub(super) fn rounds(&mut self, host: &Host) -> Operand {
        if let Some(known) = host.known {
            return known;
        }
        let operand = self.argument(&host.key);
        if !self.positive.contains(&operand) {
            self.positive.push(operand);
        }
        operand
    }

    /// Starts with the check that sizes are positive: the host passes no others.
    pub(super) fn assume_positive(&mut self) {
        for of in core::mem::take(&mut self.positive) {
            let op = Op::Compare(Comparison::Sge, BITS);
            let on = self.builder.compute(1, op, &[of, Operand::Int(1)]);
            let [next, never] = [self.builder.block(), self.builder.block()];
            let edge = |to| Edge { to, moves: Vec::new() };
            self.builder.end(End::Branch { on, then: edge(next), other: edge(never) });
            self.builder.go_to(next);
        }
    }

    pub(super) fn binary(&mut self, sign: Sign, one: Value, other: Value) -> Value {
        if let Some(value) = self.compared(sign, &one, &other) {
            return value;
        }
        match (&one, &other) {
            (Value::Int(one), Value::Int(other)) => {
                folded(sign, *one, *other).map_or(Value::Data, Value::Int)
            }
            (Value::Tuple(parts), Value::Tuple(more)) if sign == Sign::Add => {
                Value::Tuple(parts.iter().chain(more).cloned().collect())
            }
            // A pointer and its offsets.
            (Value::Global(object), _) | (_, Value::Global(object)) => Value::Global(*object),
            _ if !one.is_number() || !other.is_number() => Value::Data,
            (Value::Host(host, offset), Value::Int(by))
                if matches!(sign, Sign::Add | Sign::Sub) =>
            {
                let by = if sign == Sign::Add { *by } else { -*by };
                Value::Host(host.clone(), offset.saturating_add(by))
            }
            (Value::Int(by), Value::Host(host, offset)) if sign == Sign::Add => {
                Value::Host(host.clone(), offset.saturating_add(*by))
            }
            (Value::Host(a, at), Value::Host(b, by)) if sign == Sign::Sub && a == b => {
                Value::Int(at - by)
            }
            (Value::Host(host, _), Value::Int(_)) | (Value::Int(_), Value::Host(host, _))
                if host.known.is_some() =>
            {
                self.computed(sign, &one, &other)
            }
            (Value::Int(_) | Value::Host(..), Value::Int(_) | Value::Host(..)) => {
                derived(sign, &one, &other)
            }
            _ => self.computed(sign, &one, &other),
        }
    }

    fn compared(&mut self, sign: Sign, one: &Value, other: &Value) -> Option<Value> {
        let comparison = comparison(sign)?;
        if let (Some(one), Some(other)) = (one.int(), other.int()) {
            let holds = match comparison {
                Comparison::Eq => one == other,
                Comparison::Ne => one != other,
                Comparison::Slt => one < other,
                Comparison::Sle => one <= other,
                Comparison::Sgt => one > other,
                _ => one >= other,
            };
            return Some(Value::Int(i64::from(holds)));
        }
        let equal = matches!(sign, Sign::Eq | Sign::Ne | Sign::Is | Sign::IsNot);
        let fixed =
            |value: &Value| !value.is_number() && !matches!(value, Value::Data | Value::Mixed);
        if equal && (fixed(one) || fixed(other)) {
            let unknown = |value: &Value| matches!(value, Value::Data | Value::Mixed);
            if unknown(one) || unknown(other) {
                return Some(Value::Data);
            }
            return Some(Value::Int(i64::from(
                (one == other) == matches!(sign, Sign::Eq | Sign::Is),
            )));
        }
        if !one.is_number() || !other.is_number() {
            return Some(Value::Data);
        }
        if let (Value::Host(a, at), Value::Host(b, by)) = (one, other)
            && a == b
        {
            return self.compared(sign, &Value::Int(*at), &Value::Int(*by));
        }
        let of = [self.operand(one), self.operand(other)];
        if of.contains(&Operand::Data) {
            return Some(Value::Data);
        }
        Some(Value::Bit(self.builder.compute(1, Op::Compare(comparison, BITS), &of)))
    }

    /// An operation of the execution.
    fn computed(&mut self, sign: Sign, one: &Value, other: &Value) -> Value {
        let bits = matches!((one, other), (Value::Bit(_), Value::Bit(_)));
        let op = match sign {
            Sign::Add => Op::Add,
            Sign::Sub => Op::Sub,
            Sign::Mul => Op::Mul,
            Sign::Floor => Op::DivSigned,
            Sign::Rem => Op::RemSigned,
            Sign::Shl => Op::Shl,
            Sign::Shr => Op::ShrSigned,
            Sign::And => Op::And,
            Sign::Or => Op::Or,
            Sign::Xor => Op::Xor,
            _ => return Value::Data,
        };
        let divides = matches!(sign, Sign::Floor | Sign::Rem);
        if divides && other.int().is_none_or(|by| by <= 0) {
            return Value::Data;
        }
        let of = [self.operand(one), self.operand(other)];
        if of.contains(&Operand::Data) {
            return Value::Data;
        }
        match bits && matches!(sign, Sign::And | Sign::Or | Sign::Xor) {
            true => Value::Bit(self.builder.compute(1, op, &of)),
            false => Value::Scalar(self.builder.compute(BITS, op, &of)),
        }
    }

    /// The smaller or larger one of two numbers.
    pub(super) fn extreme(&mut self, least: bool, one: &Value, other: &Value) -> Value {
        match (one, other) {
            (Value::Int(one), Value::Int(other)) => {
                Value::Int(if least { *one.min(other) } else { *one.max(other) })
            }
            (Value::Int(_) | Value::Host(..), Value::Int(_) | Value::Host(..)) => {
                let name = if least { "min" } else { "max" };
                host_of(format!("{name}({}, {})", shown(one), shown(other)), [one, other])
            }
            _ if one.is_number() && other.is_number() => {
                let op = if least { Op::MinSigned } else { Op::MaxSigned };
                let of = [self.operand(one), self.operand(other)];
                Value::Scalar(self.builder.compute(BITS, op, &of))
            }
            _ => Value::Data,
        }
    }

    /// A new register with the number.
    pub(super) fn copied(&mut self, value: &Value) -> Reg {
        let width = if matches!(value, Value::Bit(_)) { 1 } else { BITS };
        let register = self.builder.register(width);
        let of = self.operand(value);
        self.builder.compute_to(register, Op::Copy, &[of]);
        register
    }

    /// The value in registers of its own; `of_variable` if assignments to the variable will change them.
    pub(super) fn kept(&mut self, value: &Value, of_variable: bool) -> Value {
        match value {
            Value::Int(_) | Value::Host(..) | Value::Bit(_) if of_variable => {
                let wide = self.operand(value);
                Value::Scalar(Operand::Register(self.copied(&Value::Scalar(wide))))
            }
            Value::Scalar(_) => Value::Scalar(Operand::Register(self.copied(value))),
            Value::Bit(_) => Value::Bit(Operand::Register(self.copied(value))),
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.kept(part, of_variable)).collect())
            }
            Value::View(view) => {
                let index = self.kept(&view.index, of_variable);
                Value::View(Box::new(View { index, ..(**view).clone() }))
            }
            other => other.clone(),
        }
    }

    /// Writes a value into the registers of a variable; `false` if it is of another kind.
    pub(super) fn write(&mut self, to: &Value, value: &Value) -> bool {
        match (to, value) {
            (Value::Data, _) => true,
            (Value::Scalar(Operand::Register(register)), _) => {
                match self.operand(value) {
                    Operand::Data => self.builder.push(Does::Opaque { to: alloc::vec![*register] }),
                    of => self.builder.compute_to(*register, Op::Copy, &[of]),
                }
                value.is_number() || *value == Value::Data
            }
            (Value::Tuple(parts), Value::Tuple(more)) if parts.len() == more.len() => {
                parts.iter().zip(more).all(|(to, value)| self.write(to, value))
            }
            (Value::View(to), Value::View(view)) => {
                let same = View { index: view.index.clone(), ..(**to).clone() } == **view;
                same && self.write(&to.index, &view.index)
            }
            _ => to == value,
        }
    }

    /// The integer that a size needs.
    pub(super) fn size(&mut self, value: &Value, place: Place, what: &str) -> Parsed<i64> {
        match value {
            Value::Int(value) => Ok(*value),
            Value::Host(host, _) => Err((
                place,
                format!(
                    "{what} needs the value of `{0}`: add the line `argument {0}=VALUE` above the code, or the option `--arg {0}=VALUE`",
                    host.key
                ),
            )),
            _ => Err((
                place,
                format!("{what} must be an integer that is known when the kernel is compiled"),
            )),
        }
    }
}

/// A number as a part of a key.
fn shown(value: &Value) -> String {
    match value {
        Value::Host(host, 0) => host.key.clone(),
        Value::Host(host, offset) => format!("({} + {offset})", host.key).replace("+ -", "- "),
        Value::Int(value) => format!("{value}"),
        _ => String::new(),
    }
}

fn host_of(key: String, of: [&Value; 2]) -> Value {
    let local = of.iter().any(|one| matches!(one, Value::Host(host, _) if host.local));
    Value::Host(Host { key, known: None, local }, 0)
}

/// An operation on integers that the host decides.
fn derived(sign: Sign, one: &Value, other: &Value) -> Value {
    let (name, both) = match sign {
        Sign::Add => ("+", true),
        Sign::Mul => ("*", true),
        Sign::Sub => ("-", false),
        Sign::Floor => ("//", false),
        Sign::Rem => ("%", false),
        _ => return Value::Data,
    };
    let (one, other) = if both && one.int().is_some() { (other, one) } else { (one, other) };
    // A quotient of a sum: the multiples of the divisor are an offset.
    if let (Sign::Floor, Value::Host(host, offset), Value::Int(by @ 1..)) = (sign, one, other) {
        let rest = Value::Host(host.clone(), offset.rem_euclid(*by));
        let key = format!("{} // {by}", shown(&rest));
        let host = Host { key, known: None, local: host.local };
        return Value::Host(host, offset.div_euclid(*by));
    }
    let within = |value: &Value| match value {
        Value::Host(host, 0) if host.key.contains(' ') => format!("({})", host.key),
        value => shown(value),
    };
    host_of(format!("{} {name} {}", within(one), within(other)), [one, other])
}
