//! Results of operations on operands of which some bits are data. A value is a pair: its known bits, with 0 for data, and the
//! mask of the data bits.

use crate::ir::{Comparison, Op};
use crate::value::{compare, ones};

/// An operand: its known bits, and the bits that are data.
pub(crate) type Partly = (u64, u64);

/// The known bits of a result; `None` if none are known, or the operation is not supported here. `carry` is the carry in.
pub(crate) fn result(op: Op, width: u8, [a, b]: [Partly; 2], carry: u64) -> Option<Partly> {
    let width = match op {
        Op::Compare(_, width) | Op::Carry(width) | Op::Borrow(width) => width,
        _ => width,
    };
    let all = ones(width);
    let cut = |(bits, open): Partly| (bits & all & !open, open & all);
    let (a, b) = (cut(a), cut(b));
    let (most_a, most_b) = (a.0 | a.1, b.0 | b.1);
    Some(match op {
        Op::Add => cut(sum(a, b, 0)),
        Op::Sub => cut(sum(a, (!(b.0 | b.1) & all, b.1), 1)),
        Op::Mul if is_power(b) => cut((a.0 << b.0.trailing_zeros(), a.1 << b.0.trailing_zeros())),
        Op::Mul if is_power(a) => cut((b.0 << a.0.trailing_zeros(), b.1 << a.0.trailing_zeros())),
        Op::Mul => {
            // Bits of a product depend only on lower bits of its factors, and it is at most the product of the bounds.
            let low = (a.1 | b.1).trailing_zeros();
            let zeros = most_a.trailing_zeros() + most_b.trailing_zeros();
            let below = match most_a.checked_mul(most_b) {
                Some(most) if most <= all => up_to(most),
                _ => all,
            };
            let open = u64::MAX.checked_shl(low.max(zeros)).unwrap_or(0) & below;
            (a.0.wrapping_mul(b.0) & below & !open, open)
        }
        Op::MulHighUnsigned => {
            (0, up_to(((u128::from(most_a) * u128::from(most_b)) >> width) as u64))
        }
        Op::DivUnsigned if b.0 > 0 => (0, up_to(most_a / b.0)),
        Op::RemUnsigned if is_power(b) => (a.0 & (b.0 - 1), a.1 & (b.0 - 1)),
        Op::RemUnsigned if b.0 > 0 => (0, up_to(most_a.min(most_b - 1))),
        Op::MinUnsigned => (0, up_to(most_a.min(most_b))),
        Op::Compare(how, _) => (u64::from(compared(how, width, a, b)?), 0),
        Op::Carry(_) => {
            let carries = |a, b| u128::from(a) + u128::from(b) + u128::from(carry & 1) > all.into();
            let (least, most) = (carries(a.0, b.0), carries(most_a, most_b));
            (least == most).then_some((u64::from(least), 0))?
        }
        Op::Borrow(_) => {
            let borrows = |a, b| u128::from(a) < u128::from(b) + u128::from(carry & 1);
            let (least, most) = (borrows(most_a, b.0), borrows(a.0, most_b));
            (least == most).then_some((u64::from(least), 0))?
        }
        _ => return None,
    })
}

/// Whether an operand is known, and a power of two.
const fn is_power((bits, open): Partly) -> bool {
    open == 0 && bits.is_power_of_two()
}

/// All bits up to the highest bit of a number.
const fn up_to(most: u64) -> u64 {
    ones(64 - most.leading_zeros() as u8)
}

/// A sum with a carry. A bit is known if the bits of both operands and the carry into it are known.
fn sum(a: Partly, b: Partly, carry: u64) -> Partly {
    let least = a.0.wrapping_add(b.0).wrapping_add(carry);
    let most = (a.0 | a.1).wrapping_add(b.0 | b.1).wrapping_add(carry);
    // A carry is not known if it differs between the minimum and the maximum of the sum.
    let carries = (least ^ a.0 ^ b.0) ^ (most ^ (a.0 | a.1) ^ (b.0 | b.1));
    let open = a.1 | b.1 | carries;
    (least & !open, open)
}

/// The result of a comparison, if it is the same for all values of the operands.
fn compared(how: Comparison, width: u8, a: Partly, b: Partly) -> Option<bool> {
    let all = ones(width);
    let bounds = |(bits, open): Partly| (bits & all, (bits | open) & all);
    let ((least_a, most_a), (least_b, most_b)) = (bounds(a), bounds(b));
    let top = 1 << (width.clamp(1, 64) - 1);
    match how {
        Comparison::Eq | Comparison::Ne => {
            let differ = (a.0 ^ b.0) & !(a.1 | b.1) & all != 0;
            return differ.then_some(how == Comparison::Ne);
        }
        // Signed and unsigned order agree only if no number is negative.
        Comparison::Slt | Comparison::Sle | Comparison::Sgt | Comparison::Sge
            if (most_a | most_b) & top != 0 =>
        {
            return None;
        }
        _ => {}
    }
    let answers = [compare(how, width, least_a, most_b), compare(how, width, most_a, least_b)];
    (answers[0] == answers[1]).then_some(answers[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// All values of an operand.
    fn values((bits, open): Partly) -> Vec<u64> {
        (0..16).filter(|value| value & !open == bits).collect()
    }

    #[test]
    fn every_value_of_the_operands_gives_a_result_within_what_is_known() {
        let mut partly = Vec::new();
        for open in 0..16 {
            partly.extend((0..16).filter(|bits| bits & open == 0).map(|bits| (bits, open)));
        }
        let all = [Op::Add, Op::Sub, Op::Mul, Op::MulHighUnsigned, Op::DivUnsigned]
            .into_iter()
            .chain([Op::RemUnsigned, Op::MinUnsigned, Op::Carry(4), Op::Borrow(4)])
            .chain(
                [Comparison::Eq, Comparison::Ne, Comparison::Ult, Comparison::Ule]
                    .into_iter()
                    .chain([Comparison::Ugt, Comparison::Uge, Comparison::Slt, Comparison::Sge])
                    .map(|how| Op::Compare(how, 4)),
            );
        for op in all {
            for (&a, &b) in partly.iter().flat_map(|a| partly.iter().map(move |b| (a, b))) {
                let Some((bits, open)) = result(op, 4, [a, b], 0) else { continue };
                for (x, y) in
                    values(a).into_iter().flat_map(|x| values(b).into_iter().map(move |y| (x, y)))
                {
                    let Some(exact) = crate::compute::known(op, 4, [x, y, 0, 0]) else { continue };
                    assert_eq!(exact & 15 & !open, bits, "{op:?} {a:?} {b:?}: {x} {y}");
                }
            }
        }
    }

    #[test]
    fn a_byte_of_data_after_a_multiple_of_its_size_stays_in_its_row() {
        assert_eq!(result(Op::Add, 32, [(0x500, 0), (0, 0xff)], 0), Some((0x500, 0xff)));
        assert_eq!(result(Op::RemUnsigned, 32, [(0, u64::MAX), (10, 0)], 0), Some((0, 15)));
    }
}
