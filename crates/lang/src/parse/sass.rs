//! SASS arithmetic: instructions that compute integers and predicates from registers.
//!
//! A register has 32 bits, unsigned. Unknown forms leave their results without a value.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::machine::{COMPARISONS, Does, Typed};
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::tree::{Name, Statement, StatementKind};
use alloc::format;
use alloc::vec::Vec;

/// Instructions that only compute, with unknown results.
const UNKNOWN: [&str; 30] = [
    "BMSK", "BREV", "CS2R", "DADD", "DFMA", "DMUL", "DSETP", "F2F", "F2FP", "F2I", "FADD", "FFMA",
    "FLO", "FMNMX", "FMUL", "FSEL", "FSETP", "HADD2", "HMUL2", "HSETP2", "I2F", "I2FP", "IABS",
    "IDP", "LDC", "MUFU", "POPC", "PRMT", "ULDC", "VABSDIFF",
];

/// Computed instructions, without the `U` of those on uniform registers.
const KNOWN: [&str; 13] = [
    "IADD3", "IMAD", "IMNMX", "ISETP", "LEA", "LOP3", "PLOP3", "R2UR", "SEL", "SGXT", "SHF",
    "VIADD", "VIMNMX",
];

/// How the result of a comparison is combined with a predicate.
const JOINS: [(&str, Binary); 3] = [("AND", Binary::And), ("OR", Binary::Or), ("XOR", Binary::Xor)];

type Code = Vec<(Atom, Span)>;

/// A result: its register and its value; `None` if unknown.
type Made = (Option<Name>, Option<Code>);

/// An operand.
struct Operand {
    /// The register or predicate as a destination; `None` for other operands, and for `RZ` and `PT`.
    name: Option<Name>,
    /// Whether it is a predicate.
    predicate: bool,
    /// Whether it has a `-`.
    negated: bool,
    /// Its value with the sign; `None` if unknown.
    code: Option<Code>,
    /// Its value without the sign.
    plain: Code,
}

/// The operation of a head without its modifiers.
fn known(first: &str) -> Option<&'static str> {
    let same = |name: &str| KNOWN.into_iter().find(|known| *known == name);
    same(first).or_else(|| same(first.strip_prefix('U')?))
}

/// Whether a head is a machine instruction that computes.
fn computes(head: &str) -> bool {
    let first = head.split('.').next().unwrap_or("");
    known(first).is_some() || UNKNOWN.contains(&first)
}

fn is_predicate(word: &str) -> bool {
    let rest = word.strip_prefix('U').unwrap_or(word).strip_prefix('P');
    rest.is_some_and(|rest| rest == "T" || rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
}

/// The number of a code that is a literal.
fn literal(code: &Code) -> Option<i64> {
    match code[..] {
        [(Atom::Int(number), _)] => Some(number),
        _ => None,
    }
}

/// Builds code at a position, for numbers of a given width.
#[derive(Clone, Copy)]
struct Maker {
    span: Span,
    bits: u8,
}

impl Maker {
    fn int(self, number: i64) -> Code {
        alloc::vec![(Atom::Int(number), self.span)]
    }

    fn of(self, does: Does, signed: bool, left: &Code, right: &Code) -> Code {
        let mut code = left.clone();
        code.extend(right);
        code.push((Atom::Machine(Typed { does, bits: self.bits, signed }), self.span));
        // Registers are unsigned.
        match does {
            Does::High | Does::Plain(Binary::ShiftRight | Binary::Least | Binary::Most)
                if signed =>
            {
                self.does(Binary::Add, &code, &self.int(0))
            }
            _ => code,
        }
    }

    fn does(self, operator: Binary, left: &Code, right: &Code) -> Code {
        self.of(Does::Plain(operator), false, left, right)
    }

    /// A sum; literal zeros are omitted.
    fn sum(self, parts: &[&Code]) -> Code {
        let mut parts = parts.iter().filter(|part| literal(part) != Some(0));
        let first = parts.next().map_or_else(|| self.int(0), |first| (*first).clone());
        parts.fold(first, |sum, part| self.does(Binary::Add, &sum, part))
    }

    fn not(self, of: &Code) -> Code {
        self.does(Binary::Xor, of, &self.int(-1))
    }

    /// The lower half (`high`: the upper half) of `above` and `below` shifted left by an amount up to the width; larger
    /// amounts only if both halves are one number.
    fn left(self, high: bool, below: &Code, above: &Code, by: &Code, wide: bool) -> Code {
        if !high {
            return self.does(Binary::ShiftLeft, below, by);
        }
        let parts = [
            self.does(Binary::ShiftLeft, above, by),
            self.does(Binary::ShiftRight, below, &self.rest(by)),
            self.does(Binary::ShiftLeft, below, &self.over(by)),
        ];
        self.any(if wide { &parts } else { &parts[..2] })
    }

    fn right(self, below: &Code, above: &Code, by: &Code, wide: bool) -> Code {
        let parts = [
            self.does(Binary::ShiftRight, below, by),
            self.does(Binary::ShiftLeft, above, &self.rest(by)),
            self.does(Binary::ShiftRight, above, &self.over(by)),
        ];
        self.any(if wide { &parts } else { &parts[..2] })
    }

    /// The width minus an amount; larger amounts become larger than any width.
    fn rest(self, by: &Code) -> Code {
        self.does(Binary::Subtract, &self.int(32), by)
    }

    fn over(self, by: &Code) -> Code {
        self.does(Binary::Subtract, by, &self.int(32))
    }

    /// The first code if the condition holds, otherwise the second.
    fn choice(self, condition: Code, first: Code, second: Code) -> Code {
        let mut code = condition;
        code.push((Atom::Unless(first.len() as u32 + 1), self.span));
        code.extend(first);
        code.push((Atom::Jump(second.len() as u32), self.span));
        code.extend(second);
        code
    }

    fn any(self, parts: &[Code]) -> Code {
        let sum = parts[1..].iter();
        sum.fold(parts[0].clone(), |sum, part| self.does(Binary::Or, &sum, part))
    }

    /// The bitwise function of three operands with an eight-bit truth table, in its shortest form.
    fn table(self, table: u8, operands: [&Code; 3]) -> Code {
        const COLUMNS: [u8; 3] = [0xf0, 0xcc, 0xaa];
        const OPERATORS: [Binary; 3] = [Binary::And, Binary::Or, Binary::Xor];
        let on = |operator, a: u8, b: u8| match operator {
            Binary::And => a & b,
            Binary::Or => a | b,
            _ => a ^ b,
        };
        let zeros = operands.iter().zip(COLUMNS).filter(|(code, _)| literal(code) == Some(0));
        let seen = zeros.fold(0xff, |seen: u8, (_, column)| seen & !column);
        let is = |made: u8| (made ^ table) & seen == 0;
        if is(0) {
            return self.int(0);
        }
        for inverted in 0..8_usize {
            let column = |at: usize| COLUMNS[at] ^ if inverted >> at & 1 == 1 { 0xff } else { 0 };
            let code = |at: usize| match inverted >> at & 1 {
                1 => self.not(operands[at]),
                _ => operands[at].clone(),
            };
            if let Some(at) = (0..3).find(|&at| is(column(at))) {
                return code(at);
            }
            for (a, b, c) in [(0, 1, 2), (1, 2, 0), (0, 2, 1)] {
                for first in OPERATORS {
                    let pair = on(first, column(a), column(b));
                    if is(pair) {
                        return self.does(first, &code(a), &code(b));
                    }
                    if let Some(then) =
                        OPERATORS.into_iter().find(|&then| is(on(then, pair, column(c))))
                    {
                        return self.does(then, &self.does(first, &code(a), &code(b)), &code(c));
                    }
                }
            }
        }
        let rows = (0..8).filter(|row| table >> row & 1 == 1).map(|row| {
            let mut columns = (0..3).map(|at| match row >> (2 - at) & 1 {
                0 => self.not(operands[at]),
                _ => operands[at].clone(),
            });
            let first = columns.next().unwrap_or_default();
            columns.fold(first, |all, column| self.does(Binary::And, &all, &column))
        });
        self.any(&rows.collect::<Vec<_>>())
    }
}

impl Parser<'_> {
    /// A machine instruction that computes, if the parsed head is one.
    pub(super) fn sum_of_sass(
        &mut self,
        head: &Name,
        start: Span,
    ) -> Option<Parsed<StatementKind>> {
        computes(&head.text).then(|| self.sass_made(head, start))
    }

    fn sass_made(&mut self, head: &Name, start: Span) -> Parsed<StatementKind> {
        let mut operands = Vec::new();
        loop {
            operands.push(self.sass_operand()?);
            if !self.eat(",") {
                break;
            }
        }
        if self.is("{") {
            self.skip_operands();
        }
        let maker = Maker { span: head.span, bits: 32 };
        let made = results(maker, &head.text, &operands);
        let mut made = made.unwrap_or_else(|| forgotten(&head.text, &operands));
        // All results are computed from the old contents of the registers.
        let text = self.text;
        let reads = |(_, code): &Made, (name, _): &Made| {
            let name = name.as_ref().map(|name| name.text.as_str());
            code.iter().flatten().any(|(atom, span)| {
                let read = crate::lexer::slice(text, *span);
                match atom {
                    Atom::Name => name == Some(read),
                    Atom::NextName => name == next_register(read).as_deref(),
                    _ => false,
                }
            })
        };
        if let [first, second] = &made[..]
            && reads(second, first)
        {
            if reads(first, second) {
                made = made.into_iter().map(|(name, _)| (name, None)).collect();
            } else {
                made.swap(0, 1);
            }
        }
        let span = self.since(start);
        let statements = made.into_iter().filter_map(|(name, code)| {
            let name = name?;
            let kind = match code {
                Some(code) => self.sum_made(head, Some(name), Expression { code, span }, start),
                None => StatementKind::Forget(alloc::vec![name]),
            };
            Some(Statement { span, kind })
        });
        Ok(StatementKind::Several(statements.collect()))
    }

    /// `R0.reuse`, `-R2`, `~R3`, `!P0`, `0x10`, `c[0x0][0x28]`.
    fn sass_operand(&mut self) -> Parsed<Operand> {
        let sign = match self.word() {
            sign @ ("-" | "~" | "!") => Some((sign, self.advance())),
            _ => None,
        };
        let word = self.word();
        let number = self.kind() == Some(crate::lexer::Kind::Number);
        if !number && !self.is_word() || self.word_ahead(1) == "[" {
            let plain = Vec::new();
            self.skip_operand();
            return Ok(Operand { name: None, predicate: false, negated: false, code: None, plain });
        }
        let here = self.here();
        let plain = self.register_or_value()?.code;
        let mut known = true;
        if self.is(".") {
            known = self.word_ahead(1) == "reuse";
            self.skip_operand();
        }
        let maker = Maker { span: here, bits: 32 };
        let code = match sign {
            Some(("-", _)) => maker.does(Binary::Subtract, &maker.int(0), &plain),
            Some(("~", _)) => maker.not(&plain),
            Some((_, place)) => {
                let mut code = plain.clone();
                code.push((Atom::Unary(Unary::Not), place));
                code
            }
            None => plain.clone(),
        };
        let named = matches!(plain[..], [(Atom::Name, _)]) && sign.is_none();
        Ok(Operand {
            name: named.then(|| Name { text: word.into(), span: here }),
            predicate: is_predicate(word),
            negated: sign.is_some_and(|(sign, _)| sign == "-"),
            code: known.then_some(code),
            plain,
        })
    }
}

/// The register after one: `UR7` after `UR6`.
pub(crate) fn next_register(name: &str) -> Option<alloc::string::String> {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number: u32 = digits.parse().ok()?;
    Some(format!("{}{}", name.strip_suffix(digits)?, number.checked_add(1)?))
}

/// The same register, or the next one.
fn following(name: &Option<Name>) -> Option<Name> {
    let name = name.as_ref()?;
    Some(Name { text: next_register(&name.text)?, span: name.span })
}

/// The results of an unknown form: the leading predicates and register, and the registers that it fills.
fn forgotten(head: &str, operands: &[Operand]) -> Vec<Made> {
    let register = operands.iter().position(|operand| !operand.predicate).unwrap_or(0);
    let results = operands
        .iter()
        .enumerate()
        .take_while(|&(at, operand)| operand.predicate || at == register && !head.contains("SETP"));
    let mut made: Vec<Made> = results.map(|(_, one)| (one.name.clone(), None)).collect();
    let has = |parts: &[&str]| head.split('.').any(|part| parts.contains(&part));
    let more = match () {
        () if has(&["128"]) => 3,
        () if has(&["64", "WIDE", "F64", "S64", "U64"]) => 1,
        () if head == "CS2R" || head.starts_with('D') => 1,
        () => 0,
    };
    let mut last = operands.get(register).and_then(|one| one.name.clone());
    for _ in 0..more {
        last = following(&last);
        made.push((last.clone(), None));
    }
    made
}

/// The results of an instruction; `None` if its form is unknown.
fn results(maker: Maker, head: &str, operands: &[Operand]) -> Option<Vec<Made>> {
    let mut parts = head.split('.');
    let what = known(parts.next()?)?;
    let modifiers: Vec<&str> = parts.collect();
    let has = |modifier: &str| modifiers.contains(&modifier);
    let only = |allowed: &[&str]| modifiers.iter().all(|one| allowed.contains(one));
    let places = operands.iter().take_while(|one| one.predicate).count();
    let (front, rest) = operands.split_at(places);
    let bit = Maker { bits: 1, ..maker };
    let code = |list: &[Operand], at: usize| list.get(at)?.code.clone();
    let name = |list: &[Operand], at: usize| list.get(at).and_then(|one| one.name.clone());
    if matches!(what, "ISETP" | "PLOP3") {
        // The second predicate is the negated comparison, combined in the same way.
        let [first, second, sources @ ..] = operands else { return None };
        let source = |at| code(sources, at);
        let both = |of: [Code; 2]| {
            let [one, other] = of.map(Some);
            alloc::vec![(first.name.clone(), one), (second.name.clone(), other)]
        };
        if what == "PLOP3" {
            let inputs = [source(0)?, source(1)?, source(2)?];
            let [a, b, c] = &inputs;
            let table = |at| Some(bit.table(u8::try_from(literal(&source(at)?)?).ok()?, [a, b, c]));
            return only(&["LUT"]).then(|| Some(both([table(3)?, table(4)?])))?;
        }
        let of = |table: &[(&str, Binary)], part: &str| {
            table.iter().find(|(one, _)| part.eq_ignore_ascii_case(one)).map(|&(_, it)| it)
        };
        let compare = modifiers.first().and_then(|part| of(&COMPARISONS, part))?;
        let rest = &modifiers[1..];
        let known = |part: &&str| matches!(*part, "U32" | "EX") || of(&JOINS, part).is_some();
        let join = rest.iter().find_map(|part| of(&JOINS, part)).unwrap_or(Binary::And);
        if !rest.iter().all(known) || operands.len() > 6 {
            return None;
        }
        let (a, b, joined) = (source(0)?, source(1)?, source(2)?);
        let plain = |operator| maker.of(Does::Plain(operator), !has("U32"), &a, &b);
        let value = if has("EX") {
            // The upper halves decide, or they are equal and the lower halves decide.
            let strict = match compare {
                Binary::Equal => bit.int(0),
                Binary::LessOrEqual => plain(Binary::Less),
                Binary::GreaterOrEqual => plain(Binary::Greater),
                other => plain(other),
            };
            let below = bit.does(Binary::And, &plain(Binary::Equal), &source(3)?);
            bit.does(Binary::Or, &strict, &below)
        } else {
            plain(compare)
        };
        let joined = |value: &Code| match (join, literal(&joined)) {
            (Binary::And, Some(1)) => value.clone(),
            _ => bit.does(join, value, &joined),
        };
        return Some(both([joined(&value), joined(&bit.not(&value))]));
    }
    // Other computations have one register, after a predicate of LOP3 and before carry predicates.
    let (target, sources) = rest.split_first()?;
    let carries = sources.iter().take_while(|one| one.predicate).count();
    let (outs, sources) = sources.split_at(carries);
    let out = outs.iter().chain(front).any(|one| one.name.is_some());
    let source = |at| code(sources, at);
    let single = |code: Code| Some(alloc::vec![(target.name.clone(), Some(code))]);
    let plain = if out { None } else { Some(()) };
    if what != "LOP3" && !front.is_empty() {
        return None;
    }
    match what {
        "R2UR" if only(&[]) => plain.and_then(|()| single(source(0)?)),
        "VIADD" if only(&[]) => plain.and_then(|()| single(maker.sum(&[&source(0)?, &source(1)?]))),
        "SEL" if only(&[]) => {
            plain.and_then(|()| single(maker.choice(source(2)?, source(0)?, source(1)?)))
        }
        "IMNMX" | "VIMNMX" if only(&["U32", "S32"]) => {
            plain?;
            let (a, b) = (source(0)?, source(1)?);
            let of = |what| maker.of(Does::Plain(what), !has("U32"), &a, &b);
            single(maker.choice(source(2)?, of(Binary::Least), of(Binary::Most)))
        }
        "SGXT" if only(&["U32"]) => {
            plain?;
            let by = maker.rest(&source(1)?);
            let top = maker.does(Binary::ShiftLeft, &source(0)?, &by);
            single(maker.of(Does::Plain(Binary::ShiftRight), !has("U32"), &top, &by))
        }
        "LOP3" if only(&["LUT"]) => {
            let inputs = [source(0)?, source(1)?, source(2)?];
            let [a, b, c] = &inputs;
            let value = maker.table(u8::try_from(literal(&source(3)?)?).ok()?, [a, b, c]);
            // The predicate is whether the result is nonzero, combined with the last operand.
            let never = sources.get(4).is_none_or(|one| {
                matches!(one.code.as_deref(), Some([(Atom::Int(1), _), (Atom::Unary(_), _)]))
            });
            let some = never.then(|| maker.does(Binary::NotEqual, &value, &maker.int(0)));
            if outs.is_empty() { Some(()) } else { None }?;
            Some(alloc::vec![(name(front, 0), some), (target.name.clone(), Some(value))])
        }
        "IADD3" if only(&["X"]) => {
            let (a, b, c) = (source(0)?, source(1)?, source(2)?);
            let carried = match has("X") {
                true => [source(3)?, source(4).unwrap_or_else(|| maker.int(0))],
                false => [maker.int(0), maker.int(0)],
            };
            // `!PT` is always false.
            let [first, second] = carried.map(|code| match code[..] {
                [(Atom::Int(1), _), (Atom::Unary(_), _)] => maker.int(0),
                _ => code,
            });
            let value = maker.sum(&[&a, &b, &c, &first, &second]);
            let terms: Vec<&Operand> =
                sources[..3].iter().filter(|one| literal(&one.plain) != Some(0)).collect();
            let carry = match terms[..] {
                [one, other] if one.negated != other.negated && !has("X") => {
                    let (from, taken) = if one.negated { (other, one) } else { (one, other) };
                    Some(maker.does(Binary::GreaterOrEqual, &from.plain, &taken.plain))
                }
                _ if terms.len() < 3 && terms.iter().all(|one| !one.negated) => {
                    let sum = maker.sum(&[&a, &b, &c]);
                    let part = terms.first().and_then(|one| one.code.clone()).unwrap_or_default();
                    let over = maker.does(Binary::Less, &sum, &part);
                    let last = maker.does(Binary::Less, &value, &first);
                    let over = if terms.len() == 2 { over } else { maker.int(0) };
                    let known = literal(&second) == Some(0);
                    known.then(|| bit.does(Binary::Or, &over, &last))
                }
                _ => None,
            };
            match outs {
                _ if !out => single(value),
                [_] | [_, Operand { name: None, .. }] => Some(alloc::vec![
                    (outs[0].name.clone(), carry),
                    (target.name.clone(), Some(value))
                ]),
                _ => None,
            }
        }
        "IMAD" => {
            plain?;
            let (a, b, c) = (source(0)?, source(1)?, source(2)?);
            let zero = [&a, &b].iter().any(|one| literal(one) == Some(0));
            let product = match (literal(&a), literal(&b)) {
                _ if zero => maker.int(0),
                (Some(1), _) => b.clone(),
                (_, Some(1)) => a.clone(),
                _ => maker.does(Binary::Multiply, &a, &b),
            };
            let low = maker.sum(&[&product, &c]);
            let high = match zero {
                true => maker.int(0),
                false => maker.of(Does::High, !has("U32"), &a, &b),
            };
            if only(&["U32", "MOV", "SHL", "IADD"]) {
                return single(low);
            }
            if only(&["X", "U32"]) {
                return single(maker.sum(&[&low, &source(3)?]));
            }
            // The summand is a pair of registers in both forms.
            if !only(&["HI", "U32"]) && !only(&["WIDE", "U32"]) {
                return None;
            }
            let above = match c[..] {
                [(Atom::Int(0), _)] => maker.int(0),
                [(Atom::Name, span)] => alloc::vec![(Atom::NextName, span)],
                _ => return None,
            };
            let carry = maker.does(Binary::Less, &low, &c);
            let carry = if literal(&c) == Some(0) { maker.int(0) } else { carry };
            let upper = maker.sum(&[&high, &above, &carry]);
            if has("HI") {
                return single(upper);
            }
            Some(alloc::vec![
                (target.name.clone(), Some(low)),
                (following(&target.name), Some(upper)),
            ])
        }
        "LEA" if only(&["HI", "X"]) && (has("HI") || !has("X")) => {
            let (a, b, third) = (source(0)?, source(1)?, source(2)?);
            if !has("HI") {
                if out && sources[1].negated {
                    return None;
                }
                let moved = match literal(&third) {
                    // The rank of a CTA is in the bits above the address of its shared memory.
                    Some(0x18) if !out => {
                        let mut code = b;
                        code.extend(a);
                        code.push((Atom::Remote, maker.span));
                        return single(code);
                    }
                    Some(0) => a,
                    _ => maker.does(Binary::ShiftLeft, &a, &third),
                };
                let value = maker.sum(&[&moved, &b]);
                let carry = maker.does(Binary::Less, &value, &moved);
                let carry = (outs.len() < 2).then_some(carry);
                let carry = outs.first().map(|one| (one.name.clone(), carry));
                return Some(carry.into_iter().chain(single(value)?).collect());
            }
            plain?;
            let carried = if has("X") { source(4)? } else { maker.int(0) };
            let moved = maker.left(true, &a, &third, &source(3)?, false);
            single(maker.sum(&[&moved, &b, &carried]))
        }
        "SHF" => {
            plain?;
            let (below, mut by, above) = (source(0)?, source(1)?, source(2)?);
            let (left, high, wide) = (has("L"), has("HI"), has("U64") || has("S64"));
            let signed = has("S32") || has("S64");
            if !only(&["L", "R", "W", "HI", "U32", "S32", "U64", "S64"]) || left == has("R") {
                return None;
            }
            let limit = if wide { 63 } else { 31 };
            by = match (has("W"), literal(&by)) {
                (_, Some(by)) if (0..=limit).contains(&by) => maker.int(by),
                (true, _) => maker.does(Binary::And, &by, &maker.int(limit)),
                (false, _) => maker.does(Binary::Least, &by, &maker.int(limit + 1)),
            };
            single(match (left, high) {
                (true, _) => maker.left(high, &below, &above, &by, wide),
                (false, true) => maker.of(Does::Plain(Binary::ShiftRight), signed, &above, &by),
                // The sign bit of the upper half is shifted in only for amounts beyond the width.
                (false, false) if wide && signed && literal(&by).is_none_or(|by| by > 32) => {
                    return None;
                }
                (false, false) => maker.right(&below, &above, &by, wide),
            })
        }
        _ => None,
    }
}
