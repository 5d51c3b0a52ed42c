//! Values while a kernel is read, and integer arithmetic.

use super::Reader;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Comparison, ObjectId, Op, Operand, Passed, Place};

/// Bytes of an element whose type is not in the text.
pub(super) const ELEMENT: i64 = 2;
/// Bytes of a block of a tensor whose size is not in the text.
pub(super) const BLOCK: i64 = 8192;

/// Arguments of a call with their keywords.
pub(super) type Given<'t> = Vec<(Option<&'t str>, Value)>;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A known integer.
    Int(i64),
    /// An integer that the host passes, by its name or the quotient that it is.
    Host(String),
    /// An integer of 32 bits of the execution.
    Number(Operand),
    /// A truth value of the execution.
    Bit(Operand),
    /// Data, of which no memory is known.
    Data,
    None,
    Text(String),
    List(Vec<Value>),
    View(Box<View>),
    /// Global memory: a pointer, or a descriptor of a tensor in it.
    Global(ObjectId),
    /// The type of an element, by its bytes.
    Type(i64),
    /// Values of different kinds on different ways.
    Mixed,
}

/// What a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Shared,
    Tensor,
    Barriers,
    /// mbarrier objects at which every thread arrives.
    WarpBarriers,
}

/// Buffers of an allocation, or one of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct View {
    pub(super) object: ObjectId,
    pub(super) storage: Storage,
    /// Buffers, unless one is chosen.
    pub(super) count: Option<i64>,
    pub(super) index: Value,
    /// Bytes of a buffer, or of the part of it that is shown.
    pub(super) stage: i64,
    /// Bytes between the beginnings of buffers.
    pub(super) pitch: i64,
    /// Bytes before the part that is shown.
    pub(super) start: i64,
    /// Rows and columns of what is shown; 0 if they are not known.
    pub(super) shape: [i64; 2],
    /// Bytes of all buffers, if they may be used as one.
    pub(super) all: i64,
    /// The rank of the CTA whose memory it is.
    pub(super) rank: Option<Operand>,
    /// Whether it shows an unknown part of the buffer.
    pub(super) part: bool,
}

impl Value {
    pub(super) const fn int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Host(_) | Self::Number(_) | Self::Bit(_))
    }

    /// Whether a condition on it holds, if the text decides that.
    pub(super) const fn truth(&self) -> Option<bool> {
        match self {
            Self::Int(value) => Some(*value != 0),
            Self::None => Some(false),
            Self::View(_) | Self::Global(_) | Self::Type(_) | Self::Text(_) => Some(true),
            _ => None,
        }
    }
}

/// The result for known integers; quotients round down.
fn folded(sign: &str, one: i64, other: i64) -> Option<i64> {
    let shift = u32::try_from(other).ok().filter(|&by| by < 62);
    let value = match sign {
        "+" => one.checked_add(other)?,
        "-" => one.checked_sub(other)?,
        "*" => one.checked_mul(other)?,
        "//" => {
            let quotient = one.checked_div(other)?;
            quotient - i64::from(one % other != 0 && (one < 0) != (other < 0))
        }
        "%" => {
            let rest = one.checked_rem(other)?;
            if rest != 0 && (rest < 0) != (other < 0) { rest + other } else { rest }
        }
        "**" => one.checked_pow(u32::try_from(other).ok()?)?,
        "<<" => one.checked_mul(1 << shift?)?,
        ">>" => one >> shift?,
        "&" => one & other,
        "|" => one | other,
        "^" => one ^ other,
        "==" | "is" => i64::from(one == other),
        "!=" => i64::from(one != other),
        "<" => i64::from(one < other),
        "<=" => i64::from(one <= other),
        ">" => i64::from(one > other),
        ">=" => i64::from(one >= other),
        _ => return None,
    };
    Some(value).filter(|value| value.unsigned_abs() < 1 << 62)
}

const fn comparison(sign: &str) -> Option<Comparison> {
    Some(match sign.as_bytes() {
        b"==" | b"is" => Comparison::Eq,
        b"!=" => Comparison::Ne,
        b"<" => Comparison::Slt,
        b"<=" => Comparison::Sle,
        b">" => Comparison::Sgt,
        b">=" => Comparison::Sge,
        _ => return None,
    })
}

fn operation(sign: &str, bits: bool) -> Option<Op> {
    Some(match sign {
        "&" => Op::And,
        "|" => Op::Or,
        "^" => Op::Xor,
        _ if bits => return None,
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "//" => Op::DivSigned,
        "%" => Op::RemSigned,
        "<<" => Op::Shl,
        ">>" => Op::ShrSigned,
        "min" => Op::MinSigned,
        "max" => Op::MaxSigned,
        _ => return None,
    })
}

impl Reader<'_, '_> {
    /// The operand of a number of 32 bits; `Data` for everything else.
    pub(super) fn operand(&mut self, value: &Value) -> Operand {
        match value {
            Value::Int(value) => Operand::Int(*value as u64),
            Value::Number(operand) => *operand,
            Value::Bit(bit) => self.builder.compute(32, Op::Copy, &[*bit]),
            Value::Host(name) => {
                if let Some(&known) = self.hosts.get(name) {
                    return Operand::Argument(known);
                }
                let place = self.builder.place();
                let id = self.module.argument(name, place, 32, Passed::Integer);
                self.hosts.insert(name.clone(), id);
                Operand::Argument(id)
            }
            _ => Operand::Data,
        }
    }

    /// The operand of a truth value.
    pub(super) fn bit(&mut self, value: &Value) -> Operand {
        match value {
            Value::Bit(bit) => *bit,
            _ => match value.truth() {
                Some(truth) => Operand::Int(u64::from(truth)),
                None => match self.operand(value) {
                    Operand::Data => Operand::Data,
                    of => {
                        let op = Op::Compare(Comparison::Ne, 32);
                        self.builder.compute(1, op, &[of, Operand::Int(0)])
                    }
                },
            },
        }
    }

    pub(super) fn binary(&mut self, sign: &str, one: &Value, other: &Value) -> Value {
        if let (Value::Int(one), Value::Int(other)) = (one, other)
            && let Some(value) = folded(sign, *one, *other)
        {
            return Value::Int(value);
        }
        // Comparisons with `None`, of types and of texts.
        let plain = |value: &Value| matches!(value, Value::None | Value::Type(_) | Value::Text(_));
        if (plain(one) || plain(other)) && matches!(sign, "==" | "!=" | "is" | "is not") {
            if *one == Value::Data || *other == Value::Data {
                return Value::Data;
            }
            return Value::Int(i64::from((one == other) == matches!(sign, "==" | "is")));
        }
        match (one, other) {
            (Value::List(one), Value::List(other)) if sign == "+" => {
                return Value::List([&one[..], other].concat());
            }
            (Value::Global(_), _) if matches!(sign, "+" | "-") => return one.clone(),
            (_, Value::Global(_)) if sign == "+" => return other.clone(),
            (Value::Host(host), Value::Int(by)) if sign == "//" && *by > 0 => {
                return Value::Host(format!("{host} // {by}"));
            }
            _ => {}
        }
        if !one.is_number() || !other.is_number() {
            return Value::Data;
        }
        if let Some(comparison) = comparison(sign) {
            let of = [self.operand(one), self.operand(other)];
            return Value::Bit(self.builder.compute(1, Op::Compare(comparison, 32), &of));
        }
        let bits = matches!((one, other), (Value::Bit(_), Value::Bit(_)));
        let Some(op) = operation(sign, bits).or_else(|| operation(sign, false)) else {
            return Value::Data;
        };
        if bits && matches!(sign, "&" | "|" | "^") {
            let of = [self.bit(one), self.bit(other)];
            return Value::Bit(self.builder.compute(1, op, &of));
        }
        let of = [self.operand(one), self.operand(other)];
        Value::Number(self.builder.compute(32, op, &of))
    }

    pub(super) fn negated(&mut self, value: &Value) -> Value {
        match (value.truth(), value.is_number()) {
            (Some(truth), _) => Value::Int(i64::from(!truth)),
            (None, true) => {
                let bit = self.bit(value);
                Value::Bit(self.builder.compute(1, Op::Not, &[bit]))
            }
            _ => Value::Data,
        }
    }

    /// One of two values, as a condition of the execution decides.
    pub(super) fn selected(&mut self, on: &Value, value: &Value, other: &Value) -> Value {
        if value == other {
            return value.clone();
        }
        if let (Value::View(one), Value::View(two)) = (value, other)
            && (View { index: Value::None, ..(**one).clone() })
                == (View { index: Value::None, ..(**two).clone() })
        {
            let index = self.selected(on, &one.index, &two.index);
            return Value::View(Box::new(View { index, ..(**one).clone() }));
        }
        if !value.is_number() || !other.is_number() || !on.is_number() {
            let kept = matches!(value, Value::View(_)) || matches!(other, Value::View(_));
            return if kept { Value::Mixed } else { Value::Data };
        }
        let of = [self.bit(on), self.operand(value), self.operand(other)];
        Value::Number(self.builder.compute(32, Op::Select, &of))
    }

    /// The integer that a size needs.
    pub(super) fn size(&self, value: &Value, place: Place, what: &str) -> super::Done<i64> {
        match value {
            Value::Int(value) => Ok(*value),
            _ if !self.constants.is_empty() => {
                Err((place, format!("{what} needs a value: {}", self.missing())))
            }
            Value::Host(name) => Err((
                place,
                format!(
                    "{what} needs a value: add the line `argument {name}=VALUE` above the code"
                ),
            )),
            _ => Err((place, format!("{what} must be an integer that is known before the launch"))),
        }
    }
}
