//! Expressions. From lowest to highest precedence: `? :`, `||`, `&&`, comparisons (which do not chain), `|`, `^`, `&`,
//! shifts, `+ -`, `* / %`, and the prefixes `- ! ~`. In C functions and kernels, comparisons bind tighter than `|`, `^`
//! and `&`, as in C.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::lexer::{self, Kind};
use crate::vocabulary::opencl;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

type Code = Vec<(Atom, Span)>;

/// The message for `sizeof`.
const SIZE_OF: &str =
    "`sizeof` is not supported: the size of a named barrier is implementation-defined";

/// Precedence of comparisons.
const COMPARISON: u8 = 3;

/// Precedence of `+` and `-`.
pub(super) const STRENGTH_OF_SUMS: u8 = 8;

fn binary(operator: &str) -> Option<(u8, Binary)> {
    Some(match operator {
        "==" => (COMPARISON, Binary::Equal),
        "!=" => (COMPARISON, Binary::NotEqual),
        "<" => (COMPARISON, Binary::Less),
        "<=" => (COMPARISON, Binary::LessOrEqual),
        ">" => (COMPARISON, Binary::Greater),
        ">=" => (COMPARISON, Binary::GreaterOrEqual),
        "|" => (4, Binary::Or),
        "^" => (5, Binary::Xor),
        "&" => (6, Binary::And),
        "<<" => (7, Binary::ShiftLeft),
        ">>" => (7, Binary::ShiftRight),
        "+" => (STRENGTH_OF_SUMS, Binary::Add),
        "-" => (STRENGTH_OF_SUMS, Binary::Subtract),
        "*" => (9, Binary::Multiply),
        "/" => (9, Binary::Divide),
        "%" => (9, Binary::Remainder),
        "//" => (9, Binary::FloorDivide),
        _ => return None,
    })
}

/// The operator of `+=` and similar assignments.
pub(crate) fn assignment(operator: &str) -> Option<Binary> {
    operator.strip_suffix('=').and_then(binary).map(|(_, operator)| operator)
}

/// The precedence in C of an operator with this precedence here.
const fn in_c(strength: u8) -> u8 {
    match strength {
        COMPARISON => 6,
        4..=6 => strength - 1,
        other => other,
    }
}

impl Parser<'_> {
    /// The precedence of a binary operator, and the operator.
    pub(super) fn binary(&self, word: &str) -> Option<(u8, Binary)> {
        let (strength, operator) = binary(word)?;
        Some(match operator {
            _ if self.of_c => (in_c(strength), operator),
            Binary::Remainder if self.of_python => (strength, Binary::FloorRemainder),
            _ => (strength, operator),
        })
    }

    /// An expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let mut code = Code::new();
        self.conditional(&mut code)?;
        Ok(Expression { code, span: self.since(start) })
    }

    pub(super) fn conditional(&mut self, code: &mut Code) -> Parsed<()> {
        self.binary_from(0, code)?;
        if !self.is("?") {
            return Ok(());
        }
        let span = self.advance();
        let unless = placeholder(code, span);
        self.deeper(|parser| parser.conditional(code))?;
        self.expect(":")?;
        let jump = placeholder(code, span);
        patch(code, unless, Atom::Unless);
        self.deeper(|parser| parser.conditional(code))?;
        patch(code, jump, Atom::Jump);
        Ok(())
    }

    /// Operators with at least the precedence `level`: 1 is `||`, 2 is `&&`.
    pub(super) fn binary_from(&mut self, level: u8, code: &mut Code) -> Parsed<()> {
        self.prefix(code)?;
        let mut compared = false;
        loop {
            let (word, span) = (self.word(), self.here());
            match word {
                "--" | "++" if level <= STRENGTH_OF_SUMS && self.begins_operand(1) => {
                    self.twice(word, span, code)?
                }
                "||" if level <= 1 => self.lazy(2, Atom::Or, code)?,
                "&&" if level <= 2 => self.lazy(3, Atom::And, code)?,
                _ => {
                    let Some((strength, operator)) =
                        self.binary(word).filter(|&(strength, _)| strength >= level)
                    else {
                        return Ok(());
                    };
                    let compares = binary(word).is_some_and(|found| found.0 == COMPARISON);
                    if compares && compared {
                        return self.error(
                            "comparison-chain",
                            span,
                            "comparisons cannot be chained: use `&&`",
                        );
                    }
                    compared = compares;
                    self.advance();
                    self.skip_newlines();
                    self.binary_from(strength + 1, code)?;
                    code.push((Atom::Binary(operator), span));
                }
            }
        }
    }

    /// Whether a value starts at an offset.
    fn begins_operand(&self, ahead: usize) -> bool {
        let kind = self.peek(ahead).map(|token| token.kind);
        matches!(kind, Some(Kind::Word | Kind::Number)) || self.word_ahead(ahead) == "("
    }

    /// `a--b` and `a++b`: the operator, and the sign of its operand.
    fn twice(&mut self, word: &str, span: Span, code: &mut Code) -> Parsed<()> {
        self.advance();
        self.binary_from(STRENGTH_OF_SUMS + 1, code)?;
        if word == "--" {
            code.push((Atom::Unary(Unary::Negate), span));
        }
        let operator = if word == "--" { Binary::Subtract } else { Binary::Add };
        code.push((Atom::Binary(operator), span));
        Ok(())
    }

    fn lazy(&mut self, level: u8, atom: fn(u32) -> Atom, code: &mut Code) -> Parsed<()> {
        let span = self.advance();
        let jump = placeholder(code, span);
        self.skip_newlines();
        self.binary_from(level, code)?;
        code.push((Atom::Truth, span));
        patch(code, jump, atom);
        Ok(())
    }

    fn prefix(&mut self, code: &mut Code) -> Parsed<()> {
        if self.is("&") && self.peek(1).is_some_and(|token| token.kind == Kind::Word) {
            let span = self.advance();
            let span = Span { length: span.length + self.here().length, ..span };
            self.primary(code)?;
            code.push((Atom::Address, span));
            return Ok(());
        }
        if self.is("--") && !self.of_c {
            // Two minus signs: the scenario language has no decrement within expressions.
            let span = self.advance();
            self.deeper(|parser| parser.prefix(code))?;
            code.extend([(Atom::Unary(Unary::Negate), span); 2]);
            return Ok(());
        }
        let casts = self.cast();
        if !casts.is_empty() {
            let span = self.here();
            self.deeper(|parser| parser.prefix(code))?;
            code.extend(casts.into_iter().rev().map(|to| (Atom::Convert(to), span)));
            return Ok(());
        }
        let operator = match self.word() {
            "-" => Unary::Negate,
            "!" => Unary::Not,
            "~" => Unary::Complement,
            _ => return self.primary(code),
        };
        let span = self.advance();
        if operator == Unary::Negate && self.kind() == Some(Kind::Number) && !self.of_c {
            return self.integer(true, span, code);
        }
        self.deeper(|parser| parser.prefix(code))?;
        code.push((Atom::Unary(operator), span));
        Ok(())
    }

    pub(super) fn primary(&mut self, code: &mut Code) -> Parsed<()> {
        match self.kind() {
            Some(Kind::Number) => self.integer(false, self.here(), code),
            Some(Kind::Word) => self.named(code),
            _ if self.is("(") => {
                self.advance();
                self.deeper(|parser| parser.conditional(code))?;
                self.expect(")").map(drop)
            }
            // LLVM marks globals and registers.
            _ if (self.is("@") || self.is("%"))
                && self.peek(1).is_some_and(|token| token.kind == Kind::Word) =>
            {
                self.advance();
                self.named(code)
            }
            _ => {
                let (found, here) = (self.described(), self.here());
                self.error(
                    "expected-expression",
                    here,
                    format!("expected a number, a name or `(`, found {found}"),
                )
            }
        }
    }

    fn integer(&mut self, negative: bool, start: Span, code: &mut Code) -> Parsed<()> {
        let (word, here) = (self.word(), self.here());
        let octal = self.of_c || self.of_registers;
        let number = if octal { lexer::number_of_c(word) } else { lexer::number(word) };
        let Some(number) = number else {
            return self.error("bad-number", here, format!("`{word}` is not a number"));
        };
        let signed = number.map(i128::from).map(|number| if negative { -number } else { number });
        // An unsigned number of 64 bits is stored as the signed number with the same bits.
        let fits = |number: i128| match octal {
            true => Some(number as i64),
            false => i64::try_from(number).ok(),
        };
        let Some(value) = signed.and_then(fits) else {
            return self.error("number-range", here, format!("{word} does not fit in 64 bits"));
        };
        self.advance();
        let span = self.since(start);
        if self.of_c {
            code.push((literal(word, value), span));
            return Ok(());
        }
        code.push((Atom::Int(value), span));
        if word.ends_with(['u', 'U']) && !negative && !self.of_registers {
            let of = if value > 0xffff_ffff { Type::Ulong } else { Type::Uint };
            code.push((Atom::Convert(of), span));
        }
        Ok(())
    }

    /// A name, an element `NAME[EXPR]`, or a call of a function that returns the position of a work-item.
    fn named(&mut self, code: &mut Code) -> Parsed<()> {
        if matches!(self.word(), "cl" | "std") && self.word_ahead(1) == "::" {
            self.advance_by(2);
        }
        let (word, span) = (self.word(), self.advance());
        if matches!(word, "min" | "max") && self.is("(") {
            return self.extreme(
                if word == "min" { Binary::Least } else { Binary::Most },
                span,
                code,
            );
        }
        if word == "static_cast" && self.is("<") {
            return self.converted(span, code);
        }
        if word == "sizeof" && self.is("(") {
            return self.error("implementation-defined", span, SIZE_OF);
        }
        if word == "move" && self.is("(") {
            // `move(…)` is the same barrier.
            self.advance();
            self.deeper(|parser| parser.conditional(code))?;
            return self.expect(")").map(drop);
        }
        if word == "mem_fence" && self.is("::") {
            return self.flag(span, code);
        }
        if let Some(value) = opencl::constant(word) {
            let typed = Atom::Literal(value, Type::of_literal(value.unsigned_abs(), false, ""));
            code.push((if self.of_c { typed } else { Atom::Int(value) }, span));
            return Ok(());
        }
        let constant = match word {
            "WARP_SZ" => Some(32),
            "True" if self.of_python => Some(1),
            "False" if self.of_python => Some(0),
            _ => None,
        };
        if let Some(value) = constant {
            code.push((Atom::Int(value), span));
            return Ok(());
        }
        if self.is("(") && (self.of_c || self.is_adjacent()) {
            return self.position(word, span, code);
        }
        if let Some(value) = self.passed.get(word) {
            code.extend(value.iter().copied());
            return Ok(());
        }
        if self.arrays.contains_key(word) {
            return self.unknown_data(word, span);
        }
        code.push((Atom::Name, span));
        if self.is("[") && self.is_adjacent() {
            self.advance();
            self.deeper(|parser| parser.conditional(code))?;
            self.expect("]")?;
            code.push((Atom::Element, span));
        }
        Ok(())
    }

    /// `min(A, B)` and `max(A, B)`, starting at the parenthesis.
    fn extreme(&mut self, operator: Binary, span: Span, code: &mut Code) -> Parsed<()> {
        self.expect("(")?;
        self.deeper(|parser| parser.conditional(code))?;
        self.expect(",")?;
        self.deeper(|parser| parser.conditional(code))?;
        self.expect(")")?;
        code.push((Atom::Binary(operator), span));
        Ok(())
    }

    /// `mem_fence::NAME`, starting at the second word.
    fn flag(&mut self, start: Span, code: &mut Code) -> Parsed<()> {
        self.advance();
        let (word, here) = (self.word(), self.here());
        let Some(&(_, value)) = opencl::FLAGS.iter().find(|(name, _)| *name == word) else {
            let suggestion = crate::suggest::instead(word, opencl::FLAGS.map(|(name, _)| name));
            return self.suggest(
                "unknown-flag",
                here,
                "expected `local`, `global` or `image` after `mem_fence::`",
                suggestion,
            );
        };
        self.advance();
        code.push((Atom::Int(value), self.since(start)));
        Ok(())
    }

    fn position(&mut self, word: &str, span: Span, code: &mut Code) -> Parsed<()> {
        if let Some(read) = self.result_of(word, span, code) {
            return read;
        }
        let Some(&(_, dimension, atoms)) =
            opencl::FUNCTIONS.iter().find(|(name, ..)| *name == word)
        else {
            let suggestion =
                crate::suggest::instead(word, opencl::FUNCTIONS.map(|(name, ..)| name));
            return self.suggest("unknown-function", span, no_value(word), suggestion);
        };
        self.expect("(")?;
        let inside = dimension.and_then(|_| self.place_in_group(word, span));
        let known = inside.is_some();
        let following = if known {
            None
        } else if let Some(other) = dimension {
            // In any dimension but the first the size is 1.
            let before = code.len();
            self.deeper(|parser| parser.conditional(code))?;
            let outside = |number| !(1..3).contains(&number);
            if !matches!(code[before..], [(Atom::Int(of) | Atom::Literal(of, _), _)] if outside(of))
            {
                self.more_dimensions = true;
                self.one_group(span);
            }
            let first = placeholder(code, span);
            code.push((Atom::Int(other), span));
            let following = placeholder(code, span);
            patch(code, first, Atom::Unless);
            Some(following)
        } else {
            None
        };
        self.expect(")")?;
        let dimensions = [Atom::Int(self.dimensions)];
        let atoms = if word == "get_work_dim" { &dimensions } else { atoms };
        code.extend(inside.unwrap_or_else(|| atoms.iter().map(|&atom| (atom, span)).collect()));
        if let Some(following) = following {
            patch(code, following, Atom::Jump);
        }
        let wide = !matches!(word, "get_work_dim") && !word.contains("sub_group");
        code.push((Atom::Convert(if wide { Type::Ulong } else { Type::Uint }), span));
        Ok(())
    }
}

/// A literal of C with its type.
fn literal(word: &str, value: i64) -> Atom {
    if word.starts_with('\'') {
        return Atom::Literal(value, Type::Int);
    }
    let digits = word.trim_end_matches(lexer::SUFFIXES);
    let decimal = digits == "0" || !digits.starts_with('0');
    Atom::Literal(value, Type::of_literal(value as u64, decimal, &word[digits.len()..]))
}

/// The message for a function whose value is unknown.
pub(crate) fn no_value(word: &str) -> String {
    match word.starts_with("work_group_") || word.starts_with("sub_group_") {
        true => format!(
            "the result of `{word}` is not modelled: write a barrier of that group instead to model its synchronisation"
        ),
        false => format!("`{word}` is not a function that returns a value"),
    }
}

fn placeholder(code: &mut Code, span: Span) -> usize {
    code.push((Atom::Jump(0), span));
    code.len() - 1
}

/// Makes a placeholder jump to here.
fn patch(code: &mut Code, at: usize, atom: fn(u32) -> Atom) {
    code[at].0 = atom((code.len() - at - 1) as u32);
}

#[cfg(test)]
mod tests {
    use super::super::cursor::Parser;
    use super::super::macros::expanded;
    use crate::expression::linear::Reach;
    use crate::expression::{Builtin, Environment, Value};

    #[derive(Default)]
    struct Nothing(Reach);
    impl Environment for Nothing {
        fn slot(&self, _: u16) -> Option<Value> {
            None
        }
        fn builtin(&self, _: Builtin) -> i64 {
            7
        }
        fn reach(&self) -> &Reach {
            &self.0
        }
    }

    fn value(text: &str) -> Option<i64> {
        value_of(Parser::new(&expanded(text)))
    }

    fn value_of(mut parser: Parser<'_>) -> Option<i64> {
        let expression = parser.expression().ok()?;
        parser.at_end().then(|| expression.number(&Nothing::default()).ok()).flatten()
    }

    #[test]
    fn precedence() {
        assert_eq!(value("1 + 2 * 3 - 4"), Some(3));
        assert_eq!(value("10 - 3 - 2"), Some(5));
        assert_eq!(value("5 & 1 == 1"), Some(1));
        assert_eq!(value("(1 & 1) ^ 1"), Some(0));
        assert_eq!(value("1 << 2 + 1"), Some(8));
        assert_eq!(value("-2 * -3 + ~0"), Some(5));
        assert_eq!(value("!0 + !5"), Some(1));
        assert_eq!(value("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(value("0 ? 1 : 2 < 3 ? 4 : 5"), Some(4));
        assert_eq!(value("1 < 2 < 3"), None);
    }

    #[test]
    fn precedence_in_c() {
        let value = |text: &str| {
            let expanded = expanded(text);
            let mut parser = Parser::new(&expanded);
            parser.of_c = true;
            value_of(parser)
        };
        assert_eq!(value("4 & 1 == 1"), Some(0));
        assert_eq!(value("6 & 2 != 0"), Some(0));
        assert_eq!(value("1 | 2 == 2 ^ 1"), Some(1));
        assert_eq!(value("3 & 5 < 6 + 1 && 1"), Some(1));
        assert_eq!(value("1 == 1 & 2 == 2"), Some(1));
        assert_eq!(value("1 == 1 == 1"), None);
        assert_eq!(value("1 << 2 + 1 | 1"), Some(9));
    }

    #[test]
    fn the_second_operand_is_evaluated_only_if_needed() {
        assert_eq!(value("0 && 1 / 0"), Some(0));
        assert_eq!(value("2 || 1 / 0"), Some(1));
        assert_eq!(value("0 || 3"), Some(1));
        assert_eq!(value("1 && 0 || 1 && 2"), Some(1));
        assert_eq!(value("1 && 1 / 0"), None);
        assert_eq!(value("1 ? 3 : 1 / 0"), Some(3));
    }

    #[test]
    fn nesting_is_bounded() {
        assert_eq!(value(&("(".repeat(60) + "1" + &")".repeat(60))), Some(1));
        assert_eq!(value(&("(".repeat(100_000) + "1")), None);
        assert_eq!(value(&("!".repeat(100_000) + "1")), None);
        assert_eq!(value(&("1".to_owned_plus(50_000))), Some(50_001));
    }

    trait Repeat {
        fn to_owned_plus(&self, times: usize) -> alloc::string::String;
    }
    impl Repeat for str {
        fn to_owned_plus(&self, times: usize) -> alloc::string::String {
            alloc::string::String::from(self) + &"+1".repeat(times)
        }
    }
}
