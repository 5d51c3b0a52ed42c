//! Integer functions of OpenCL's library (OpenCL C, "Integer Functions", "Explicit Conversions"), element by element.

use super::calls::Call;
use super::unit::Unit;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Comparison, Op, Operand};

/// A type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Integer {
    bits: u8,
    signed: bool,
}

impl Integer {
    /// The first type of a list, as C++ mangles it, if its elements are integers.
    fn first(types: &str) -> Option<Self> {
        let element = match types.strip_prefix("Dv") {
            Some(vector) => vector.split_once('_')?.1,
            None => types,
        };
        let letter = element.bytes().next()?;
        let signed = matches!(letter, b'a' | b'c' | b's' | b'i' | b'l');
        let bits = match letter {
            b'a' | b'c' | b'h' => 8,
            b's' | b't' => 16,
            b'i' | b'j' => 32,
            b'l' | b'm' => 64,
            _ => return None,
        };
        Some(Self { bits, signed })
    }

    fn by_sign<T>(self, signed: T, unsigned: T) -> T {
        if self.signed { signed } else { unsigned }
    }
}

impl<'a> Unit<'_, 'a> {
    /// A function on integers with these mangled types of parameters; whether it is known.
    pub(super) fn integers(&mut self, name: &str, types: &str, call: &Call<'a>) -> bool {
        let Some(of) = Integer::first(types) else { return false };
        let vector = types.starts_with("Dv");
        let count = call.arguments.iter().map(|one| one.values.len()).max().unwrap_or(0);
        let mut results = Vec::new();
        for at in 0..count {
            // A scalar beside a vector counts for each of its elements.
            let element = |argument: usize| {
                let values = call.arguments.get(argument).map(|one| &one.values[..]);
                let values = values.unwrap_or_default();
                values.get(at).or(values.first()).copied().unwrap_or(Operand::Data)
            };
            let Some(result) = self.integer(name, (of, vector), [0, 1, 2].map(element)) else {
                return false;
            };
            results.push(result);
        }
        self.define(call.name, &call.of, &results);
        count > 0
    }

    fn integer(
        &mut self,
        name: &str,
        (of, vector): (Integer, bool),
        [x, y, z]: [Operand; 3],
    ) -> Option<Operand> {
        let bits = of.bits;
        let least = of.by_sign(Op::MinSigned, Op::MinUnsigned);
        let most = of.by_sign(Op::MaxSigned, Op::MaxUnsigned);
        let shift = of.by_sign(Op::ShrSigned, Op::ShrUnsigned);
        let high = of.by_sign(Op::MulHighSigned, Op::MulHighUnsigned);
        let less = Op::Compare(of.by_sign(Comparison::Slt, Comparison::Ult), bits);
        let mut compute = |op, operands: &[Operand]| self.code.compute(bits, op, operands);
        Some(match name {
            "min" => compute(least, &[x, y]),
            "max" => compute(most, &[x, y]),
            "clamp" => {
                let above = compute(most, &[x, y]);
                compute(least, &[above, z])
            }
            "mul24" => compute(Op::Mul, &[x, y]),
            "mul_hi" => compute(high, &[x, y]),
            "mad24" | "mad_hi" => {
                let op = if name == "mad24" { Op::Mul } else { high };
                let product = compute(op, &[x, y]);
                compute(Op::Add, &[product, z])
            }
            "abs" if !of.signed => x,
            "abs" | "abs_diff" => {
                let y = if name == "abs" { Operand::Int(0) } else { y };
                let [there, back] = [[x, y], [y, x]].map(|pair| compute(Op::Sub, &pair));
                let negative = self.code.compute(1, less, &[x, y]);
                self.code.compute(bits, Op::Select, &[negative, back, there])
            }
            "hadd" | "rhadd" => {
                let differing = compute(Op::Xor, &[x, y]);
                let half = compute(shift, &[differing, Operand::Int(1)]);
                let (first, then) =
                    if name == "hadd" { (Op::And, Op::Add) } else { (Op::Or, Op::Sub) };
                let common = compute(first, &[x, y]);
                compute(then, &[common, half])
            }
            "rotate" => {
                let back = compute(Op::Sub, &[Operand::Int(u64::from(bits)), y]);
                let back = compute(Op::And, &[back, Operand::Int(u64::from(bits) - 1)]);
                compute(Op::Funnel, &[x, x, back])
            }
            "popcount" => compute(Op::CountOnes, &[x]),
            "clz" => compute(Op::CountLeadingZeros, &[x]),
            "ctz" => compute(Op::CountTrailingZeros, &[x]),
            "bitselect" => {
                let kept = compute(Op::Not, &[z]);
                let kept = compute(Op::And, &[x, kept]);
                let taken = compute(Op::And, &[y, z]);
                compute(Op::Or, &[kept, taken])
            }
            "select" => {
                // A vector has a mask whose highest bits decide.
                let comparison = if vector { Comparison::Slt } else { Comparison::Ne };
                let compare = Op::Compare(comparison, bits);
                let takes = self.code.compute(1, compare, &[z, Operand::Int(0)]);
                self.code.compute(bits, Op::Select, &[takes, y, x])
            }
            "upsample" => self.code.compute(2 * bits, Op::Concat, &[y, x]),
            _ => {
                let (to, saturates) = conversion(name)?;
                if saturates || bits >= to.bits || !of.signed {
                    return (!saturates).then(|| self.code.compute(to.bits, Op::Copy, &[x]));
                }
                self.code.compute(to.bits, Op::SignExtend(bits), &[x])
            }
        })
    }
}

/// The type to which `convert_…` converts, if it is one of integers, and whether it saturates.
fn conversion(name: &str) -> Option<(Integer, bool)> {
    let rest = name.strip_prefix("convert_")?;
    let word = rest.split(|letter: char| !letter.is_ascii_lowercase()).next()?;
    let letter = match word {
        "char" => "c",
        "uchar" => "h",
        "short" => "s",
        "ushort" => "t",
        "int" => "i",
        "uint" => "j",
        "long" => "l",
        "ulong" => "m",
        _ => return None,
    };
    Some((Integer::first(letter)?, rest.contains("_sat")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mangled_type_decides() {
        let of = |types| Integer::first(types).map(|of| (of.bits, of.signed));
        assert_eq!(of("ii"), Some((32, true)));
        assert_eq!(of("Dv4_tS_"), Some((16, false)));
        assert_eq!(of("Dv2_ff"), None);
        assert_eq!(of("f"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn conversions_name_their_type() {
        let to = |name| conversion(name).map(|(of, saturates)| (of.bits, of.signed, saturates));
        assert_eq!(to("convert_uint4"), Some((32, false, false)));
        assert_eq!(to("convert_char_sat_rte"), Some((8, true, true)));
        assert_eq!(to("convert_float"), None);
        assert_eq!(to("cross"), None);
    }
}
