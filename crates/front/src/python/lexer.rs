//! Tokens of Python, with the ends of logical lines and the changes of the indentation.

use alloc::vec::Vec;
use tidegate_kernel::ir::Place;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Name,
    /// An integer or floating-point number.
    Number,
    /// A string with its prefix and quotes.
    Text,
    /// An operator or bracket.
    Sign,
    /// The end of a logical line.
    Line,
    /// The begin of an indented block.
    Open,
    /// The end of an indented block.
    Close,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) place: Place,
}

/// Operators of several characters, the longest first.
const SIGNS: [&str; 25] = [
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "@=", "//", "**", "<<", ">>", "<>",
];

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Open brackets.
    depth: usize,
    indents: Vec<usize>,
    tokens: Vec<Token<'t>>,
}

/// The tokens of a text. Every text has some.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, depth: 0, indents: alloc::vec![0], tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.line();
    }
    lexer.end_line();
    lexer.indent(0);
    lexer.tokens
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let end = (self.at + length).min(self.text.len());
        let text = self.text.get(self.at..end).unwrap_or("");
        let place = Place { start: self.at as u32, end: end as u32 };
        self.tokens.push(Token { kind, text, place });
        self.at = end;
    }

    fn end_line(&mut self) {
        if self
            .tokens
            .last()
            .is_some_and(|last| !matches!(last.kind, Kind::Line | Kind::Open | Kind::Close))
        {
            self.push(Kind::Line, 0);
        }
    }

    /// Opens and closes blocks for a line with this indentation.
    fn indent(&mut self, width: usize) {
        if width > self.indents.last().copied().unwrap_or(0) {
            self.indents.push(width);
            self.push(Kind::Open, 0);
        }
        while self.indents.len() > 1 && self.indents.last().is_some_and(|&last| width < last) {
            self.indents.pop();
            self.push(Kind::Close, 0);
        }
    }

    /// A physical line.
    fn line(&mut self) {
        let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0c);
        let width = self.rest().bytes().take_while(blanks).count();
        self.at += width;
        let empty = self.rest().starts_with(['\n', '#']) || self.rest().is_empty();
        if self.depth == 0 && !empty {
            self.indent(width);
        }
        while let Some(first) = self.rest().chars().next() {
            match first {
                '\n' => {
                    self.at += 1;
                    break;
                }
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                '\\' => {
                    let skipped = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
                    self.at += skipped;
                    let blanks = self.rest().bytes().take_while(blanks).count();
                    self.at += blanks;
                }
                _ if first.is_whitespace() => self.at += first.len_utf8(),
                _ => self.token(first),
            }
        }
        if self.depth == 0 {
            self.end_line();
        }
    }

    fn token(&mut self, first: char) {
        let rest = self.rest();
        if let Some(length) = string(rest) {
            return self.push(Kind::Text, length);
        }
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = |accepts: &dyn Fn(char) -> bool| {
            rest.find(|letter| !accepts(letter)).unwrap_or(rest.len())
        };
        let second = rest.chars().nth(1);
        if first.is_ascii_digit() || first == '.' && second.is_some_and(|it| it.is_ascii_digit()) {
            let mut end = length(&|letter| of_name(letter) || letter == '.');
            let exponent = rest[..end].ends_with(['e', 'E']) && !rest.starts_with("0x");
            if exponent && rest[end..].starts_with(['+', '-']) {
                let digits = rest[end + 1..].find(|letter: char| !letter.is_ascii_digit());
                end = digits.map_or(rest.len(), |digits| end + 1 + digits);
            }
            return self.push(Kind::Number, end);
        }
        if of_name(first) {
            return self.push(Kind::Name, length(&of_name));
        }
        match first {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        self.push(Kind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()));
    }
}

/// The length of a string literal at the begin of a text.
fn string(text: &str) -> Option<usize> {
    let prefix = text.bytes().take_while(|byte| b"rRbBfFuU".contains(byte)).count();
    let quoted = text.get(prefix..).filter(|_| prefix <= 2)?;
    let quote = quoted.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (double, triple) = if quote == '"' { ("\"\"\"", true) } else { ("'''", true) };
    let triple = triple && quoted.starts_with(double);
    let mut letters = quoted.char_indices().skip(if triple { 3 } else { 1 });
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '\n' if !triple => return Some(prefix + at),
            _ if letter != quote => {}
            _ if !triple => return Some(prefix + at + 1),
            _ if quoted[at..].starts_with(double) => return Some(prefix + at + 3),
            _ => {}
        }
    }
    Some(text.len())
}
