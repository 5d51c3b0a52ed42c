//! Constant expressions of PTX: the operators of C on signed and unsigned integers of 64 bits.

use super::lexer;

/// Deepest nesting of operators.
const DEEPEST: u32 = 64;

/// Binary operators with their strength; longer ones come before their beginnings.
const BINARY: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// The bits of a number, and whether it is unsigned.
type Number = (i64, bool);

/// The value of an expression; `None` for an invalid one and for a division by zero.
pub(super) fn value(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text, depth: 0 };
    let (value, _) = reader.ternary()?;
    reader.rest.trim_start().is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    depth: u32,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn ternary(&mut self) -> Option<Number> {
        let on = self.binary(1)?;
        if !self.eat("?") {
            return Some(on);
        }
        let one = self.nested(Self::ternary)?;
        if !self.eat(":") {
            return None;
        }
        let other = self.nested(Self::ternary)?;
        let (value, _) = if on.0 != 0 { one } else { other };
        Some((value, one.1 || other.1))
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<Number>) -> Option<Number> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn binary(&mut self, least: u8) -> Option<Number> {
        let mut one = self.unary()?;
        loop {
            let rest = self.rest.trim_start();
            let found = BINARY.iter().find(|(text, _)| rest.starts_with(text));
            let Some(&(operator, strength)) = found.filter(|(_, strength)| *strength >= least)
            else {
                return Some(one);
            };
            self.eat(operator);
            let other = self.nested(|reader| reader.binary(strength + 1))?;
            one = computed(operator, one, other)?;
        }
    }

    fn unary(&mut self) -> Option<Number> {
        for operator in ["+", "-", "~", "!", "(long)", "(ulong)"] {
            if self.eat(operator) {
                let (value, unsigned) = self.nested(Self::unary)?;
                return Some(match operator {
                    "-" => (value.wrapping_neg(), unsigned),
                    "~" => (!value, unsigned),
                    "!" => (i64::from(value == 0), false),
                    "+" => (value, unsigned),
                    _ => (value, operator == "(ulong)"),
                });
            }
        }
        if self.eat("(") {
            let value = self.nested(Self::ternary)?;
            return self.eat(")").then_some(value);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(end);
        let value = lexer::number(digits.trim_end_matches(['U', 'u']))?;
        self.rest = rest;
        Some((value, digits.ends_with(['U', 'u']) || value < 0))
    }
}

fn computed(operator: &str, (one, first): Number, (other, second): Number) -> Option<Number> {
    let unsigned = first || second;
    let (wide, by) = (one as u64, other as u64);
    let less = if unsigned { wide < by } else { one < other };
    let truth = |is: bool| (i64::from(is), false);
    let shift = (by & 63) as u32;
    Some(match operator {
        "||" => truth(one != 0 || other != 0),
        "&&" => truth(one != 0 && other != 0),
        "==" => truth(one == other),
        "!=" => truth(one != other),
        "<" => truth(less),
        ">=" => truth(!less),
        "<=" => truth(less || one == other),
        ">" => truth(!less && one != other),
        "<<" => (one.wrapping_shl(shift), first),
        ">>" if first => ((wide >> shift) as i64, first),
        ">>" => (one >> shift, first),
        "/" if unsigned => (wide.checked_div(by)? as i64, true),
        "%" if unsigned => (wide.checked_rem(by)? as i64, true),
        "/" => (one.checked_div(other)?, false),
        "%" => (one.checked_rem(other)?, false),
        "|" => (one | other, unsigned),
        "^" => (one ^ other, unsigned),
        "&" => (one & other, unsigned),
        "+" => (one.wrapping_add(other), unsigned),
        "-" => (one.wrapping_sub(other), unsigned),
        _ => (one.wrapping_mul(other), unsigned),
    })
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn constant_expressions_follow_c() {
        for (text, expected) in [
            ("1 + 2*3", Some(7)),
            ("(1 + 2)*3 - -4", Some(13)),
            ("-1 >> 1", Some(-1)),
            ("(ulong)-1 >> 63", Some(1)),
            ("-1 < 0U", Some(0)),
            ("-1 < 0", Some(1)),
            ("1 << 4 | 3 & 1", Some(17)),
            ("10 % 4 == 2 ? 0x10 : 7", Some(16)),
            ("!0 && ~0", Some(1)),
            ("7 / 0", None),
            ("7 +", None),
            ("(7", None),
            ("1 2", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        let deep = "(".repeat(5000) + "1";
        assert_eq!(value(&deep), None);
        assert_eq!(value(&("-".repeat(5000) + "1")), None);
    }
}
