//! Text to tokens. Only white space is dropped: comments, line ends and characters that start no token are kept.

use crate::diagnostic::Span;
use alloc::vec::Vec;

/// The kind of a token. Its text identifies the punctuation or word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line end.
    Newline,
    /// `//` or `#` to the end of the line, or `/* … */`.
    Comment,
    /// Letters, digits and `_`, not starting with a digit.
    Word,
    /// Letters, digits and `_`, starting with a digit; or a character of C between apostrophes.
    Number,
    /// Between quotation marks, on one line.
    Text,
    /// A string whose second quotation mark is missing.
    OpenText,
    /// An operator, a bracket or a separator.
    Punctuation,
    /// Characters that start no token.
    Bad,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Punctuation of two characters; all others have one or three.
const PAIRS: [&str; 20] = [
    "..", "::", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=",
    "&=", "|=", "++", "--",
];

/// Punctuation of three characters.
const TRIPLES: [&str; 2] = ["<<=", ">>="];

const SINGLES: &str = "{}()[]<>=!+-*/%&|^~?:;,.@";

/// The part of the text that a span covers.
pub(crate) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..(span.start + span.length) as usize).unwrap_or("")
}

/// The text of the token with this index; empty if there is none.
pub(crate) fn word<'t>(text: &'t str, tokens: &[Token], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| slice(text, token.span))
}

/// The tokens of a text of less than 4 GiB, in order.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        rest: text,
        at: Span { line: 1, column: 1, ..Span::default() },
        tokens: Vec::new(),
        no_more_ends: false,
        python: text.contains("tlx."),
        line: Line::default(),
    };
    while let Some(first) = lexer.rest.chars().next() {
        lexer.token(first);
    }
    lexer.tokens
}

struct Lexer<'a> {
    rest: &'a str,
    at: Span,
    tokens: Vec<Token>,
    /// Whether no `*/` follows.
    no_more_ends: bool,
    /// Whether the text has calls of TLX, in which `//` may divide.
    python: bool,
    line: Line,
}

/// The state of the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Parentheses and brackets that are open.
    open: u32,
    /// Whether a value has begun: after `=`, or after a word that precedes a condition or a range.
    value: bool,
    /// Whether the last token ends an operand.
    operand: bool,
}

impl Line {
    fn take(&mut self, kind: Kind, text: &str) {
        match (kind, text) {
            (Kind::Newline, _) | (_, ";" | "{" | "}") => *self = Self::default(),
            (_, "(" | "[") => self.open += 1,
            (_, ")" | "]") => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        let begins = matches!(text, "if" | "while" | "in" | "elif" | "return");
        self.value |= begins || text.ends_with('=') && kind == Kind::Punctuation;
        let ends = matches!(kind, Kind::Word | Kind::Number) && !begins;
        self.operand = ends || matches!(text, ")" | "]");
    }
}

/// Whether the rest of a line is an expression: operands separated by operators.
fn continues_as_expression(text: &str) -> bool {
    let end = text.find(['\n', ';', '{', '#']).unwrap_or(text.len());
    let mut operand = false;
    let mut word = false;
    for c in text[..end].chars() {
        let in_word = is_word(c);
        if in_word && !word && operand {
            return false;
        }
        if !in_word && !c.is_whitespace() && !"()[]<>=!+-*/%&|^~,.:".contains(c) {
            return false;
        }
        if in_word || matches!(c, ')' | ']') {
            operand = true;
        } else if !c.is_whitespace() {
            operand = false;
        }
        word = in_word;
    }
    operand
}

impl Lexer<'_> {
    fn token(&mut self, first: char) {
        let (kind, length) = match first {
            '\n' => (Kind::Newline, 1),
            // Some editors start a file with a byte order mark.
            _ if first.is_whitespace() || first == '\u{feff}' => {
                return self.skip(first.len_utf8());
            }
            '#' => (Kind::Comment, self.until_directive_end()),
            '/' if let Some(length) = self.block_comment() => (Kind::Comment, length),
            '/' if self.rest.starts_with("//") && self.divides() => (Kind::Punctuation, 2),
            '/' if self.rest.starts_with("//") => (Kind::Comment, self.until_line_end()),
            '"' => self.text(),
            '\'' if let Some(length) = self.character() => (Kind::Number, length),
            _ if is_word(first) => {
                let kind = if first.is_ascii_digit() { Kind::Number } else { Kind::Word };
                (kind, self.while_all(is_word))
            }
            _ if SINGLES.contains(first)
                || PAIRS.iter().any(|pair| self.rest.starts_with(pair)) =>
            {
                let is = |length, list: &[&str]| {
                    self.rest.get(..length).is_some_and(|word| list.contains(&word))
                };
                let length = match () {
                    () if is(3, &TRIPLES) => 3,
                    () if is(2, &PAIRS) => 2,
                    () => 1,
                };
                (Kind::Punctuation, length)
            }
            _ => (Kind::Bad, self.while_all(is_bad)),
        };
        let span = Span { length: length as u32, ..self.at };
        self.line.take(kind, &self.rest[..length]);
        self.tokens.push(Token { kind, span });
        self.skip(length);
    }

    /// Whether `//` divides, as in Python: in a text with calls of TLX, after an operand, between brackets or if the rest of a
    /// value is an expression.
    fn divides(&self) -> bool {
        let Line { open, value, operand } = self.line;
        self.python && operand && (open > 0 || value && continues_as_expression(&self.rest[2..]))
    }

    fn skip(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.at.start += length as u32;
        if let Some(last) = taken.rfind('\n') {
            self.at.line += taken.matches('\n').count() as u32;
            self.at.column = taken[last + 1..].chars().count() as u32 + 1;
        } else {
            self.at.column += taken.chars().count() as u32;
        }
    }

    fn while_all(&self, holds: impl Fn(char) -> bool) -> usize {
        self.rest.find(|c| !holds(c)).unwrap_or(self.rest.len())
    }

    /// The length up to the end of the line, excluding a carriage return.
    fn until_line_end(&self) -> usize {
        let length = self.while_all(|c| c != '\n');
        self.rest[..length].trim_end().len()
    }

    /// The length of a line that begins with `#`, which a backslash at its end continues.
    fn until_directive_end(&self) -> usize {
        let mut length = self.until_line_end();
        let defines = self.rest[1..].trim_start().starts_with("define");
        while defines && self.rest[..length].ends_with('\\') {
            let Some(line) = self.rest[length..].find('\n') else { break };
            let following = &self.rest[length + line + 1..];
            let next = following.find('\n').unwrap_or(following.len());
            length += line + 1 + following[..next].trim_end().len();
            if following[..next].trim_end().is_empty() {
                break;
            }
        }
        length
    }

    /// The length of `/* … */`, possibly over several lines; `None` if it has no end.
    fn block_comment(&mut self) -> Option<usize> {
        let inside = self.rest.strip_prefix("/*").filter(|_| !self.no_more_ends)?;
        let length = inside.find("*/").map(|length| length + 4);
        self.no_more_ends = length.is_none();
        length
    }

    /// The length of a character literal of C.
    fn character(&self) -> Option<usize> {
        let inner = self.rest.strip_prefix('\'')?;
        let begin = if inner.starts_with('\\') { 2 } else { 1 };
        let end = begin + inner.get(begin..)?.find('\'')?;
        character_of_c(&inner[..end]).map(|_| end + 2)
    }

    fn text(&self) -> (Kind, usize) {
        let mut escaped = false;
        for (offset, c) in self.rest.char_indices().skip(1) {
            match c {
                '\n' => return (Kind::OpenText, self.until_line_end()),
                '"' if !escaped => return (Kind::Text, offset + 1),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        (Kind::OpenText, self.until_line_end())
    }
}

/// Whether a character is a letter, a digit, `_`, or the `$` with which PTX compilers start labels.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn is_bad(c: char) -> bool {
    !(c.is_whitespace() || is_word(c) || SINGLES.contains(c) || c == '"' || c == '#')
}

/// The letters of the suffixes of C.
pub(crate) const SUFFIXES: [char; 4] = ['u', 'U', 'l', 'L'];

/// The value of a literal number: decimal, `0x` or `0b`, with `_` after the first digit, and the suffixes `u` and `l` of C.
/// `None`: not a number. `Some(None)`: it does not fit in 64 bits.
pub(crate) fn number(text: &str) -> Option<Option<u64>> {
    let text = text.trim_end_matches(SUFFIXES);
    let (digits, radix) = match text.get(..2) {
        Some("0x" | "0X") => (&text[2..], 16),
        Some("0b" | "0B") => (&text[2..], 2),
        _ => (text, 10),
    };
    let mut value = Some(0_u64);
    let mut any = false;
    for c in digits.chars().filter(|&c| c != '_') {
        let digit = u64::from(c.to_digit(radix)?);
        value = value.and_then(|value| value.checked_mul(u64::from(radix))?.checked_add(digit));
        any = true;
    }
    any.then_some(value)
}

/// The value of a literal number of C, in which a leading zero means octal, or of a character.
pub(crate) fn number_of_c(text: &str) -> Option<Option<u64>> {
    if let Some(character) = text.strip_prefix('\'') {
        return Some(Some(character_of_c(character.strip_suffix('\'')?)? as u64));
    }
    let digits = text.trim_end_matches(SUFFIXES);
    if digits.len() < 2
        || !digits.starts_with('0')
        || digits.contains(|c: char| !c.is_ascii_digit())
    {
        return number(text);
    }
    let octal = digits.bytes().all(|digit| digit < b'8');
    octal.then(|| u64::from_str_radix(digits, 8).ok())
}

/// The value of a character or an escape sequence of C; `char` is signed.
fn character_of_c(text: &str) -> Option<i64> {
    let Some(escape) = text.strip_prefix('\\') else {
        return text.parse::<char>().ok().filter(char::is_ascii).map(|c| i64::from(c as u32));
    };
    let signed = |code: u8| i64::from(code as i8);
    if let Some(digits) = escape.strip_prefix('x') {
        return u8::from_str_radix(digits, 16).ok().map(signed);
    }
    Some(match escape {
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "n" => 10,
        "r" => 13,
        "t" => 9,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => i64::from(escape.as_bytes()[0]),
        _ => return u8::from_str_radix(escape, 8).ok().map(signed),
    })
}

/// The contents of a string literal: `\n` is a line end, any other escaped character is itself.
pub(crate) fn unquote(text: &str) -> alloc::string::String {
    let inner =
        text.strip_prefix('"').map_or(text, |inner| inner.strip_suffix('"').unwrap_or(inner));
    let mut said = alloc::string::String::with_capacity(inner.len());
    let mut escaped = false;
    for c in inner.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            'n' if escaped => (escaped, _) = (false, said.push('\n')),
            _ => (escaped, _) = (false, said.push(c)),
        }
    }
    said
}

#[cfg(test)]
mod division {
    use super::{Kind, lex, slice};
    use alloc::format;

    fn divides(text: &str) -> bool {
        let is = |token: &super::Token| {
            token.kind == Kind::Punctuation && slice(text, token.span) == "//"
        };
        lex(text).iter().any(is)
    }

    #[test]
    fn two_slashes_divide_in_texts_of_tlx() {
        for line in
            ["let turn = k // STAGES", "f(k // 2)", "turn = (k // 2) & 1", "if k // 2 == 1 {"]
        {
            assert!(divides(&format!("tlx.x()\n{line}\n")), "{line}");
            assert!(!divides(&format!("{line}\n")), "{line}");
        }
    }

    #[test]
    fn other_slashes_begin_a_comment() {
        for line in [
            "// k / 2",
            "tlx.barrier_wait(full[0], 0)  // the first",
            "load tile // 2",
            "let k = 3  // three of them",
            "let k = 3  // don't",
            "wave 0 { // 2",
        ] {
            assert!(!divides(&format!("tlx.x()\n{line}\n")), "{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        lex(text).into_iter().map(|token| slice(text, token.span)).collect()
    }

    #[test]
    fn punctuation_is_taken_in_pairs_first() {
        assert_eq!(words("a[0..64]<=-1"), ["a", "[", "0", "..", "64", "]", "<=", "-", "1"]);
        assert_eq!(words("\u{feff}a"), ["a"]);
        assert_eq!(words("x.y::z //c\r\n#d"), ["x", ".", "y", "::", "z", "//c", "\n", "#d"]);
    }

    #[test]
    fn places_count_characters() {
        let tokens = lex("é \"ü\" b\n c");
        let places: Vec<_> =
            tokens.iter().map(|token| (token.kind, token.span.line, token.span.column)).collect();
        let expected = [
            (Kind::Bad, 1, 1),
            (Kind::Text, 1, 3),
            (Kind::Word, 1, 7),
            (Kind::Newline, 1, 8),
            (Kind::Word, 2, 2),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn comments_of_c_may_have_several_lines() {
        assert_eq!(words("a/*b\n*/c /* d"), ["a", "/*b\n*/", "c", "/", "*", "d"]);
        let place = lex("/*\n é*/ b")[1].span;
        assert_eq!((place.line, place.column), (2, 6));
    }

    #[test]
    fn numbers() {
        assert_eq!(number("1_000"), Some(Some(1000)));
        assert_eq!(number("0xFf"), Some(Some(255)));
        assert_eq!(number("0b101"), Some(Some(5)));
        assert_eq!(number("18446744073709551616"), Some(None));
        assert_eq!((number("12u"), number("0xfUL")), (Some(Some(12)), Some(Some(15))));
        assert_eq!((number("0x"), number("12a"), number("_")), (None, None, None));
    }

    #[test]
    fn numbers_of_c() {
        let value = |text| number_of_c(text).flatten().map(|value| value as i64);
        assert_eq!(
            (value("010"), value("0777uL"), value("0"), value("0x10")),
            (Some(8), Some(511), Some(0), Some(16))
        );
        assert_eq!((number_of_c("08"), number_of_c("0778")), (None, None));
        assert_eq!(number_of_c("02000000000000000000000"), Some(None));
        for (text, code) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\''", 39),
            ("'\\xff'", -1),
            ("'\\101'", 65),
        ] {
            assert_eq!((words(text).len(), value(text)), (1, Some(code)), "{text}");
        }
        assert_eq!(words("don't, 'ab'"), ["don", "'", "t", ",", "'", "ab", "'"]);
    }

    #[test]
    fn strings_end_at_their_line() {
        let tokens = lex("\"a\\\" b\" \"c\nd");
        assert_eq!(
            tokens.iter().map(|token| token.kind).collect::<Vec<_>>(),
            [Kind::Text, Kind::OpenText, Kind::Newline, Kind::Word]
        );
        assert_eq!(unquote("\"a\\\" b\\n\\\\\""), "a\" b\n\\");
    }
}
