use super::*;
use crate::ir::Comparison;
use crate::switched::compute;

fn number(value: u64, slope: u64) -> Value {
    let mut number = Value::int(value);
    number.set_slope(0, Slope::Linear(Lanes::One(slope)));
    number
}

#[test]
fn masks_keep_what_is_known_of_data() {
    let masked = compute(Op::And, 32, &[Value::data(32), Value::int(0xf0)]);
    assert_eq!((masked.bits.one(), masked.unknown.one()), (Some(0), Some(0xf0)));
    let other = compute(Op::Compare(Comparison::Eq, 32), 1, &[masked, Value::int(1)]);
    assert_eq!(other.known_in(0), Some(0));
}

#[test]
fn the_upper_half_of_an_address_stays_as_it_is() {
    let split = |value: Value| compute(Op::ShrUnsigned, 64, &[value, Value::int(32)]).slope(0);
    let address = number(0x7_0000_0040, 64).with_origin(Origin::Object(0));
    assert_eq!(split(address.clone()), Slope::NONE);
    assert_eq!(split(number(1 << 40, 1 << 31)), Slope::Bits(0xffff_ffff));
    let other = compute(Op::ShrUnsigned, 64, &[address, Value::int(6)]);
    assert_eq!(other.slope(0), Slope::Linear(Lanes::One(1)));
}

#[test]
fn a_product_of_two_numbers_that_grow_grows_steadily_with_each() {
    let mut row = Value::int(2);
    row.set_slope(1, Slope::Linear(Lanes::One(1)));
    let product = compute(Op::Mul, 32, &[number(4, 1), row.clone()]);
    assert_eq!((product.slope(0), product.slope(1)), (Slope::Steady, Slope::Steady));
    let sum = compute(Op::Add, 32, &[product.clone(), row]);
    assert_eq!((sum.slope(0), sum.slope(1)), (Slope::Steady, Slope::Steady));
    let square = compute(Op::Mul, 32, &[number(4, 1), number(4, 1)]);
    assert!(matches!(square.slope(0), Slope::Low(_)));
    let high = compute(Op::ShrSigned, 32, &[product.clone(), Value::int(31)]);
    assert_eq!(high.slope(0), Slope::NONE);
    let low = compute(Op::And, 32, &[product, Value::int(3)]);
    assert_eq!(low.slope(0), Slope::Bits(3));
}

#[test]
fn growth_is_exact_or_given_up() {
    let grown = |op, value: Value, by| compute(op, 32, &[value, Value::int(by)]).slope(0);
    let linear = |slope| Slope::Linear(Lanes::One(slope));
    assert_eq!(grown(Op::RemUnsigned, number(4, 3), 3), linear(0));
    assert_eq!(grown(Op::RemUnsigned, number(4, 1), 3), Slope::Other);
    assert_eq!(grown(Op::Mul, number(4, 3), 1024), linear(3072));
    assert_eq!(grown(Op::And, number(4, 2), 1), linear(0));
    assert_eq!(grown(Op::Or, number(4, 4), 3), linear(4));
    assert!(matches!(grown(Op::Or, number(4, 1), 3), Slope::Low(_)));
    assert_eq!(grown(Op::DivUnsigned, number(4, 6), 3), linear(2));
    // Division by 3 by a multiplication.
    assert_eq!(grown(Op::MulHighUnsigned, number(4, 3), 0xaaaa_aaab), linear(2));
    assert_eq!(grown(Op::MulHighUnsigned, number(4, 1), 0xaaaa_aaab), Slope::Other);
    assert_eq!(grown(Op::MulHighSigned, number(4, 3), 0x5555_5556), linear(1));
    let wide =
        |by| compute(Op::MulHighUnsigned, 64, &[number(4, by), Value::int(0xaaaa_aaaa_aaaa_aaab)]);
    assert_eq!(wide(3).slope(0), linear(2));
    assert_eq!(wide(1).slope(0), Slope::Other);
    // The sign of a number that grows, and its bits above.
    assert_eq!(grown(Op::ShrUnsigned, number(4, 3), 31), linear(0));
    assert_eq!(grown(Op::ShrSigned, number(4, 3), 31), linear(0));
    assert_eq!(grown(Op::ShrUnsigned, number(4, 3), 16), Slope::Bits(0xffff));
    // Low bits repeat independently of higher bits.
    assert_eq!(grown(Op::And, number(4, 1), 3), Slope::Cyclic(4));
    assert_eq!(grown(Op::And, number(4, 6), 7), Slope::Cyclic(4));
    assert!(matches!(grown(Op::Xor, number(4, 1), 1), Slope::Low(_)));
    let parity = compute(Op::Xor, 32, &[number(4, 2), Value::data(32)]);
    assert_eq!(compute(Op::And, 32, &[parity, Value::int(1)]).slope(0), Slope::NONE);
    let low = compute(Op::Xor, 32, &[number(4, 1), Value::int(1)]);
    let bit = compute(Op::And, 32, &[low, Value::int(1)]);
    let shifted = compute(Op::Shl, 32, &[bit, Value::int(10)]);
    assert_eq!(shifted.slope(0), Slope::Cyclic(2));
    assert_eq!(compute(Op::Add, 32, &[shifted, number(4, 1)]).slope(0), Slope::Other);
    // A mask that rounds down, and clears the sign of a number that has none.
    assert_eq!(grown(Op::And, number(8, 4), 0x7fff_fffc), linear(4));
    assert_eq!(grown(Op::And, number(8, 2), 0x7fff_fffc), Slope::Bits(0x7fff_fffc));
    let wraps = grown(Op::And, number(0xffff_fff0, 4), 0x7fff_fffc);
    assert_eq!(wraps, Slope::Bits(0x7fff_fffc));
    // Growth by 2^32 in 32 bits is none.
    assert_eq!(grown(Op::Add, number(4, 0xffff_f400), 0), linear(0xffff_ffff_ffff_f400));
    assert_eq!(grown(Op::Mul, number(4, 4), 0x4000_0000), linear(0));
}

#[test]
fn an_unknown_condition_selects_what_both_have_in_common() {
    let picked = compute(Op::Select, 32, &[Value::data(1), Value::int(5), Value::int(4)]);
    assert_eq!((picked.bits.one(), picked.unknown.one()), (Some(4), Some(1)));
}
