//! Tokens of LLVM's assembly language.

use tidegate_kernel::ir::Place;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `%name`
    Local,
    /// `@name`
    Global,
    /// `!name`, `!0`
    Metadata,
    /// `#0`
    Attributes,
    /// A word: a keyword, a type, an attribute, a label.
    Word,
    /// A number.
    Number,
    /// `"text"`, `c"text"`
    Text,
    /// Any other character.
    Mark,
    /// The end of a line.
    Line,
    /// The end of the text.
    End,
}

/// A token: what it is, and its text without sigil and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) place: Place,
}

/// Reads tokens.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

/// The low 64 bits of an integer such as `u0x20`.
pub(super) fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['u', 's'])?.strip_prefix("0x")?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u64::from_str_radix(digits.get(digits.len().saturating_sub(16)..)?, 16).ok()
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn while_word(&self, mut at: usize) -> usize {
        while self.text.as_bytes().get(at).is_some_and(|&byte| is_word(byte)) {
            at += 1;
        }
        at
    }

    /// The end of a quoted text that begins at a quote.
    fn quoted(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at + 1..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte == b'"' || byte == b'\n');
        at + 1 + length.unwrap_or(rest.len())
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b';') => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => break,
            }
        }
        let start = self.at;
        let Some(&byte) = bytes.get(start) else {
            return self.token(Kind::End, start, start, start);
        };
        let sigil = match byte {
            b'%' => Some(Kind::Local),
            b'@' => Some(Kind::Global),
            b'!' => Some(Kind::Metadata),
            b'#' => Some(Kind::Attributes),
            _ => None,
        };
        if let Some(kind) = sigil {
            if bytes.get(start + 1) == Some(&b'"') {
                let end = self.quoted(start + 1);
                let kind = if kind == Kind::Metadata { Kind::Text } else { kind };
                return self.token(kind, start + 2, end, end + 1);
            }
            let end = self.while_word(start + 1);
            if end > start + 1 {
                return self.token(kind, start + 1, end, end);
            }
            return self.token(Kind::Mark, start, start + 1, start + 1);
        }
        match byte {
            b'\n' => self.token(Kind::Line, start, start + 1, start + 1),
            b'"' => {
                let end = self.quoted(start);
                self.token(Kind::Text, start + 1, end, end + 1)
            }
            b'c' if bytes.get(start + 1) == Some(&b'"') => {
                let end = self.quoted(start + 1);
                self.token(Kind::Text, start + 2, end, end + 1)
            }
            b'0'..=b'9' | b'-' | b'+' => {
                let mut end = self.while_word(start + 1);
                // `1.0e+00`
                if bytes.get(end) == Some(&b'+') && bytes.get(end - 1) == Some(&b'e') {
                    end = self.while_word(end + 1);
                }
                self.token(Kind::Number, start, end, end)
            }
            byte if is_word(byte) => {
                let end = self.while_word(start);
                let kind = if hexadecimal(&self.text[start..end]).is_some() {
                    Kind::Number
                } else {
                    Kind::Word
                };
                self.token(kind, start, end, end)
            }
            _ => {
                let length = self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.token(Kind::Mark, start, start + length, start + length)
            }
        }
    }

    fn token(&mut self, kind: Kind, start: usize, end: usize, next: usize) -> Token<'a> {
        let begin = self.at;
        self.at = next.min(self.text.len());
        let text = self.text.get(start..end.min(self.text.len())).unwrap_or_default();
        Token { kind, text, place: Place { start: begin as u32, end: self.at as u32 } }
    }
}
