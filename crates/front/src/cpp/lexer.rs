//! Tokens of C++.

use alloc::rc::Rc;
use alloc::vec::Vec;

/// Binary operators with their precedence.
pub(super) const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<", 7),
    (">", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// `"text"`, without the quotes.
    Text,
    /// `'a'`, without the quotes.
    Letter,
    Mark,
    End,
}

/// A position in the text or in a header. Lines and columns count from 1; columns count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) line: u32,
    pub(super) column: u32,
    /// The header, from 1, in the order in which headers are read; 0 for the text.
    pub(super) header: u16,
}

/// The macros whose expansion produced a token. They are not expanded again in it.
#[derive(Debug)]
pub(super) struct Hidden {
    pub(super) name: Rc<str>,
    pub(super) next: Option<Rc<Hidden>>,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    pub(super) at: At,
    /// Whether it follows the token before it without white space.
    pub(super) glued: bool,
    /// Whether it is the first one of its line.
    pub(super) first: bool,
    pub(super) hidden: Option<Rc<Hidden>>,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        &*self.text == text && matches!(self.kind, Kind::Word | Kind::Mark)
    }

    pub(super) fn end(at: At) -> Self {
        Self { kind: Kind::End, text: "".into(), at, glued: false, first: true, hidden: None }
    }
}

/// Marks of several letters, the longest first. `>>` is two marks: it may close two lists.
const MARKS: [&str; 22] = [
    "<<=", "...", "<<", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "::", "##",
];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    here: At,
    glued: bool,
    first: bool,
    tokens: Vec<Token>,
}

/// All tokens of the text or a header; the last one is the end.
pub(super) fn tokens(text: &str, header: u16) -> Vec<Token> {
    let here = At { line: 1, column: 1, header };
    let tokens = Vec::with_capacity(text.len() / 4);
    let mut lexer = Lexer { text, at: 0, here, glued: false, first: true, tokens };
    while lexer.skip_blank() {
        lexer.token();
    }
    let end = Token::end(lexer.here);
    lexer.tokens.push(end);
    lexer.tokens
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$' || !letter.is_ascii()
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn step(&mut self, bytes: usize) {
        let passed = self.text.get(self.at..self.at + bytes).unwrap_or("");
        for letter in passed.chars() {
            if letter == '\n' {
                self.here = At { line: self.here.line + 1, column: 1, ..self.here };
            } else {
                self.here.column += 1;
            }
        }
        self.at += bytes;
    }

    /// Skips white space and comments. Returns whether anything is left.
    fn skip_blank(&mut self) -> bool {
        self.glued = true;
        loop {
            let rest = self.rest();
            let Some(letter) = rest.chars().next() else { return false };
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.get(2..).and_then(|rest| rest.find("*/")).map_or(rest.len(), |at| at + 4)
            } else if rest.starts_with("\\\n") {
                2
            } else if rest.starts_with("\\\r\n") {
                3
            } else if letter.is_whitespace() {
                self.first |= letter == '\n';
                letter.len_utf8()
            } else {
                return true;
            };
            self.glued = false;
            self.step(length);
        }
    }

    fn token(&mut self) {
        let rest = self.rest();
        let letter = rest.chars().next().unwrap_or(' ');
        let digit = letter.is_ascii_digit()
            || letter == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit());
        let (kind, from, to, length) = if let Some((from, to, length)) = quoted(rest) {
            let kind = if rest[..from].ends_with('\'') { Kind::Letter } else { Kind::Text };
            (kind, from, to, length)
        } else if digit {
            let length = number(rest);
            (Kind::Number, 0, length, length)
        } else if is_word(letter) {
            let length = rest.find(|next| !is_word(next)).unwrap_or(rest.len());
            (Kind::Word, 0, length, length)
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let length = mark.map_or(letter.len_utf8(), |mark| mark.len());
            (Kind::Mark, 0, length, length)
        };
        let text = Rc::from(rest.get(from..to).unwrap_or(""));
        let (at, glued, first) = (self.here, self.glued, self.first);
        self.tokens.push(Token { kind, text, at, glued, first, hidden: None });
        self.first = false;
        self.step(length);
    }
}

/// The length of a number: digits, letters, points, signs after an exponent, and `'` between digits.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let before = bytes.get(at.wrapping_sub(1)).copied().unwrap_or(b' ');
        let exponent = if hexadecimal { b"pP" } else { b"eE" };
        let sign = matches!(byte, b'+' | b'-') && exponent.contains(&before);
        let quote =
            byte == b'\'' && bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric());
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || sign || quote) {
            break;
        }
        at += 1;
    }
    at
}

/// The start and the end of a quoted text without its quotes, and its length with the quotes; `None` if no quote begins here.
fn quoted(text: &str) -> Option<(usize, usize, usize)> {
    let prefix = text.bytes().take(3).take_while(|byte| b"LuU8R".contains(byte)).count();
    let quote = text.as_bytes().get(prefix).copied().filter(|byte| matches!(byte, b'"' | b'\''))?;
    if text[..prefix].contains('R') && quote == b'"' {
        let open = text[prefix..].find('(')? + prefix;
        let close = alloc::format!("){}\"", text.get(prefix + 1..open)?);
        let end = text[open..].find(&close)? + open;
        return Some((open + 1, end, end + close.len()));
    }
    let mut at = prefix + 1;
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'\n') | None => {
                return Some((prefix + 1, at.min(text.len()), at.min(text.len())));
            }
            Some(&byte) if byte == quote => return Some((prefix + 1, at, at + 1)),
            _ => at += 1,
        }
        if at >= bytes.len() {
            let end = text.len();
            return Some((prefix + 1, end, end));
        }
    }
}
