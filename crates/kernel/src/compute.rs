//! The meaning of operations on values.

use crate::bounds;
use crate::hash::WordHasher;
use crate::ir::Op;
use crate::value::{
    Element, Lanes, Origin, Slope, Symbol, Term, Value, compare, ones, signed, symbols,
};
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// Computes an operation on unmarked values, lane by lane. `width` is that of the result; operands are already truncated to
/// their own widths.
pub(crate) fn plain(op: Op, width: u8, of: &[Value]) -> Value {
    if let Op::Function(..) = op {
        return Value { agreed: agreed(op, width, of), ..Value::data(width) };
    }
    let lane_count = of.iter().filter_map(lanes_of).max();
    let one = |lane: usize| one_lane(op, width, of, lane);
    let (bits, unknown) = match lane_count {
        None => {
            let (bits, unknown) = one(0);
            (Lanes::One(bits), Lanes::One(unknown))
        }
        Some(count) => {
            let (mut bits, mut unknown) = (Vec::with_capacity(count), Vec::with_capacity(count));
            for lane in 0..count {
                let (known, open) = one(lane);
                bits.push(known);
                unknown.push(open);
            }
            (Lanes::of(bits), Lanes::of(unknown))
        }
    };
    let slopes = slopes(op, width, of);
    let varies = of.iter().any(|value| value.varies);
    let term = if slopes.is_empty() { Term(0) } else { term(op, width, of) };
    let element = element(op, width, of);
    let agreed = match (&bits, &unknown) {
        (Lanes::One(_), Lanes::One(1..)) => agreed(op, width, of),
        _ => 0,
    };
    let origin = origin(op, of);
    Value { bits, unknown, slopes, origin, varies, term, element, agreed, alike: 0, or_off: false }
}

/// The element of memory from which the data bits of a result come, if each of these bits can be 0 or 1 independently of the
/// others.
fn element(op: Op, width: u8, of: &[Value]) -> Element {
    let read = |value: &&Value| value.element != Element::default();
    let mut read = of.iter().filter(read);
    let (Some(one), None) = (read.next(), read.next()) else { return Element::default() };
    let others = of.iter().filter(|value| value.element == Element::default());
    if !others.clone().all(Value::is_known) {
        return Element::default();
    }
    let whole = one.unknown == Lanes::One(ones(width));
    let keeps = match op {
        Op::Copy | Op::Not | Op::Xor | Op::And | Op::Or | Op::Compare(..) => true,
        Op::Shl | Op::ShrUnsigned => of[0].element == one.element,
        Op::Add | Op::Sub => whole,
        _ => false,
    };
    if keeps { one.element } else { Element::default() }
}

/// Identifies a result that is the same in all lanes and for all agents, because all its operands are; otherwise 0.
fn agreed(op: Op, width: u8, of: &[Value]) -> u64 {
    let is_one = |value: &Value| {
        matches!((&value.bits, &value.unknown), (Lanes::One(_), Lanes::One(_)))
            && (value.agreed != 0 || value.is_known())
    };
    if of.iter().all(is_one) { identify((op, width, of)) } else { 0 }
}

/// A hash above 0.
pub(crate) fn identify(of: impl Hash) -> u64 {
    let mut hasher = WordHasher::new();
    of.hash(&mut hasher);
    hasher.finish().max(1)
}

/// Identifies an operation on operands, if each that depends on arguments is identified.
fn term(op: Op, width: u8, of: &[Value]) -> Term {
    let mut hasher = WordHasher::new();
    (op, width).hash(&mut hasher);
    for value in of {
        if value.term.0 == 0 && !value.slopes.is_empty() {
            return Term(0);
        }
        (value, value.term.0).hash(&mut hasher);
    }
    Term(hasher.finish())
}

fn lanes_of(value: &Value) -> Option<usize> {
    let of = |lanes: &Lanes| match lanes {
        Lanes::One(_) => None,
        Lanes::Each(values) => Some(values.len()),
    };
    of(&value.bits).into_iter().chain(of(&value.unknown)).max()
}

/// The object that a result is an address in.
fn origin(op: Op, of: &[Value]) -> Origin {
    let get = |at: usize| of.get(at).map_or(Origin::None, |value| value.origin);
    match op {
        Op::Compare(..) | Op::LaneBit | Op::CountOnes | Op::Carry(_) | Op::Borrow(_) => {
            Origin::None
        }
        Op::Select => get(1).join(get(2)),
        Op::Sub if get(0) == get(1) => Origin::None,
        Op::RemUnsigned | Op::RemSigned => Origin::None,
        // Low bits of an address are known: objects are aligned.
        Op::And
            if of
                .iter()
                .any(|value| matches!(value.bits, Lanes::One(0..=0xff)) && value.is_known()) =>
        {
            Origin::None
        }
        _ => of.iter().fold(Origin::None, |origin, value| origin.join(value.origin)),
    }
}

/// The bits of one lane of the result, and those that are data.
fn one_lane(op: Op, width: u8, of: &[Value], lane: usize) -> (u64, u64) {
    let bits = |at: usize| of.get(at).map_or(0, |value| value.bits.at(lane));
    let open = |at: usize| of.get(at).map_or(0, |value| value.unknown.at(lane));
    let all = ones(width);
    let settle = |bits: u64, unknown: u64| (bits & all & !unknown, unknown & all);
    let (a, b, ua, ub) = (bits(0), bits(1), open(0), open(1));
    match op {
        Op::Copy => settle(a, ua),
        Op::Not => settle(!a, ua),
        Op::SignExtend(from) => settle(signed(a, from) as u64, signed(ua, from) as u64),
        Op::And => settle(a & b, ua & (b | ub) | ub & (a | ua)),
        Op::Or => settle(a | b, ua & !(b & !ub) | ub & !(a & !ua)),
        Op::Xor => settle(a ^ b, ua | ub),
        Op::Shl if ub == 0 => match b {
            shift if shift >= u64::from(width) => (0, 0),
            shift => settle(a << shift, ua << shift),
        },
        Op::ShrUnsigned if ub == 0 => match b {
            shift if shift >= u64::from(width) => (0, 0),
            shift => settle((a & all) >> shift, (ua & all) >> shift),
        },
        Op::Concat => {
            let half = width / 2;
            let low = ones(half);
            settle(a & low | b << half, ua & low | ub << half)
        }
        Op::Select => match (a & 1, ua & 1) {
            (1, 0) => settle(b, ub),
            (0, 0) => settle(bits(2), open(2)),
            _ => {
                let unknown = b ^ bits(2) | ub | open(2);
                settle(b, unknown)
            }
        },
        Op::LaneBit => settle(a >> lane & 1, ua >> lane & 1),
        Op::ExtractUnsigned if ub == 0 && open(2) == 0 => {
            let take = ones(bits(2).min(64) as u8) & if bits(2) == 0 { 0 } else { u64::MAX };
            if b >= 64 { (0, 0) } else { settle(a >> b & take, ua >> b & take) }
        }
        Op::Logic(table) => {
            let (c, uc) = (bits(2), open(2));
            let mut result = 0;
            for row in 0..8_u8 {
                let pick = |value: u64, bit: u8| if row >> bit & 1 == 1 { value } else { !value };
                if table >> row & 1 == 1 {
                    result |= pick(a, 2) & pick(b, 1) & pick(c, 0);
                }
            }
            settle(result, ua | ub | uc)
        }
        Op::CountBelow if ua == 0 && ub == 0 => {
            let below = if lane >= 64 { u64::MAX } else { (1_u64 << lane) - 1 };
            settle(u64::from((a & below).count_ones()).wrapping_add(b), 0)
        }
        _ if ua | ub != 0 && open(2) | open(3) == 0 => {
            bounds::result(op, width, [(a, ua), (b, ub)], bits(2))
                .map_or((0, all), |(a, ua)| settle(a, ua))
        }
        _ if (0..of.len()).any(|at| open(at) != 0) => (0, all),
        _ => match known(op, width, [a, b, bits(2), bits(3)]) {
            Some(value) => settle(value, 0),
            None => (0, all),
        },
    }
}

/// The result of operands that are all known; `None` where it is not defined.
pub(crate) fn known(op: Op, width: u8, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let all = ones(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    Some(match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::MulHighUnsigned => ((u128::from(a & all) * u128::from(b & all)) >> width) as u64,
        Op::MulHighSigned => ((i128::from(sa) * i128::from(sb)) >> width) as u64,
        Op::DivUnsigned => (a & all).checked_div(b & all)?,
        Op::RemUnsigned => (a & all).checked_rem(b & all)?,
        Op::DivSigned => sa.checked_div(sb)? as u64,
        Op::RemSigned => sa.checked_rem(sb)? as u64,
        Op::ShrSigned => (sa >> b.min(63)) as u64,
        Op::MinUnsigned => (a & all).min(b & all),
        Op::MaxUnsigned => (a & all).max(b & all),
        Op::MinSigned => sa.min(sb) as u64,
        Op::MaxSigned => sa.max(sb) as u64,
        Op::ExtractSigned => {
            let length = c.min(64) as u8;
            if b >= 64 || length == 0 { 0 } else { signed(a >> b, length) as u64 }
        }
        Op::Insert => {
            let mask = if d == 0 { 0 } else { ones(d.min(64) as u8) };
            let mask = if c >= 64 { 0 } else { mask << c };
            a & !mask | if c >= 64 { 0 } else { b << c } & mask
        }
        Op::Funnel => {
            ((u128::from(a & all) << width | u128::from(b & all)) >> (c % u64::from(width))) as u64
        }
        Op::CountOnes => u64::from(a.count_ones()),
        Op::CountLeadingZeros => u64::from((a & all).leading_zeros()) - (64 - u64::from(width)),
        Op::CountTrailingZeros => u64::from((a & all).trailing_zeros().min(u32::from(width))),
        Op::Reverse => a.reverse_bits() >> (64 - u32::from(width.clamp(1, 64))),
        Op::Permute => {
            let bytes = a & 0xffff_ffff | b << 32;
            (0..4).fold(0, |result, at| {
                let pick = c >> (4 * at) & 0xf;
                let byte = bytes >> (8 * (pick & 7)) & 0xff;
                let byte = if pick & 8 == 0 { byte } else { 0xff * (byte >> 7) };
                result | byte << (8 * at)
            })
        }
        Op::Compare(how, width) => u64::from(compare(how, width, a, b)),
        Op::Carry(width) => {
            let sum = u128::from(a & ones(width)) + u128::from(b & ones(width)) + u128::from(c & 1);
            (sum >> width) as u64
        }
        Op::Borrow(width) => {
            let less = u128::from(b & ones(width)) + u128::from(c & 1);
            u64::from(u128::from(a & ones(width)) < less)
        }
        // Operations across lanes are computed where the active lanes are known.
        _ => return None,
    })
}

/// How the result depends on the symbols of its operands.
fn slopes(op: Op, width: u8, of: &[Value]) -> Vec<(Symbol, Slope)> {
    if of.iter().all(|value| value.slopes.is_empty()) {
        return Vec::new();
    }
    let mut result = Value::int(0);
    for symbol in symbols(of) {
        let slope = slope(op, width, of, symbol);
        let bits = match slope {
            Slope::Other | Slope::Low(_) | Slope::Cyclic(_) => in_bits(op, width, of, symbol),
            _ => u64::MAX,
        };
        let slope = match slope {
            _ if bits == 0 => Slope::NONE,
            Slope::Low(_) => Slope::Low(bits),
            Slope::Other if bits != ones(width) => Slope::Bits(bits),
            slope => slope,
        };
        result.set_slope(symbol, slope);
    }
    result.slopes
}

/// The bits in which the result can depend on a symbol.
fn in_bits(op: Op, width: u8, of: &[Value], symbol: Symbol) -> u64 {
    let moves = |at: usize| match of.get(at).map(|value| value.slope(symbol)) {
        None => 0,
        Some(none) if none == Slope::NONE => 0,
        Some(Slope::Bits(bits) | Slope::Low(bits)) => bits,
        Some(Slope::Linear(Lanes::One(by))) => u64::MAX << by.trailing_zeros(),
        Some(_) => u64::MAX,
    };
    let constant = |at: usize| {
        let known = of.get(at).filter(|value| value.is_known() && value.slopes.is_empty());
        known.and_then(|value| value.bits.one())
    };
    let all = ones(width);
    all & match (op, constant(0), constant(1), constant(2)) {
        (Op::Copy | Op::Xor | Op::Not, ..) => moves(0) | moves(1),
        (Op::And, known, other, _) => {
            (moves(0) | moves(1)) & known.unwrap_or(all) & other.unwrap_or(all)
        }
        (Op::Or, known, other, _) => {
            (moves(0) | moves(1)) & !known.unwrap_or(0) & !other.unwrap_or(0)
        }
        (Op::Shl, _, Some(by @ 0..64), _) => moves(0) << by,
        (Op::ShrUnsigned, _, Some(by @ 0..64), _) => (moves(0) & all) >> by,
        (Op::ExtractUnsigned, _, Some(first @ 0..64), Some(count @ 0..64)) => {
            moves(0) >> first & ones(count as u8)
        }
        _ => all,
    }
}

fn slope(op: Op, width: u8, of: &[Value], symbol: Symbol) -> Slope {
    let all: Vec<Slope> = of.iter().map(|value| value.slope(symbol)).collect();
    let linear = all.iter().map(|slope| match slope {
        Slope::Linear(lanes) => Some(lanes.clone()),
        _ => None,
    });
    let Some(linear) = linear.collect::<Option<Vec<Lanes>>>() else {
        return steady(op, of, &all).unwrap_or_else(|| of_bits(op, of, &all));
    };
    let zero = Lanes::One(0);
    let get = |at: usize| linear.get(at).unwrap_or(&zero);
    let flat =
        |at: usize| *get(at) == zero && of.get(at).is_none_or(|value| value.slopes.is_empty());
    let constant = |at: usize| {
        of.get(at).filter(|value| value.is_known() && flat(at)).map(|value| value.bits.clone())
    };
    // Whether every lane's growth is a multiple of a constant.
    let divides = |by: &Lanes| {
        get(0).zip(by, |slope, by| {
            u64::from(
                by == 0 || signed(slope, 64) % i64::try_from(by).unwrap_or(i64::MAX).max(1) != 0,
            )
        }) == zero
    };
    let result = match op {
        Op::Copy | Op::SignExtend(_) => Some(get(0).clone()),
        Op::Not => Some(get(0).map(u64::wrapping_neg)),
        Op::Add => Some(get(0).zip(get(1), u64::wrapping_add)),
        Op::Sub => Some(get(0).zip(get(1), u64::wrapping_sub)),
        Op::Mul => match (constant(0), constant(1)) {
            (_, Some(by)) => {
                Some(get(0).zip(&by, |slope, by| slope.wrapping_mul(signed(by, width) as u64)))
            }
            (Some(by), _) => {
                Some(get(1).zip(&by, |slope, by| slope.wrapping_mul(signed(by, width) as u64)))
            }
            _ => None,
        },
        Op::Shl => {
            constant(1).map(|by| get(0).zip(&by, |slope, by| if by < 64 { slope << by } else { 0 }))
        }
        // The upper half of an address: an offset that grows steadily is assumed not to carry into it.
        Op::ShrUnsigned if is_upper_half(width, of) && is_steady(get(0)) => Some(zero.clone()),
        Op::ShrUnsigned | Op::ShrSigned => constant(1)
            .and_then(|by| scaled(&of[0], (symbol, get(0)), width, (&Lanes::One(1), &by))),
        Op::MulHighUnsigned | Op::MulHighSigned => {
            let by = Lanes::One(u64::from(width));
            let is_signed = op == Op::MulHighSigned;
            let factor = |at: usize| {
                let extended = |factor| signed(factor, width) as u64;
                constant(at).map(|factor| if is_signed { factor.map(extended) } else { factor })
            };
            let of_side = |at: usize, factor: &Lanes| {
                scaled_by(&of[at], (symbol, get(at)), width, (factor, &by, is_signed))
            };
            match (factor(0), factor(1)) {
                (_, Some(factor)) => of_side(0, &factor),
                (Some(factor), _) => of_side(1, &factor),
                _ => None,
            }
        }
        // A number that grows steadily is assumed not to overflow.
        Op::Carry(_) | Op::Borrow(_) => linear.iter().all(is_steady).then(|| zero.clone()),
        Op::Concat => Some(get(0).zip(get(1), |low, high| {
            low.wrapping_add(high.checked_shl(u32::from(width / 2)).unwrap_or(0))
        })),
        Op::DivUnsigned | Op::DivSigned => constant(1).and_then(|by| {
            divides(&by).then(|| {
                get(0).zip(&by, |slope, by| (slope as i64).wrapping_div((by as i64).max(1)) as u64)
            })
        }),
        Op::RemUnsigned | Op::RemSigned => {
            constant(1).and_then(|by| divides(&by).then(|| zero.clone()))
        }
        Op::And => masked_slope(width, of, &linear),
        // `or disjoint`: the growth must not touch the other operand's bits.
        Op::Or | Op::Xor => match (constant(0), constant(1)) {
            (_, Some(by)) if disjoint(get(0), &of[0], &by) => Some(get(0).clone()),
            (Some(by), _) if disjoint(get(1), &of[1], &by) => Some(get(1).clone()),
            _ => None,
        },
        Op::Select if flat(0) && get(1) == get(2) => Some(get(1).clone()),
        Op::Select => of.first().and_then(|condition| {
            let known = condition.is_known() && flat(0);
            let pick = |lane: usize| if condition.bits.at(lane) & 1 == 1 { get(1) } else { get(2) };
            known.then(|| match &condition.bits {
                Lanes::One(_) => pick(0).clone(),
                Lanes::Each(values) => {
                    Lanes::of((0..values.len()).map(|lane| pick(lane).at(lane)).collect())
                }
            })
        }),
        _ => linear.iter().all(|slope| *slope == zero).then(|| zero.clone()),
    };
    let result = result.map(|slope| slope.map(|slope| signed(slope, width) as u64));
    let other = || steady(op, of, &all).unwrap_or_else(|| of_bits(op, of, &all));
    result.map_or_else(other, Slope::Linear)
}

/// Whether a shift gives the upper 32 bits of an address.
fn is_upper_half(width: u8, of: &[Value]) -> bool {
    let by = of.get(1).filter(|by| by.is_known()).and_then(|by| by.bits.one());
    width == 64 && by == Some(32) && matches!(of[0].origin, Origin::Object(_))
}

/// The growth of sums, and of products with a number that does not depend on the symbol, if it is the same each time.
fn steady(op: Op, of: &[Value], slopes: &[Slope]) -> Option<Slope> {
    let grows = |slope: &Slope| match slope {
        Slope::Linear(by) => is_steady(by),
        other => *other == Slope::Steady,
    };
    if !slopes.iter().all(grows) || !of.iter().all(Value::is_known) {
        return None;
    }
    let fixed = |at: usize| slopes.get(at) == Some(&Slope::NONE);
    let one = match op {
        Op::Copy | Op::SignExtend(_) | Op::Not | Op::Add | Op::Sub | Op::Concat => true,
        Op::Mul => fixed(0) || fixed(1),
        Op::Shl => of.get(1).is_some_and(|by| by.slopes.is_empty()),
        // As for numbers with a constant growth: they are assumed not to overflow.
        Op::Carry(_) | Op::Borrow(_) => return Some(Slope::NONE),
        // The sign, or the high half.
        Op::ShrSigned | Op::ShrUnsigned if slopes.contains(&Slope::Steady) => {
            let by = of.get(1).filter(|by| by.slopes.is_empty())?.bits.one()?;
            return (by >= 31).then_some(Slope::NONE);
        }
        _ => false,
    };
    one.then_some(Slope::Steady)
}

/// How the result depends on a symbol if it does not grow steadily.
fn of_bits(op: Op, of: &[Value], slopes: &[Slope]) -> Slope {
    let constant = |at: usize| {
        of.get(at).filter(|value| value.is_known() && value.slopes.is_empty())?.bits.one()
    };
    // The low bits that the result depends on.
    let below = match op {
        Op::And => constant(0).map(|mask| (1, mask)).or(constant(1).map(|mask| (0, mask))),
        Op::ExtractUnsigned | Op::ExtractSigned => {
            constant(1).zip(constant(2)).and_then(|(first, count)| {
                Some((
                    0,
                    (1_u64.checked_shl(u32::try_from(first.checked_add(count)?).ok()?)?)
                        .wrapping_sub(1),
                ))
            })
        }
        _ => None,
    };
    if let Some((at, mask)) = below
        && let Some(slope @ (Slope::Linear(_) | Slope::Low(_))) = slopes.get(at)
    {
        let step = match slope {
            Slope::Linear(Lanes::One(step)) => step.trailing_zeros(),
            _ => 0,
        };
        let bits = (u64::BITS - mask.leading_zeros()).saturating_sub(step);
        return Slope::cyclic(1_u64.checked_shl(bits).unwrap_or(u64::MAX));
    }
    let by_bits = match op {
        Op::Copy | Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul => true,
        Op::Concat | Op::Logic(_) | Op::SignExtend(_) => true,
        Op::Shl => constant(1).is_some(),
        _ => false,
    };
    slopes.iter().fold(Slope::NONE, |all, slope| all.joined(slope, by_bits))
}

/// The largest growth of a number that is assumed not to overflow.
const STEADY: u64 = 1 << 24;
/// The number of iterations for which a quotient of 64 bits must grow with its operand; see [`rounds`].
const FOLLOWED: i128 = 1 << 16;

fn is_steady(slope: &Lanes) -> bool {
    slope.map(|slope| u64::from((slope as i64).unsigned_abs() > STEADY)) == Lanes::One(0)
}

/// The number of iterations in which a value that grows by `step` keeps its sign, or stays an address in its object.
fn rounds(value: &Value, lane: usize, step: i128, width: u8) -> i128 {
    let bits = value.bits.at(lane);
    let (is_address, offset) = (matches!(value.origin, Origin::Object(_)), bits & 0xffff_ffff);
    let (number, end) = match is_address && offset >> 31 == 0 {
        true => (i128::from(offset), 1 << 31),
        false => (i128::from(signed(bits, width)), 1_i128 << (width.max(1) - 1)),
    };
    let room = match (step > 0, number < 0) {
        (true, false) => end - 1 - number,
        (true, true) => -1 - number,
        (false, false) => number,
        (false, true) => end + number,
    };
    let all = room / step.abs().max(1);
    if width > 32 && !is_address { all.min(FOLLOWED) } else { all }
}

/// The growth of `value * factor >> by`, if it is steady as long as the value keeps its sign; otherwise `None`.
fn scaled(
    value: &Value,
    (symbol, slope): (Symbol, &Lanes),
    width: u8,
    (factor, by): (&Lanes, &Lanes),
) -> Option<Lanes> {
    scaled_by(value, (symbol, slope), width, (factor, by, true))
}

/// The same with a factor of 64 bits that is signed or unsigned.
fn scaled_by(
    value: &Value,
    (symbol, slope): (Symbol, &Lanes),
    width: u8,
    (factor, by, is_signed): (&Lanes, &Lanes, bool),
) -> Option<Lanes> {
    let count = [slope, factor, by, &value.bits].into_iter().filter_map(|lanes| match lanes {
        Lanes::One(_) => None,
        Lanes::Each(values) => Some(values.len()),
    });
    let others = value.slopes.iter().any(|(other, _)| *other != symbol);
    let one = |lane: usize| {
        let (factor, by) = (factor.at(lane), by.at(lane).min(64));
        let factor = if is_signed { i128::from(factor as i64) } else { i128::from(factor) };
        let (step, size) = (i128::from(signed(slope.at(lane), 64)), 1_i128 << by);
        let growth = step.checked_mul(factor)?;
        // The nearest multiple, and the remainder of each iteration.
        let quotient = (growth + size / 2).div_euclid(size);
        let left = growth - quotient * size;
        let low = i128::from(value.bits.at(lane)).checked_mul(factor)?.rem_euclid(size);
        let last = low + left.checked_mul(rounds(value, lane, step, width))?;
        let steady = left == 0 || !others && value.is_known() && (0..size).contains(&last);
        steady.then_some(quotient as u64)
    };
    let lanes: Option<Vec<u64>> = (0..count.max().unwrap_or(1)).map(one).collect();
    lanes.map(Lanes::of)
}

/// The growth of `x & constant`: none if `x` grows by multiples of a power of two above the constant, that of `x` if the
/// constant clears only bits that do not grow, or the sign of a number that is not negative and keeps its sign.
fn masked_slope(width: u8, of: &[Value], linear: &[Lanes]) -> Option<Lanes> {
    let zero = Lanes::One(0);
    let (value, mask) = match (linear.first()? == &zero, linear.get(1)? == &zero) {
        (false, true) => (0, 1),
        (true, false) => (1, 0),
        _ => return None,
    };
    let (mask, slope) = (of.get(mask)?.bits.one()?, &linear[value]);
    let step = slope.map(|slope| u64::from(slope.trailing_zeros().min(63)));
    let least = match &step {
        Lanes::One(step) => *step,
        Lanes::Each(steps) => steps.iter().copied().min()?,
    };
    if mask >> least == 0 {
        return Some(zero);
    }
    let low = (1_u64 << least) - 1;
    let cleared = !mask & !low;
    // Bits above the width do not matter: a mask of 32 bits keeps all of them.
    let from_sign = !(ones(width) >> 1);
    let number = &of[value];
    let negative = |bits: u64| u64::from(bits & ones(width) & from_sign != 0);
    let keeps = cleared & !from_sign == 0
        && number.is_known()
        && number.slopes.len() == 1
        && is_steady(slope)
        && number.bits.map(negative) == Lanes::One(0);
    (cleared == 0 || cleared == !0xffff_ffff_u64 || keeps).then(|| slope.clone())
}

/// Whether the bits of a constant are below the growth of a value, and are 0 in the value.
fn disjoint(slope: &Lanes, value: &Value, by: &Lanes) -> bool {
    let overlaps = |slope: u64, by: u64| u64::from(by >> slope.trailing_zeros().min(63) != 0);
    let grown = slope.zip(by, overlaps);
    grown == Lanes::One(0) && value.bits.zip(by, |value, by| value & by) == Lanes::One(0)
}

#[cfg(test)]
mod tests;
