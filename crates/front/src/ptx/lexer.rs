//! Tokens of a PTX module.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::{Diagnostic, Span};

/// Nearly every function of the parser returns one: the error is in a box, which makes all of them smaller.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An instruction with its modifiers, a directive, a name, a special register.
    Word,
    /// An integer or the bits of a floating-point number.
    Number,
    /// A string with its quotation marks.
    Text,
    /// One character.
    Sign(u8),
    /// The end of a line.
    Line,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// Whether a byte belongs to a word.
const fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// The tokens of a text that starts at a line of a larger one.
///
/// # Errors
///
/// An unterminated comment or string.
pub(super) fn tokens(text: &str) -> Parsed<Vec<Token<'_>>> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1, begin: 0 };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while let Some(token) = lexer.next()? {
        let repeats = token.kind == Kind::Line
            && tokens.last().is_some_and(|last: &Token| last.kind == Kind::Line);
        if !repeats {
            tokens.push(token);
        }
    }
    Ok(tokens)
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    /// The first byte of the line.
    begin: usize,
}

impl<'t> Lexer<'t> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, start: usize) -> Span {
        let column = self.text.get(self.begin..start).map_or(0, |line| line.chars().count());
        Span {
            start: start as u32,
            length: (self.at - start) as u32,
            line: self.line,
            column: column as u32 + 1,
        }
    }

    fn token(&self, start: usize, kind: Kind) -> Token<'t> {
        Token { kind, text: self.text.get(start..self.at).unwrap_or(""), span: self.span(start) }
    }

    /// An integer, or a floating-point number with a point or an exponent.
    fn number(&mut self) {
        let hexadecimal = matches!(self.peek(1), b'x' | b'X');
        self.take(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let sign = matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit();
        let back = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        if sign && !hexadecimal && matches!(back, Some(b'e' | b'E')) {
            self.at += 1;
            self.take(|byte| byte.is_ascii_digit());
        }
    }

    fn next(&mut self) -> Parsed<Option<Token<'t>>> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(&byte) = self.bytes.get(start) else { return Ok(None) };
        let kind = match byte {
            b'\n' => {
                self.at += 1;
                let token = self.token(start, Kind::Line);
                self.line += 1;
                self.begin = self.at;
                return Ok(Some(token));
            }
            b'"' => return self.string(start).map(Some),
            b'0'..=b'9' => {
                self.number();
                Kind::Number
            }
            b'.' if self.peek(1).is_ascii_digit() => {
                self.number();
                Kind::Number
            }
            b'%' | b'_' | b'$' | b'.' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.at += 1;
                self.word();
                Kind::Word
            }
            _ => {
                self.at += self
                    .text
                    .get(start..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(1, char::len_utf8);
                Kind::Sign(byte)
            }
        };
        Ok(Some(self.token(start, kind)))
    }

    fn take(&mut self, has: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&byte| has(byte)) {
            self.at += 1;
        }
    }

    /// A word with its parts after `.` and `::`.
    fn word(&mut self) {
        loop {
            self.take(continues_word);
            if self.peek(0) == b':' && self.peek(1) == b':' && continues_word(self.peek(2)) {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn string(&mut self, start: usize) -> Parsed<Token<'t>> {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(self.token(start, Kind::Text));
                }
                b'\\' => self.at += 2,
                b'\n' => break,
                _ => self.at += 1,
            }
        }
        self.at = (start + 1).min(self.bytes.len());
        Err(Diagnostic::error(
            "expected-token",
            self.span(start),
            "this string has no closing `\"`",
        )
        .into())
    }

    fn skip_blanks(&mut self) -> Parsed<()> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') => self.take(|byte| byte != b'\n'),
                (b'/', b'*') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Parsed<()> {
        let start = self.at;
        let here = Span { length: 2, ..self.span(start) };
        let rest = self.text.get(start + 2..).unwrap_or("");
        let Some(length) = rest.find("*/") else {
            let message = format!("this comment has no closing `*{}`", '/');
            return Err(Diagnostic::error("expected-token", here, message).into());
        };
        for (offset, _) in rest.get(..length).unwrap_or("").match_indices('\n') {
            self.line += 1;
            self.begin = start + 3 + offset;
        }
        self.at = start + length + 4;
        Ok(())
    }
}

/// Whether a number is a floating-point number.
pub(super) fn is_float(text: &str) -> bool {
    let based = |prefix: &&str| text.starts_with(prefix);
    let bits = ["0f", "0F", "0d", "0D"].iter().any(based);
    let hexadecimal = ["0x", "0X"].iter().any(based);
    bits || !hexadecimal && text.contains(['.', 'e', 'E'])
}

/// The value of a number where decimal floating-point numbers have 32 bits.
pub(super) fn single(text: &str) -> Option<i64> {
    let written = tidegate_lang::vocabulary::ptx::float_bits(text).is_none() && is_float(text);
    let number = if written { decimal(text) } else { None };
    number.map(|number| (number as f32).to_bits().into()).or_else(|| self::number(text))
}

/// The value of a number: an integer of any base, or the bits of a floating-point number of 64 bits.
pub(super) fn number(text: &str) -> Option<i64> {
    if let Some(bits) = tidegate_lang::vocabulary::ptx::float_bits(text) {
        return Some(bits);
    }
    let digits = text.trim_end_matches(['U', 'u']);
    let (digits, base) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let whole = u64::from_str_radix(digits, base).ok().map(|number| number as i64);
    whole.or_else(|| decimal(text).map(|number| number.to_bits() as i64))
}

/// The value of a decimal floating-point number. The parser of the standard library has tables of 10 kB; without them, the
/// value is exact up to 15 digits and a power of ten of 22, and a few units in the last place away beyond that.
fn decimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut all = whole.bytes().chain(part.bytes()).peekable();
    all.peek()?;
    let shifted = all.try_fold(0.0, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10.0 + f64::from(digit - b'0'))
    })?;
    let exponent = exponent.parse::<i32>().ok()?.saturating_sub(part.len() as i32);
    let power = (0..exponent.unsigned_abs().min(400)).fold(1.0, |power, _| power * 10.0);
    Some(if exponent < 0 { shifted / power } else { shifted * power })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_one_word_with_their_modifiers() {
        let text = "@!%p1 mbarrier.try_wait.parity.shared::cta.b64 p, [%r1+8], 0x10; // end\n$L_1:";
        let tokens = tokens(text).expect("tokens");
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let wanted = [
            "@",
            "!",
            "%p1",
            "mbarrier.try_wait.parity.shared::cta.b64",
            "p",
            ",",
            "[",
            "%r1",
            "+",
            "8",
            "]",
            ",",
            "0x10",
            ";",
            "\n",
            "$L_1",
            ":",
        ];
        assert_eq!(words, wanted);
        assert_eq!((tokens[15].span.line, tokens[15].span.column), (2, 1));
    }

    #[test]
    fn comments_and_strings_end() {
        assert!(tokens("/* a\n b */ x").is_ok_and(|tokens| tokens[0].span.line == 2));
        assert!(tokens("/* a").is_err());
        assert!(tokens("\"a\nb\"").is_err());
        assert!(tokens("\"a\\").is_err());
    }

    #[test]
    fn numbers_of_every_base() {
        for (text, value) in [
            ("12", 12),
            ("0x1F", 31),
            ("0xFFFFFFFFFFFFFFFFU", -1),
            ("0b101", 5),
            ("017", 15),
            ("0", 0),
            ("0f3F800000", 0x3f80_0000),
            ("1.0", 1.0_f64.to_bits() as i64),
            ("5e-1", 0.5_f64.to_bits() as i64),
            ("2.", 2.0_f64.to_bits() as i64),
            ("3.141592653589793", core::f64::consts::PI.to_bits() as i64),
            ("0.10000000000000001", 0.1_f64.to_bits() as i64),
            ("1.25E+22", 1.25e22_f64.to_bits() as i64),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for (text, value) in
            [("1.0", 0x3f80_0000), ("2.", 0x4000_0000), ("0f3F800000", 0x3f80_0000)]
        {
            assert_eq!(single(text), Some(value), "{text}");
        }
        for text in ["12q", "1e", "e5", ".", "inf", "1.5.2"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
