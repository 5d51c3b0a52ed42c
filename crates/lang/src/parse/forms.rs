//! PTX instructions that compute integers: their operands, and the code of their results.

use crate::diagnostic::Span;
use crate::expression::bits::{self, Bits, What};
use crate::expression::machine::{self, Does, JOINS, Typed};
use crate::expression::{Atom, Binary};
use alloc::vec::Vec;

type Code = Vec<(Atom, Span)>;

/// The carry flag of `add.cc` and similar, which has no name in the text; and its next value.
pub(super) const CARRY: &str = "CC.CF";
pub(super) const NEXT_CARRY: &str = "CC.NEXT";

/// An instruction that computes integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Binary(Typed),
    /// A product, and its sum with the third operand.
    Product(Typed),
    Bits(Bits),
    /// For `mad24`: the product and the sum.
    Sum24(Bits),
    /// A binary operator with a number as the first operand.
    Unary(Typed, i64),
    /// Converts from the first type to the second; saturates if `true`.
    Convert(Typed, Typed, bool),
    /// A comparison, optionally combined with a predicate by an operator.
    Compare(Typed, Option<Binary>),
    /// A combined comparison, and the number that represents true.
    Set(Typed, Option<Binary>, (Typed, i64)),
    /// A sum or a difference that saturates to 32 bits.
    Saturated(Binary),
    /// The first operand if the third is not negative, otherwise the second.
    Select,
    /// With carry: if there are three operands, `product` combines the first two.
    Carried(Carried),
}

/// A sum or a difference with carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carried {
    /// The operation that combines two operands to the first summand.
    product: Option<Typed>,
    sum: Typed,
    /// Whether the carry is added.
    takes: bool,
    /// Whether it sets the carry.
    leaves: bool,
}

const fn plain(operator: Binary, bits: u8, signed: bool) -> Typed {
    Typed { does: Does::Plain(operator), bits, signed }
}

fn typed(operator: Binary, of: &str) -> Option<Typed> {
    machine::whole(of).map(|(bits, signed)| plain(operator, bits, signed))
}

impl Form {
    /// Returns the form of a head.
    pub(super) fn of(head: &str) -> Option<Self> {
        let first = head.split('.').next()?;
        let (stem, last) = head.rsplit_once('.')?;
        let has = |wanted: &str| head.split('.').any(|part| part == wanted);
        Some(match first {
            "not" if stem == first => Self::Unary(typed(Binary::Xor, last)?, -1),
            "neg" if stem == first => Self::Unary(typed(Binary::Subtract, last)?, 0),
            "cnot" if stem == first => Self::Unary(typed(Binary::Equal, last)?, 0),
            "cvt" => return Self::conversion(stem, last),
            "slct" if last == "s32" => Self::Select,
            "mad24" => {
                let product = bits::of(&head.replace("mad24", "mul24"))?;
                Self::Sum24(product)
            }
            "setp" => Self::Compare(machine::binary_of(head)?, joined(head)),
            "set" => {
                let (compared, to) = stem.rsplit_once('.')?;
                let head = alloc::format!("setp{}.{last}", compared.strip_prefix("set")?);
                let truth = match to {
                    "f32" => (plain(Binary::Multiply, 32, false), 0x3f80_0000),
                    "u32" | "s32" => (typed(Binary::Multiply, to)?, -1),
                    _ => return None,
                };
                Self::Set(machine::binary_of(&head)?, joined(&head), truth)
            }
            "add" | "sub" if stem.ends_with(".sat") => {
                let known = stem.len() == 7 && last == "s32";
                let add = if first == "add" { Binary::Add } else { Binary::Subtract };
                return known.then_some(Self::Saturated(add));
            }
            "addc" | "subc" | "madc" => return carried(first.strip_suffix('c')?, stem, last, true),
            "add" | "sub" | "mad" if has("cc") => return carried(first, stem, last, false),
            "mad" => Self::Product(machine::binary_of(head)?),
            _ => match bits::of(head) {
                Some(bits) => Self::Bits(bits),
                None => Self::Binary(machine::binary_of(head)?),
            },
        })
    }

    /// `cvt.u32.u16`, with `.sat` before the types.
    fn conversion(stem: &str, last: &str) -> Option<Self> {
        let (before, to) = stem.rsplit_once('.')?;
        let saturates = match before {
            "cvt" => false,
            // An unsigned 64-bit number is stored as a signed one.
            "cvt.sat" if last != "u64" => true,
            _ => return None,
        };
        Some(Self::Convert(typed(Binary::Add, last)?, typed(Binary::Add, to)?, saturates))
    }

    /// Number of operands without the predicate.
    pub(super) fn operands(&self) -> usize {
        match self {
            Self::Unary(..) | Self::Convert(..) => 1,
            Self::Bits(bits) => bits.count(),
            Self::Product(_) | Self::Sum24(_) | Self::Select => 3,
            Self::Carried(carried) if carried.product.is_some() => 3,
            _ => 2,
        }
    }

    /// The operator that combines a comparison with a predicate.
    pub(super) fn join(&self) -> Option<Binary> {
        match self {
            Self::Compare(_, join) | Self::Set(_, join, _) => *join,
            _ => None,
        }
    }

    /// The code of the result.
    pub(super) fn code(&self, operands: &[Code], span: Span) -> Code {
        let mut code = match self {
            Self::Carried(carried) => return carried.sums(operands, span).concat(),
            Self::Unary(typed, before) if typed.does != Does::Plain(Binary::Xor) => {
                alloc::vec![(Atom::Int(*before), span)]
            }
            _ => Code::new(),
        };
        let machine = |typed: Typed| (Atom::Machine(typed), span);
        let zero = (Atom::Int(0), span);
        match *self {
            Self::Select => {
                let [first, second, third] = operands else { return code };
                code.extend(third.iter().copied());
                code.extend([zero, machine(plain(Binary::GreaterOrEqual, 32, true))]);
                code.push((Atom::Unless(first.len() as u32 + 1), span));
                code.extend(first.iter().copied());
                code.push((Atom::Jump(second.len() as u32), span));
                code.extend(second.iter().copied());
                return code;
            }
            Self::Product(typed) => {
                let wide = if typed.does == Does::Wide { typed.bits * 2 } else { typed.bits };
                let (product, sum) = (machine(typed), plain(Binary::Add, wide, typed.signed));
                return joined_by(operands, product, machine(sum));
            }
            Self::Sum24(bits) => {
                let (product, sum) =
                    ((Atom::Bits(bits), span), plain(Binary::Add, 32, bits.signed));
                return joined_by(operands, product, machine(sum));
            }
            Self::Saturated(_) => {
                for operand in operands {
                    code.extend(operand.iter().copied());
                    code.extend([zero, machine(plain(Binary::Add, 32, true))]);
                }
            }
            _ => code.extend(operands.concat()),
        }
        match *self {
            Self::Binary(typed) | Self::Compare(typed, _) | Self::Set(typed, ..) => {
                code.push(machine(typed));
            }
            Self::Bits(bits) => code.push((Atom::Bits(bits), span)),
            Self::Unary(typed, before) => {
                if typed.does == Does::Plain(Binary::Xor) {
                    code.push((Atom::Int(before), span));
                }
                code.push(machine(typed));
            }
            Self::Convert(from, to, saturates) => {
                code.extend([zero, machine(from)]);
                match saturates {
                    true => code.push((saturated(to), span)),
                    false => code.extend([zero, machine(to)]),
                }
            }
            Self::Saturated(operator) => {
                let to = plain(operator, 32, true);
                code.extend([machine(plain(operator, 64, true)), (saturated(to), span)]);
            }
            _ => {}
        }
        code
    }

    /// Converts the truth value of the code to its number, if the result is not a predicate.
    pub(super) fn finish(&self, code: &mut Code, span: Span) {
        if let Self::Set(_, _, (typed, one)) = *self {
            code.extend([(Atom::Int(one), span), (Atom::Machine(typed), span)]);
        }
    }

    /// The code of the carry that it sets.
    pub(super) fn carry(&self, operands: &[Code], span: Span) -> Option<Code> {
        let Self::Carried(carried) = self else { return None };
        let what = match carried.sum.does {
            Does::Plain(Binary::Subtract) => What::Borrow,
            _ => What::Carry,
        };
        let bits = Bits { what, bits: carried.sum.bits, signed: false };
        carried.leaves.then(|| {
            let [left, right, _] = carried.parts(operands, span);
            [left, right, carried.taken(span), alloc::vec![(Atom::Bits(bits), span)]].concat()
        })
    }
}

impl Carried {
    /// The summands.
    fn parts(&self, operands: &[Code], span: Span) -> [Code; 3] {
        let made = match self.product {
            Some(product) => {
                [operands[..2].concat(), alloc::vec![(Atom::Machine(product), span)]].concat()
            }
            None => operands[0].clone(),
        };
        [made, operands[operands.len() - 1].clone(), alloc::vec![(Atom::Machine(self.sum), span)]]
    }

    fn taken(&self, span: Span) -> Code {
        let atom = if self.takes { Atom::Hidden(CARRY) } else { Atom::Int(0) };
        alloc::vec![(atom, span)]
    }

    /// The sums, with the carry if it is added.
    fn sums(&self, operands: &[Code], span: Span) -> [Code; 3] {
        let [left, right, mut sum] = self.parts(operands, span);
        if self.takes {
            sum.extend(self.taken(span));
            sum.push((Atom::Machine(self.sum), span));
        }
        [left, right, sum]
    }
}

/// `add.cc.u32`, `subc.cc.s64`, `madc.hi.u32`, without the `c` at the end of the first word.
fn carried(first: &str, stem: &str, last: &str, takes: bool) -> Option<Form> {
    let mut parts: Vec<&str> = stem.split('.').skip(1).collect();
    let leaves = parts.last() == Some(&"cc");
    if leaves {
        parts.pop();
    }
    let (bits, signed) = machine::whole(last).filter(|&(bits, _)| bits >= 32)?;
    let product = match (first, &parts[..]) {
        ("mad", ["lo"]) => Some(plain(Binary::Multiply, bits, signed)),
        ("mad", ["hi"]) => Some(Typed { does: Does::High, bits, signed }),
        ("add" | "sub", []) => None,
        _ => return None,
    };
    let operator = if first == "sub" { Binary::Subtract } else { Binary::Add };
    let sum = plain(operator, bits, signed);
    Some(Form::Carried(Carried { product, sum, takes, leaves }))
}

/// Combines the first two operands by one operation, then the result with the third.
fn joined_by(operands: &[Code], first: (Atom, Span), then: (Atom, Span)) -> Code {
    let [left, right, third] = operands else { return Code::new() };
    let mut code = left.clone();
    code.extend(right);
    code.push(first);
    code.extend(third);
    code.push(then);
    code
}

fn joined(head: &str) -> Option<Binary> {
    let part = head.split('.').nth(2)?;
    JOINS.iter().find(|(name, _)| *name == part).map(|&(_, join)| join)
}

fn saturated(to: Typed) -> Atom {
    Atom::Bits(Bits { what: What::Saturated, bits: to.bits, signed: to.signed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::linear::Reach;
    use crate::expression::{Builtin, Environment, Expression, Value};

    struct Carry(Option<i64>, Reach);

    impl Environment for Carry {
        fn slot(&self, _: u16) -> Option<Value> {
            self.0.map(Value::Int)
        }

        fn builtin(&self, _: Builtin) -> i64 {
            0
        }

        fn reach(&self) -> &Reach {
            &self.1
        }
    }

    /// The value of code; the carry is 1.
    fn value(code: Code) -> Option<i64> {
        let hidden = |(atom, span)| match atom {
            Atom::Hidden(CARRY) => (Atom::Slot(0), span),
            _ => (atom, span),
        };
        let code = code.into_iter().map(hidden).collect();
        let expression = Expression { code, span: Span::default() };
        match expression.evaluate(&Carry(Some(1), Reach::default())) {
            Ok(Value::Int(number)) => Some(number),
            _ => None,
        }
    }

    fn of(head: &str, operands: &[i64]) -> (Option<i64>, Option<i64>) {
        let form = Form::of(head).unwrap_or_else(|| panic!("{head}"));
        assert_eq!(form.operands(), operands.len(), "{head}");
        let span = Span::default();
        let operands: Vec<Code> =
            operands.iter().map(|&number| alloc::vec![(Atom::Int(number), span)]).collect();
        let mut code = form.code(&operands, span);
        form.finish(&mut code, span);
        (value(code), form.carry(&operands, span).and_then(value))
    }

    #[test]
    fn results_have_the_width_and_the_sign_of_the_form() {
        for (head, operands, result) in [
            ("not.b32", &[0][..], 0xffff_ffff),
            ("not.pred", &[1], 0),
            ("not.b16", &[-1], 0),
            ("neg.s32", &[-0x8000_0000], -0x8000_0000),
            ("neg.s16", &[1], -1),
            ("cnot.b32", &[0], 1),
            ("cnot.b16", &[0x1_0000], 1),
            ("cnot.b64", &[5], 0),
            ("cvt.u32.u8", &[-1], 0xff),
            ("cvt.s32.s8", &[0xff], -1),
            ("cvt.u16.s32", &[-1], 0xffff),
            ("cvt.u64.s32", &[0xffff_ffff], -1),
            ("cvt.u64.u32", &[-1], 0xffff_ffff),
            ("cvt.s64.u16", &[-1], 0xffff),
            ("cvt.sat.u8.s32", &[300], 255),
            ("cvt.sat.u8.s32", &[0xffff_ffff], 0),
            ("cvt.sat.s8.u32", &[0xffff_ffff], 127),
            ("cvt.sat.s32.s64", &[i64::MIN], -0x8000_0000),
            ("set.lt.u32.s32", &[-1, 1], 0xffff_ffff),
            ("set.lt.s32.u32", &[-1, 1], 0),
            ("set.gt.s32.u32", &[-1, 1], -1),
            ("set.eq.f32.u32", &[1, 1], 0x3f80_0000),
            ("slct.b32.s32", &[5, 6, 0], 5),
            ("slct.u64.s32", &[5, 6, 0xffff_ffff], 6),
            ("add.sat.s32", &[0x7fff_ffff, 1], 0x7fff_ffff),
            ("sub.sat.s32", &[-0x8000_0000, 1], -0x8000_0000),
            ("mad.lo.s32", &[3, 4, -13], -1),
            ("mad.hi.u32", &[-1, 2, 5], 6),
            ("mad.wide.u32", &[-1, 2, 2], 0x2_0000_0000),
            ("mad.wide.s16", &[-1, 2, 2], 0),
            ("mad24.lo.u32", &[0x100_0003, 4, 5], 17),
            ("min.u16", &[-1, 5], 5),
            ("max.s16", &[0xffff, 5], 5),
            ("max.u64", &[-1, 5], -1),
            ("popc.b32", &[-1], 32),
        ] {
            assert_eq!(of(head, operands), (Some(result), None), "{head} {operands:?}");
        }
    }

    #[test]
    fn sums_use_and_set_the_carry() {
        for (head, operands, result, carry) in [
            ("add.cc.u32", &[-1, 1][..], 0, Some(1)),
            ("add.cc.u32", &[-2, 1], 0xffff_ffff, Some(0)),
            ("addc.u32", &[1, 2], 4, None),
            ("addc.cc.u32", &[-1, 0], 0, Some(1)),
            ("addc.cc.s32", &[-1, -1], -1, Some(1)),
            ("addc.cc.u64", &[-1, 0], 0, Some(1)),
            ("sub.cc.u32", &[0, 1], 0xffff_ffff, Some(1)),
            ("sub.cc.u32", &[1, 1], 0, Some(0)),
            ("subc.u32", &[5, 2], 2, None),
            ("subc.cc.u32", &[2, 2], 0xffff_ffff, Some(1)),
            ("mad.lo.cc.u32", &[0x1_0000, 0x1_0000, 7], 7, Some(0)),
            ("mad.hi.cc.u32", &[-1, -1, 2], 0, Some(1)),
            ("madc.hi.u32", &[0x1_0000, 0x1_0000, 7], 9, None),
            ("madc.lo.cc.u32", &[1, -1, 0], 0, Some(1)),
        ] {
            assert_eq!(of(head, operands), (Some(result), carry), "{head} {operands:?}");
        }
    }

    #[test]
    fn unknown_forms_have_no_value() {
        let heads = [
            "cvt.rn.f32.s32",
            "cvt.sat.u32.u64",
            "cvt.pack.sat.u16.s32",
            "slct.f32.f32",
            "set.lt.f16.f16",
            "set.lt.u32.f32",
            "setp.lt.f32",
            "add.sat.u32",
            "addc.u16",
            "mad.wide.cc.u32",
            "min.relu.s32",
            "min.u16x2",
            "lop3.or.b32",
        ];
        for head in heads {
            assert_eq!(Form::of(head), None, "{head}");
        }
    }

    #[test]
    fn comparisons_are_combined() {
        let join = |head: &str| Form::of(head).and_then(|form| form.join());
        assert_eq!(join("setp.eq.and.u32"), Some(Binary::And));
        assert_eq!(join("setp.eq.xor.b16"), Some(Binary::Xor));
        assert_eq!(join("setp.eq.u32"), None);
        assert_eq!(join("set.eq.or.u32.s16"), Some(Binary::Or));
    }
}
