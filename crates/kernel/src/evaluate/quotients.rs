//! Divisions of arguments by constants, of which the quotient or the remainder may decide something: see `evaluate/split.rs`.

use super::guards::Site;
use super::inputs::Inputs;
use super::reaches::Reach;
use super::run::truncated;
use super::state::State;
use super::world::Run;
use crate::ir::{Module, Op, Passed};
use crate::switched::compute;
use crate::value::{Lanes, Slope, Symbol, Value, signed};

/// The largest divisor is this power of two.
const MOST_BITS: u8 = 16;

/// A division of one operand by a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Division {
    operand: usize,
    /// The exponent of the divisor.
    bits: u8,
    width: u8,
    /// Whether the operand is signed, and its quotient rounded towards zero.
    to_zero: bool,
}

/// What an operation divides.
fn division(op: Op, width: u8, of: &[Value]) -> Option<Division> {
    let constant = |at: usize| {
        of.get(at).filter(|value| value.is_known() && value.slopes.is_empty())?.bits.one()
    };
    let bits = |by: u64| by.is_power_of_two().then(|| by.trailing_zeros() as u8);
    let (operand, bits) = match op {
        Op::ShrUnsigned | Op::ShrSigned => (0, u8::try_from(constant(1)?).ok()?),
        Op::DivUnsigned | Op::DivSigned => (0, bits(constant(1)?)?),
        Op::And => {
            let (at, mask) = match (constant(0), constant(1)) {
                (_, Some(mask)) => (0, mask),
                (Some(mask), _) => (1, mask),
                _ => return None,
            };
            (at, mask.trailing_zeros() as u8)
        }
        _ => return None,
    };
    let to_zero = op == Op::DivSigned;
    (1..=MOST_BITS).contains(&bits).then_some(Division { operand, bits, width, to_zero })
}

/// By how much a symbol can fall and rise until the quotient changes in a lane of the mask; `None` if that is not known.
fn room(value: &Value, symbol: Symbol, division: Division, mask: u64) -> Option<Reach> {
    let Division { bits, width, to_zero, .. } = division;
    let size = 1_u64 << bits;
    let other_moves = value.slopes.iter().any(|(other, slope)| match slope {
        _ if *other == symbol => false,
        Slope::Linear(by) => by.map(|by| by % size) != Lanes::One(0),
        _ => true,
    });
    let Slope::Linear(by) = value.slope(symbol) else { return None };
    if other_moves || !value.is_known() {
        return None;
    }
    let (mut down, mut up) = (u64::MAX, u64::MAX);
    for lane in (0..64).filter(|lane| mask >> lane & 1 == 1) {
        let number = signed(value.bits.at(lane), width);
        let step = signed(by.at(lane), 64);
        // How far the number can rise and fall. Rounded towards zero, a negative number falls away from it.
        let low = number.rem_euclid(size as i64) as u64;
        let (rise, fall) = match to_zero && number < 0 {
            true => ((size - low) % size, (low + size - 1) % size),
            false => (size - 1 - low, low),
        };
        let (fewer, more) = if step < 0 { (rise, fall) } else { (fall, rise) };
        if step != 0 {
            down = down.min(fewer / step.unsigned_abs());
            up = up.min(more / step.unsigned_abs());
        }
    }
    Some((down, up))
}

impl Run<'_> {
    /// The result of an operation. Divisions of arguments are recorded, and a result depends on a remainder only if that changes
    /// the quotient.
    pub(super) fn computed(
        &self,
        state: &State,
        (op, width): (Op, u8),
        of: &[Value],
        mask: u64,
    ) -> Value {
        let result = truncated(compute(op, width, of), width);
        let linear = |(_, slope): &(Symbol, Slope)| matches!(slope, Slope::Linear(_));
        if !cfg!(feature = "proofs") || result.slopes.iter().all(linear) {
            return result;
        }
        let Some(division) = division(op, width, of) else { return result };
        let mut of = of.to_vec();
        let value = of[division.operand].clone();
        let changes = |symbol: Symbol| !matches!(result.slope(symbol), Slope::Linear(_));
        for symbol in value.slopes.iter().map(|(symbol, _)| *symbol).filter(|it| changes(*it)) {
            if self.inputs.is_remainder(symbol) {
                let Some(room) = room(&value, symbol, division, mask) else { continue };
                if self.inputs.keeps_quotient(symbol, room, || Site::of(state)) {
                    of[division.operand].set_slope(symbol, Slope::NONE);
                }
            } else if value.slope(symbol) == Slope::Linear(Lanes::One(1))
                && is_integer(self.world.module, symbol)
            {
                let mut known = self.world.quotients.borrow_mut();
                *known.entry(symbol).or_default() |= 1 << division.bits;
            }
        }
        match of[division.operand] == value {
            true => result,
            false => truncated(compute(op, width, &of), width),
        }
    }
}

/// Whether a symbol is an integer argument.
fn is_integer(module: &Module, symbol: Symbol) -> bool {
    let argument = module.arguments.get(usize::from(symbol));
    argument.is_some_and(|argument| argument.passed == Passed::Integer)
}

impl Inputs {
    /// Whether a symbol is the remainder of an argument that is split.
    pub(super) const fn is_remainder(&self, symbol: Symbol) -> bool {
        cfg!(feature = "proofs") && self.arguments <= symbol && symbol < self.first_round()
    }

    /// How far a symbol needs to change: a remainder within its range; in a proof, as far up as the proof covers.
    #[cfg(feature = "proofs")]
    pub(super) fn needs(&self, symbol: Symbol) -> Reach {
        let at = self.is_remainder(symbol).then(|| usize::from(symbol - self.arguments));
        let rest = at.and_then(|at| self.rests.get(at)).copied();
        let (down, up) = rest.unwrap_or((u64::MAX, u64::MAX));
        (down, self.limit(symbol).unwrap_or(up))
    }

    /// Records that a proof can cover only `up` more values of a remainder.
    fn cut_remainder(&self, symbol: Symbol, up: u64) {
        let known = self.cut_at.get().filter(|(known, most)| *known != symbol || *most <= up);
        self.cut_at.set(known.or(Some((symbol, up))));
    }

    /// A remainder of which the proof covers too many values, and how many more than the first it can cover.
    pub(super) const fn cut_at(&self) -> Option<(Symbol, u64)> {
        self.cut_at.get()
    }

    /// Whether all values of a remainder in this case, or in this proof, have the same quotient. `room` is how far the
    /// remainder can change with the same quotient.
    fn keeps_quotient(
        &self,
        symbol: Symbol,
        (down, up): (u64, u64),
        site: impl FnOnce() -> Site,
    ) -> bool {
        let Some(limit) = self.limit(symbol) else {
            self.narrow(symbol, down, up);
            return true;
        };
        if up < limit {
            self.cut_remainder(symbol, up);
            return false;
        }
        // Checked cases must have a remainder with the same quotient.
        self.guards.asks(site(), symbol, (down, up));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remainder_can_change_until_the_quotient_does() {
        let division = |to_zero| Division { operand: 0, bits: 6, width: 32, to_zero };
        let mut value = Value::int(64 * 5 + 10);
        value.set_slope(0, Slope::Linear(Lanes::One(64)));
        value.set_slope(1, Slope::Linear(Lanes::One(1)));
        assert_eq!(room(&value, 1, division(true), 1), Some((10, 53)));
        value.set_slope(1, Slope::Linear(Lanes::One(4)));
        assert_eq!(room(&value, 1, division(false), 1), Some((2, 13)));
        // The other number moves the remainder, too.
        value.set_slope(0, Slope::Linear(Lanes::One(32)));
        assert_eq!(room(&value, 1, division(false), 1), None);
    }

    #[test]
    fn signed_quotients_change_at_the_same_numbers() {
        for to_zero in [false, true] {
            let division = Division { operand: 0, bits: 3, width: 32, to_zero };
            let quotient = |number: i64| if to_zero { number / 8 } else { number >> 3 };
            for number in -40..40_i64 {
                let mut value = Value::int(number as u64 & 0xffff_ffff);
                value.set_slope(0, Slope::Linear(Lanes::One(1)));
                let (down, up) = room(&value, 0, division, 1).unwrap();
                for near in number - down as i64..=number + up as i64 {
                    assert_eq!(quotient(near), quotient(number), "{number} {near}");
                }
                // The range from -7 to 7 is wider than others.
                assert!(down + up == 7 || to_zero && number.abs() < 8, "{number}");
            }
        }
    }

    #[test]
    fn divisions_are_shifts_masks_and_divisions_by_powers_of_two() {
        let of = |by: u64| [Value::data(32), Value::int(by)];
        let bits = |op, by| division(op, 32, &of(by)).map(|one| (one.bits, one.to_zero));
        assert_eq!(bits(Op::ShrUnsigned, 6), Some((6, false)));
        assert_eq!(bits(Op::DivSigned, 64), Some((6, true)));
        for mask in [0xffff_ffc0, 0x7fff_ffc0, 64] {
            assert_eq!(bits(Op::And, mask), Some((6, false)), "{mask}");
        }
        for (op, by) in [(Op::And, 63), (Op::DivUnsigned, 48), (Op::ShrSigned, 31), (Op::Add, 64)] {
            assert_eq!(bits(op, by), None, "{by}");
        }
    }
}
