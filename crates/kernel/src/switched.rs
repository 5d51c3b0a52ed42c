//! Lanes that an offset beyond every buffer switches off.
//!
//! Compilers replace a branch around an access to a buffer by a choice of the offset: `c ? offset : 2^31`. An access beyond the
//! end of a buffer does nothing, so the lane accesses either the offset or nothing. If data decide the choice, the result is
//! the offset with a mark. Sums and extensions keep the mark. A comparison with the size of the buffer marks its result, which
//! is data. Only an access under a marked condition uses the number. For all other uses, a marked number is data.

use crate::compute::plain;
use crate::ir::{Comparison, Op};
use crate::value::{Lanes, MOST_LANES, Slope, Value};
use alloc::vec::Vec;

/// The least offset at which no buffer has bytes.
const BEYOND: u64 = 0x7fff_ffff;

/// Computes an operation lane by lane. `width` is that of the result; operands are already truncated to their own widths.
pub(crate) fn compute(op: Op, width: u8, of: &[Value]) -> Value {
    computed(op, width, of).unwrap_or_else(|| plain(op, width, of))
}

/// The result of an operation that marks a number or keeps its mark; `None` for all others.
pub(crate) fn computed(op: Op, width: u8, of: &[Value]) -> Option<Value> {
    let mut marked = of.iter().filter(|value| value.or_off);
    let Some(one) = marked.next() else {
        return if op == Op::Select { chosen(width, of) } else { None };
    };
    if marked.next().is_some() {
        return None;
    }
    let unmarked = || plain(op, width, &of.iter().map(Value::unmarked).collect::<Vec<_>>());
    let known = |at: usize| of[at].or_off || of[at].is_known();
    let result = match op {
        Op::Copy | Op::SignExtend(_) => unmarked(),
        Op::Concat if of[0].or_off => unmarked(),
        Op::Add if width >= 32 && known(0) && known(1) => unmarked(),
        Op::And if one.is_condition() => unmarked(),
        Op::Compare(Comparison::Ult, _) if of[0].or_off && ends_below(&of[1]) => inside(unmarked()),
        Op::Compare(Comparison::Ugt, _) if of[1].or_off && ends_below(&of[0]) => inside(unmarked()),
        _ => return None,
    };
    let or_off = !one.is_condition() && !matches!(op, Op::Compare(..)) || result.is_condition();
    Some(Value { or_off, ..result })
}

/// A marked offset, if data choose between an offset and one beyond every buffer; otherwise `None`.
fn chosen(width: u8, of: &[Value]) -> Option<Value> {
    let [condition, one, other] = of else { return None };
    if width != 32 || condition.unknown == Lanes::One(0) || !condition.slopes.is_empty() {
        return None;
    }
    let is_beyond = |value: &Value| constant(value).is_some_and(|number| number >= BEYOND);
    let (own, far, holds) = match (is_beyond(one), is_beyond(other)) {
        (false, true) => (one, other, 1),
        (true, false) => (other, one, 0),
        _ => return None,
    };
    let reads = |lane: &usize| {
        condition.unknown.at(*lane) & 1 == 1 || condition.bits.at(*lane) & 1 == holds
    };
    let lanes = (0..MOST_LANES as usize).filter(reads).fold(0, |all, lane| all | 1 << lane);
    let result = own.clone().masked(lanes, far, MOST_LANES as usize);
    let varies = own.varies || condition.varies;
    own.is_known().then_some(Value { or_off: true, varies, ..result })
}

/// Whether a size is at most that of the largest buffer.
fn ends_below(size: &Value) -> bool {
    constant(size).is_some_and(|number| number <= BEYOND + 1)
}

/// The value, if it is the same in all lanes and for all arguments.
fn constant(value: &Value) -> Option<u64> {
    value.bits.one().filter(|_| value.is_known() && value.slopes.is_empty())
}

/// The result of a comparison for a lane that may be switched off: true becomes data.
fn inside(answer: Value) -> Value {
    let unknown = answer.bits.zip(&answer.unknown, |bit, unknown| bit | unknown);
    Value { bits: Lanes::One(0), unknown, ..answer }
}

impl Value {
    /// Whether it is a condition, or a mask of conditions, that data decide.
    pub(crate) fn is_condition(&self) -> bool {
        self.unknown != Lanes::One(0)
    }

    /// The value of the lanes that are not switched off.
    pub(crate) fn unmarked(&self) -> Self {
        Self { or_off: false, ..self.clone() }
    }

    /// The value for all uses other than accesses of lanes that are not switched off.
    pub(crate) fn settled(self) -> Self {
        if !self.or_off || self.is_condition() {
            return Self { or_off: false, ..self };
        }
        let slopes = self.slopes.iter().map(|(symbol, _)| (*symbol, Slope::Other)).collect();
        let (bits, unknown) = (Lanes::One(0), Lanes::One(u64::MAX));
        Self { bits, unknown, slopes, or_off: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESS: Op = Op::Compare(Comparison::Ult, 32);

    fn offset() -> Value {
        let own = Value::known(Lanes::of((0..64).map(|lane| 4 * lane).collect()));
        compute(Op::Select, 32, &[Value::data(1), own, Value::int(1 << 31)])
    }

    #[test]
    fn a_marked_number_is_the_offset_only_under_its_condition() {
        let offset = offset();
        assert_eq!(offset.unmarked().known_in(3), Some(12));
        assert_eq!(offset.known_in(3), None);
        assert_ne!(offset.clone().settled().unknown, Lanes::One(0));
        let inside = compute(LESS, 1, &[offset.clone(), Value::int(BEYOND)]);
        assert!(inside.or_off && inside.is_condition());
        let address = compute(Op::Add, 64, &[Value::int(1 << 40), offset]);
        assert_eq!(address.unmarked().known_in(1), Some((1 << 40) + 4));
    }

    #[test]
    fn an_offset_beyond_the_size_is_certainly_outside() {
        let own = Value::int(1 << 30);
        let offset = compute(Op::Select, 32, &[Value::data(1), own, Value::int(1 << 31)]);
        let inside = compute(LESS, 1, &[offset, Value::int(1 << 20)]);
        assert_eq!((inside.or_off, inside.uniform(1)), (false, Some(0)));
    }

    #[test]
    fn other_uses_of_a_marked_number_are_left_to_data() {
        for (op, width) in [(Op::And, 32), (Op::Shl, 32), (Op::Mul, 32), (Op::Sub, 32)] {
            assert!(computed(op, width, &[offset(), Value::int(2)]).is_none(), "{op:?}");
        }
        let far = Value::int(BEYOND + 2);
        assert!(computed(LESS, 1, &[offset(), far]).is_none());
        let near = compute(Op::Select, 32, &[Value::data(1), Value::int(4), Value::int(1024)]);
        assert!(!near.or_off);
    }
}
