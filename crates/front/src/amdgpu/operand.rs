//! Operands and modifiers of instructions, as LLVM prints them.

use super::text::is_name;
use alloc::vec::Vec;

/// A file of 32-bit registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Bank {
    /// One value for the wave: `s0` and so on, then the registers of [`Scalar`].
    Scalar,
    /// A value for each lane.
    Vector,
    /// Accumulators: a value for each lane.
    Accumulator,
}

/// Numbers of scalar registers that have names.
pub(super) struct Scalar;

impl Scalar {
    pub(super) const VCC: u16 = 106;
    pub(super) const TTMP: u16 = 108;
    pub(super) const M0: u16 = 124;
    pub(super) const NULL: u16 = 125;
    pub(super) const EXEC: u16 = 126;
    pub(super) const SCC: u16 = 128;
    pub(super) const FLAT_SCRATCH: u16 = 130;
    pub(super) const XNACK: u16 = 132;
}

/// Consecutive registers of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Registers {
    pub(super) bank: Bank,
    pub(super) first: u16,
    pub(super) count: u8,
}

impl Registers {
    pub(super) const fn scalar(first: u16, count: u8) -> Self {
        Self { bank: Bank::Scalar, first, count }
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand<'a> {
    /// Registers.
    Registers(Registers),
    /// Half of a register: bits 31:16 if `high`, else bits 15:0.
    Half(Registers, bool),
    /// An integer, with the wrap-around of 64 bits.
    Number(i64),
    /// A floating-point constant, as written.
    Float(&'a str),
    /// A symbol plus a number; `high` where bits 63:32 of the address are meant. `how` is the relocation without `@lo`, `@hi`.
    Symbol { name: &'a str, how: &'a str, plus: i64, high: bool },
    /// A name with operands in parentheses: `hwreg(…)`, `vmcnt(0)`.
    Call(&'a str, &'a str),
    /// `off`, or a word or text of another kind.
    Word(&'a str),
}

/// One operand with the sign and other changes of its value, which only floating-point and 16-bit forms have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument<'a> {
    pub(super) operand: Operand<'a>,
    /// Whether a sign, an absolute value or an extension changes it.
    pub(super) changed: bool,
}

/// Operands and modifiers of one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments<'a> {
    pub(super) operands: Vec<Argument<'a>>,
    /// Modifiers with what stands after their colon or in their parentheses; empty for a bare word.
    pub(super) modifiers: Vec<(&'a str, &'a str)>,
}

/// The maximum number of operands and modifiers of an instruction that are read.
const MOST: usize = 64;

impl<'a> Arguments<'a> {
    /// Reads the text after a mnemonic.
    pub(super) fn read(text: &'a str) -> Self {
        let mut all = Self::default();
        for part in split(text, |c| c == ',').into_iter().take(MOST) {
            let mut words = split(part, char::is_whitespace).into_iter().filter(|w| !w.is_empty());
            if let Some(first) = words.next() {
                match modifier(first) {
                    Some(modifier) => all.modifiers.push(modifier),
                    None => all.operands.push(argument(first)),
                }
            }
            all.modifiers.extend(words.take(MOST).map(|word| modifier(word).unwrap_or((word, ""))));
        }
        all
    }

    /// What a modifier says, if it is there.
    pub(super) fn modifier(&self, name: &str) -> Option<&'a str> {
        self.modifiers.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }

    /// Whether a bare word is there, as a modifier or as an operand.
    pub(super) fn has(&self, word: &str) -> bool {
        let is = |argument: &Argument<'_>| argument.operand == Operand::Word(word);
        self.modifier(word).is_some() || self.operands.iter().any(is)
    }

    /// The number that a modifier says.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.modifier(name).and_then(number)
    }
}

/// Parts of a text between separators that stand outside brackets.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut depth = 0_u32;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_separator(c) => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `name:value`, or a call that is a modifier.
fn modifier(word: &str) -> Option<(&str, &str)> {
    let end = word.find(|c: char| !is_name(c))?;
    let (name, rest) = word.split_at(end);
    let value = rest.strip_prefix(':').filter(|value| !value.is_empty() && !name.is_empty())?;
    Some((name, value))
}

/// An operand with its sign.
fn argument(word: &str) -> Argument<'_> {
    let plain = operand(word);
    let inner = |open: &str, close: &str| {
        word.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).map(str::trim)
    };
    let changed = match plain {
        Operand::Word(_) => inner("-|", "|").or_else(|| inner("|", "|")).or_else(|| inner("-", "")),
        Operand::Call(..) => ["neg(", "abs(", "sext("].iter().find_map(|open| inner(open, ")")),
        _ => None,
    };
    match changed.map(operand) {
        Some(operand @ (Operand::Registers(_) | Operand::Half(..))) => {
            Argument { operand, changed: true }
        }
        _ => Argument { operand: plain, changed: false },
    }
}

fn operand(word: &str) -> Operand<'_> {
    if let Some(registers) = registers(word) {
        return Operand::Registers(registers);
    }
    if let Some((whole, half)) = word.split_once('.')
        && matches!(half, "l" | "h")
        && let Some(found) = registers(whole)
    {
        return Operand::Half(found, half == "h");
    }
    if let Some(value) = number(word) {
        return Operand::Number(value);
    }
    if word.strip_prefix('-').unwrap_or(word).starts_with(|c: char| c.is_ascii_digit()) {
        return Operand::Float(word);
    }
    if let Some((name, rest)) = word.split_once('(')
        && !name.is_empty()
        && let Some(inside) = rest.strip_suffix(')')
        && name.chars().all(is_name)
    {
        return Operand::Call(name, inside);
    }
    symbol(word).unwrap_or(Operand::Word(word))
}

/// Names of registers that stand for one or two numbered ones.
const NAMED: [(&str, u16, u8); 19] = [
    ("vcc", Scalar::VCC, 2),
    ("vcc_lo", Scalar::VCC, 1),
    ("vcc_hi", Scalar::VCC + 1, 1),
    ("exec", Scalar::EXEC, 2),
    ("exec_lo", Scalar::EXEC, 1),
    ("exec_hi", Scalar::EXEC + 1, 1),
    ("m0", Scalar::M0, 1),
    ("null", Scalar::NULL, 1),
    ("scc", Scalar::SCC, 1),
    ("src_scc", Scalar::SCC, 1),
    ("flat_scratch", Scalar::FLAT_SCRATCH, 2),
    ("flat_scratch_lo", Scalar::FLAT_SCRATCH, 1),
    ("flat_scratch_hi", Scalar::FLAT_SCRATCH + 1, 1),
    ("src_flat_scratch_base_lo", Scalar::FLAT_SCRATCH, 1),
    ("src_flat_scratch_base_hi", Scalar::FLAT_SCRATCH + 1, 1),
    ("xnack_mask", Scalar::XNACK, 2),
    ("xnack_mask_lo", Scalar::XNACK, 1),
    ("xnack_mask_hi", Scalar::XNACK + 1, 1),
    ("src_flat_scratch_base", Scalar::FLAT_SCRATCH, 2),
];

fn registers(word: &str) -> Option<Registers> {
    if let Some(&(_, first, count)) = NAMED.iter().find(|(name, ..)| *name == word) {
        return Some(Registers::scalar(first, count));
    }
    let (bank, offset, most, rest) = match word.as_bytes().first()? {
        b's' => (Bank::Scalar, 0, Scalar::VCC, word.strip_prefix('s')?),
        b't' => (Bank::Scalar, Scalar::TTMP, 16, word.strip_prefix("ttmp")?),
        b'v' => (Bank::Vector, 0, 1024, word.strip_prefix('v')?),
        b'a' => (Bank::Accumulator, 0, 512, word.strip_prefix('a')?),
        _ => return None,
    };
    let index = |digits: &str| digits.parse::<u16>().ok().filter(|&index| index < most);
    let (first, last) = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(range) => match range.split_once(':') {
            Some((first, last)) => (index(first.trim())?, index(last.trim())?),
            None => (index(range.trim())?, index(range.trim())?),
        },
        None => (index(rest)?, index(rest)?),
    };
    let count = u8::try_from(last.checked_sub(first)? + 1).ok()?;
    Some(Registers { bank, first: first + offset, count })
}

/// A decimal, hexadecimal, octal or binary integer; one of 64 bits wraps around.
pub(super) fn number(word: &str) -> Option<i64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16).ok()?
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2).ok()?
    } else if digits.starts_with(|c: char| c.is_ascii_digit()) {
        digits.parse().ok()?
    } else {
        return None;
    };
    Some(if negative { (value as i64).wrapping_neg() } else { value as i64 })
}

/// `name`, `name@rel32@lo+4`, `(to-from)&4294967295`, `(to-from)>>32`, `to-from`.
fn symbol(word: &str) -> Option<Operand<'_>> {
    if let Some((difference, rest)) = word.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let high = match rest.trim() {
            "&4294967295" | "" => false,
            ">>32" => true,
            _ => return None,
        };
        let (to, _) = difference.split_once('-')?;
        return name(to).map(|name| Operand::Symbol { name, how: "rel32", plus: 0, high });
    }
    let end = word.find(|c: char| !is_name(c)).unwrap_or(word.len());
    let (whole, rest) = word.split_at(end);
    let plus = match rest {
        "" => 0,
        _ => match number(rest.strip_prefix('+').unwrap_or(rest)) {
            Some(plus) => plus,
            None => {
                let relative = rest.strip_prefix('-').is_some_and(|from| name(from).is_some());
                return name(whole).filter(|_| relative).map(|name| Operand::Symbol {
                    name,
                    how: "rel32",
                    plus: 0,
                    high: false,
                });
            }
        },
    };
    let (symbol, how) = whole.split_once('@').unwrap_or((whole, ""));
    let (how, high) = match (how.strip_suffix("@lo"), how.strip_suffix("@hi")) {
        (Some(how), _) => (how, false),
        (_, Some(how)) => (how, true),
        _ => (how, false),
    };
    name(symbol).map(|name| Operand::Symbol { name, how, plus, high })
}

fn name(word: &str) -> Option<&str> {
    let word = word.trim().trim_matches('"');
    let begins = word.starts_with(|c: char| is_name(c) && !c.is_ascii_digit());
    (begins && word.chars().all(|c| is_name(c) && c != '@')).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn only(text: &str) -> Operand<'_> {
        Arguments::read(text).operands[0].operand
    }

    const fn vector(first: u16, count: u8) -> Operand<'static> {
        Operand::Registers(Registers { bank: Bank::Vector, first, count })
    }

    #[test]
    fn registers_have_a_bank_a_number_and_a_count() {
        assert_eq!(only("v[2:5]"), vector(2, 4));
        assert_eq!(only("v255"), vector(255, 1));
        assert_eq!(only("s[104:105]"), Operand::Registers(Registers::scalar(104, 2)));
        assert_eq!(only("ttmp9"), Operand::Registers(Registers::scalar(Scalar::TTMP + 9, 1)));
        assert_eq!(only("vcc"), Operand::Registers(Registers::scalar(Scalar::VCC, 2)));
        assert_eq!(only("exec_hi"), Operand::Registers(Registers::scalar(Scalar::EXEC + 1, 1)));
        let low = Registers { bank: Bank::Vector, first: 3, count: 1 };
        assert_eq!(only("v3.h"), Operand::Half(low, true));
    }

    #[test]
    fn numbers_and_symbols() {
        assert_eq!(only("0xffffffff"), Operand::Number(0xffff_ffff));
        assert_eq!(only("-16"), Operand::Number(-16));
        assert_eq!(only("0.5"), Operand::Float("0.5"));
        let symbol = |name, how, plus, high| Operand::Symbol { name, how, plus, high };
        assert_eq!(only("_Z4plusif@rel32@lo+4"), symbol("_Z4plusif", "rel32", 4, false));
        assert_eq!(only("f@gotpcrel32@hi+12"), symbol("f", "gotpcrel32", 12, true));
        assert_eq!(only("f@rel64+4"), symbol("f", "rel64", 4, false));
        assert_eq!(only(".LBB0_1"), symbol(".LBB0_1", "", 0, false));
        assert_eq!(only("(.LBB0_1-.Lpost)&4294967295"), symbol(".LBB0_1", "rel32", 0, false));
        assert_eq!(only("(.LBB0_1-.Lpost)>>32"), symbol(".LBB0_1", "rel32", 0, true));
        assert_eq!(only(".LBB0_1-.Lpost"), symbol(".LBB0_1", "rel32", 0, false));
    }

    #[test]
    fn signs_are_seen() {
        let all = Arguments::read("v1, -v2, |v3|, neg(v4), -5");
        let changed: Vec<bool> = all.operands.iter().map(|argument| argument.changed).collect();
        assert_eq!(changed, [false, true, true, true, false]);
        assert_eq!(all.operands[2].operand, vector(3, 1));
        assert_eq!(all.operands[4].operand, Operand::Number(-5));
    }

    #[test]
    fn modifiers_stand_after_operands() {
        let all = Arguments::read("v[0:3], v4, s[0:3], 0 offen offset:16 sc0 op_sel:[0,1] lds");
        assert_eq!(all.operands.len(), 4);
        assert_eq!((all.number("offset"), all.modifier("op_sel")), (Some(16), Some("[0,1]")));
        assert!(all.has("offen") && all.has("lds") && !all.has("idxen"));
        let scope = Arguments::read("scope:SCOPE_SE");
        assert_eq!((scope.operands.len(), scope.modifier("scope")), (0, Some("SCOPE_SE")));
        let counts = Arguments::read("vmcnt(0) lgkmcnt(3)");
        assert_eq!(counts.operands[0].operand, Operand::Call("vmcnt", "0"));
        assert_eq!(counts.modifiers, vec![("lgkmcnt(3)", "")]);
    }

    #[test]
    fn nothing_panics() {
        for text in [
            "v[",
            "v[9:2]",
            "s[1:]",
            "((",
            "-",
            "|",
            "||",
            "é[0:1], (a",
            "v999999",
            "a-",
            "(-)&",
            "@lo",
        ] {
            let _ = Arguments::read(text);
        }
    }
}
