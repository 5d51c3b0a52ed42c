//! Operands of instructions.

use alloc::vec::Vec;

/// A register of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    /// Whether it is of the uniform datapath.
    pub(super) uniform: bool,
    /// Its number; `None` for `RZ` and `URZ`.
    pub(super) number: Option<u8>,
    /// `.64`: it is the lower one of a pair.
    pub(super) wide: bool,
    /// By how many bits it is shifted in an address, as in `[R0.X4]`.
    pub(super) shift: u8,
}

/// A predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Predicate {
    pub(super) uniform: bool,
    /// Its number; `None` for `PT` and `UPT`.
    pub(super) number: Option<u8>,
    pub(super) not: bool,
}

/// The predicate of an instruction.
pub(super) type Guard = Predicate;

/// The modifiers that change a value before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) minus: bool,
    pub(super) not: bool,
    pub(super) absolute: bool,
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand<'t> {
    Register(Register, Change),
    Predicate(Predicate),
    Number(i64),
    /// A number with a fraction, or another one that is no integer.
    Float(&'t str),
    /// `c[0x0][0x210]`, `c[0x0][R2+0x160]`
    Constant(u32, Option<Register>, i64, Change),
    /// `[R2.64+UR4+0x10]`, after `desc[…]` or not
    Address(Vec<Register>, i64),
    /// `gdesc[UR8].tnspB`, `tmem[UR4]`: the name, the register, and what follows it
    Table(&'t str, Register, &'t str),
    /// `` `(.L_x_0) ``
    Label(&'t str),
    /// A special register or another word.
    Word(&'t str),
}

/// An instruction: its predicate, its name, its operands.
pub(super) type Parts<'t> = (Option<Guard>, &'t str, Vec<Operand<'t>>);

/// The maximum number of operands of an instruction.
const MOST: usize = 24;

/// Reads an instruction.
pub(super) fn instruction(text: &str) -> Option<Parts<'_>> {
    let (guard, text) = match text.strip_prefix('@') {
        Some(rest) => {
            let (name, rest) = rest.split_once(char::is_whitespace)?;
            (Some(predicate(name)?), rest.trim_start())
        }
        None => (None, text),
    };
    let (head, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    if !head.starts_with(|first: char| first.is_ascii_uppercase()) || !head.bytes().all(known) {
        return None;
    }
    let mut operands = Vec::new();
    let mut rest = rest.trim();
    while !rest.is_empty() && operands.len() < MOST {
        let (first, next) = split(rest);
        operands.extend(operand(first.trim()));
        rest = next.trim_start();
    }
    Some((guard, head, operands))
}

/// An operand up to the comma, or the blank before a label, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return (&text[..at], &text[at + 1..]),
            b'`' if depth == 0 && at > 0 => return (&text[..at], &text[at..]),
            // `RET.REL.NODEC R2 0x0`
            b' ' if depth == 0 && text[at..].trim_start().starts_with("0x") => {
                return (&text[..at], &text[at + 1..]);
            }
            _ => {}
        }
    }
    (text, "")
}

fn predicate(text: &str) -> Option<Predicate> {
    let (not, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
    let (uniform, text) = text.strip_prefix('U').map_or((false, text), |rest| (true, rest));
    let number = match text.strip_prefix('P')? {
        "T" => None,
        digits => Some(digits.parse().ok().filter(|&number: &u8| number < 8)?),
    };
    Some(Predicate { uniform, number, not })
}

fn register(text: &str) -> Option<Register> {
    let mut parts = text.split('.');
    let name = parts.next()?;
    let (mut wide, mut shift) = (false, 0);
    for part in parts {
        // The higher bytes of a register are not followed.
        if ["B1", "B2", "B3"].contains(&part) {
            return None;
        }
        wide |= part == "64";
        shift = match part {
            "X4" => 2,
            "X8" => 3,
            "X16" => 4,
            _ => shift,
        };
    }
    let (uniform, digits) = name.strip_prefix('U').map_or((false, name), |rest| (true, rest));
    let number = match digits.strip_prefix('R')? {
        "Z" => None,
        digits => Some(
            digits.parse().ok().filter(|&number: &u8| number < if uniform { 128 } else { 255 })?,
        ),
    };
    Some(Register { uniform, number, wide, shift })
}

fn number(text: &str) -> Option<i64> {
    let (minus, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => digits.parse().ok()?,
    };
    Some(if minus { number.wrapping_neg() } else { number })
}

fn operand(text: &str) -> Option<Operand<'_>> {
    if text.is_empty() {
        return None;
    }
    if let Some(rest) = text.strip_prefix("`(") {
        return Some(Operand::Label(rest.trim_end_matches(')')));
    }
    let whole = text;
    let (mut change, mut text) = (Change::default(), text);
    if let Some(found) = number(text) {
        return Some(Operand::Number(found));
    }
    if let Some(found) = predicate(text) {
        return Some(Operand::Predicate(found));
    }
    loop {
        match text.as_bytes().first() {
            Some(b'-') => change.minus = true,
            Some(b'~') => change.not = true,
            Some(b'|') => change.absolute = true,
            Some(b'+') => {}
            _ => break,
        }
        text = &text[1..];
    }
    let text = text.trim_end_matches('|');
    if let Some(found) = register(text) {
        return Some(Operand::Register(found, change));
    }
    if let Some(rest) = text.strip_prefix("c[") {
        return constant(rest, change);
    }
    if let Some((before, _)) = text.split_once('[') {
        let rest = &text[before.len()..];
        // `desc[UR4][R2.64+0x10]`: the last brackets hold the address.
        let inner = rest.rsplit_once('[').map_or("", |(_, inner)| inner);
        let (inner, after) = inner.split_once(']').unwrap_or((inner, ""));
        return match before {
            "" | "desc" => address(inner),
            _ => Some(Operand::Table(before, register(inner)?, after)),
        };
    }
    let fraction =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
    if whole.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        && whole.bytes().all(fraction)
    {
        return Some(Operand::Float(whole));
    }
    Some(Operand::Word(text))
}

/// `0x0][0x210]`, with `.64` or not after it.
fn constant(text: &str, change: Change) -> Option<Operand<'_>> {
    let (bank, rest) = text.split_once(']')?;
    let inner = rest.strip_prefix('[')?.split(']').next()?;
    let bank = u32::try_from(number(bank).unwrap_or(-1)).unwrap_or(u32::MAX);
    let (base, offset) = match address(inner)? {
        Operand::Address(registers, offset) => (registers.first().copied(), offset),
        _ => (None, 0),
    };
    Some(Operand::Constant(bank, base, offset, change))
}

/// `R2.64+UR4+0x10`, `R4+-0x8`
fn address(text: &str) -> Option<Operand<'_>> {
    let (mut registers, mut offset) = (Vec::new(), 0_i64);
    for part in text.split('+').map(str::trim).filter(|part| !part.is_empty()).take(MOST) {
        match (register(part), number(part)) {
            (Some(found), _) => registers.push(found),
            (None, Some(found)) => offset = offset.wrapping_add(found),
            (None, None) => return Some(Operand::Word(text)),
        }
    }
    Some(Operand::Address(registers, offset))
}

/// The number of a pair of half floats, as `HFMA2.MMA` has them.
pub(super) fn half_text<'t>(operand: &Operand<'t>) -> Option<alloc::string::String> {
    match operand {
        Operand::Float(text) => Some((*text).into()),
        Operand::Number(number) => Some(alloc::format!("{number}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Operand<'_> {
        let (_, _, mut operands) = instruction(text).expect(text);
        operands.pop().expect(text)
    }

    #[test]
    fn operands_of_every_kind() {
        let r = |number| Register { uniform: false, number: Some(number), wide: false, shift: 0 };
        let plain = Change::default();
        assert_eq!(only("MOV R1, R20.reuse"), Operand::Register(r(20), plain));
        assert_eq!(only("IADD3 R1, -R2"), Operand::Register(r(2), Change { minus: true, ..plain }));
        assert_eq!(only("MOV R1, c[0x0][0x210]"), Operand::Constant(0, None, 0x210, plain));
        let wide = Register { wide: true, ..r(2) };
        assert_eq!(
            only("LDG.E R1, desc[UR4][R2.64+-0x8]"),
            Operand::Address(alloc::vec![wide], -8)
        );
        assert_eq!(only("BRA `(.L_x_0)"), Operand::Label(".L_x_0"));
        assert_eq!(only("RET.REL.NODEC R2 `(k)"), Operand::Label("k"));
        assert_eq!(only("RET.REL.NODEC R2 0x0"), Operand::Number(0));
        assert_eq!(only("S2R R0, SR_TID.X"), Operand::Word("SR_TID.X"));
        let not = Predicate { uniform: true, number: None, not: true };
        assert_eq!(only("ULOP3.LUT UR1, !UPT"), Operand::Predicate(not));
        assert_eq!(
            instruction("@!P0 BRA 0x10").and_then(|(guard, ..)| guard).map(|it| it.not),
            Some(true)
        );
        assert_eq!(instruction("nonsense here"), None);
    }
}
