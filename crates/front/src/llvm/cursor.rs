//! A position in the tokens of a module.

use super::lexer::{Kind, Lexer, Token};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::Place;

/// Something that cannot be read.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) place: Place,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(place: Place, message: String) -> Box<Self> {
        Box::new(Self { place, message })
    }
}

/// Nearly every function returns one: the problem is in a box, which makes all of them smaller.
pub(super) type Parsed<T> = Result<T, Box<Problem>>;

/// The tokens of a text, and a position.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t, 'a> {
    tokens: &'t [Token<'a>],
    pub(super) at: usize,
}

/// All tokens of a text; the last one is the end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer::new(text);
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == Kind::End {
            return statements(&tokens);
        }
    }
}

/// The tokens with the end of a line only where a statement ends: to LLVM, a line ends like a space.
fn statements<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut all: Vec<Token<'a>> = Vec::with_capacity(tokens.len());
    // Brackets that are open in a statement; whether a function is being defined, whether its name has come, and whether its
    // body has begun.
    let (mut depth, mut defines, mut named, mut inside) = (0_u32, false, false, false);
    for (at, &token) in tokens.iter().enumerate() {
        let line = Token { kind: Kind::Line, text: "", ..token };
        let before = all.last().copied().unwrap_or(line);
        match (token.kind, token.text) {
            // The last of several ends decides.
            (Kind::Line, _) if tokens[at + 1].kind == Kind::Line => continue,
            (Kind::Line, _) => {
                let rest = &tokens[at + 1..];
                let open = depth > 0
                    || before.kind == Kind::Mark && matches!(before.text, "=" | ",")
                    || continues(rest[0], defines && !inside);
                if open && !begins(rest) {
                    continue;
                }
                depth = 0;
            }
            (Kind::Word, "define") if !inside => (depth, defines, named) = (0, true, false),
            (Kind::Global, _) if defines && !inside => named = true,
            (Kind::Mark, "{") if named && depth == 0 && !inside => {
                inside = true;
                all.extend([token, line]);
                continue;
            }
            (Kind::Mark, "}") if inside && depth == 0 => {
                (defines, named, inside) = (false, false, false);
                all.push(line);
            }
            (Kind::Mark, "(" | "[" | "{") => depth += 1,
            (Kind::Mark, ")" | "]" | "}") => depth = depth.saturating_sub(1),
            // Several statements of one line.
            _ if inside && depth == 0 && before.kind != Kind::Line && begins(&tokens[at..]) => {
                all.push(line);
            }
            _ => {}
        }
        all.push(token);
    }
    all
}

/// Whether a statement certainly begins with these tokens.
fn begins(tokens: &[Token<'_>]) -> bool {
    let defines = || tokens.get(1).is_some_and(|next| next.text == "=" && next.kind == Kind::Mark);
    match tokens.first() {
        Some(Token { kind: Kind::Local | Kind::Global | Kind::Metadata, .. }) => defines(),
        Some(Token { kind: Kind::Word, text, .. }) => {
            matches!(
                *text,
                "define" | "declare" | "ret" | "br" | "switch" | "store" | "unreachable"
            )
        }
        Some(Token { kind: Kind::End, .. }) => true,
        _ => false,
    }
}

/// Whether no statement begins with a token, so that it belongs to the one before; `header` for that of a function.
const fn continues(token: Token<'_>, header: bool) -> bool {
    match token.kind {
        Kind::Mark => {
            matches!(token.text.as_bytes(), b"(" | b"[" | b"{" | b"," | b"=" | b")" | b"]")
        }
        Kind::Metadata => header,
        Kind::Word => matches!(token.text.as_bytes(), b"global" | b"constant" | b"to" | b"unwind"),
        _ => false,
    }
}

impl<'t, 'a> Cursor<'t, 'a> {
    pub(super) const fn new(tokens: &'t [Token<'a>], at: usize) -> Self {
        Self { tokens, at }
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, by: usize) -> Token<'a> {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get((self.at + by).min(last)).copied().unwrap_or(Token {
            kind: Kind::End,
            text: "",
            place: Place::default(),
        })
    }

    pub(super) fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub(super) fn is(&self, text: &str) -> bool {
        let token = self.peek();
        token.text == text && matches!(token.kind, Kind::Word | Kind::Mark)
    }

    /// Takes a word or mark, if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(text)) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Box<Problem> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => String::from("the end of the text"),
            Kind::Line => String::from("the end of the line"),
            _ => alloc::format!("`{}`", token.text.chars().take(40).collect::<String>()),
        };
        Problem::new(token.place, alloc::format!("expected {wanted}, found {found}"))
    }

    /// Skips to the end of the line, over brackets with all that is in them.
    pub(super) fn skip_line(&mut self) {
        loop {
            match self.peek() {
                Token { kind: Kind::End, .. } => return,
                Token { kind: Kind::Line, .. } => {
                    self.at += 1;
                    return;
                }
                Token { kind: Kind::Mark, text: "[" | "{" | "(", .. } => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }

    /// Skips a bracket and all up to the one that closes it.
    pub(super) fn skip_group(&mut self) {
        let mut depth = 0_u32;
        loop {
            let token = self.take();
            match (token.kind, token.text) {
                (Kind::End, _) => return,
                (Kind::Mark, "(" | "[" | "{" | "<") => depth += 1,
                (Kind::Mark, ")" | "]" | "}" | ">") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn at_line_end(&self) -> bool {
        matches!(self.peek().kind, Kind::Line | Kind::End)
    }

    pub(super) fn skip_lines(&mut self) {
        while self.peek().kind == Kind::Line {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_only_where_a_statement_does() {
        let lines =
            |text: &str| tokens(text).iter().filter(|token| token.kind == Kind::Line).count();
        assert_eq!(lines("declare void @f()\n\n\ndeclare void @g()\n"), 2);
        assert_eq!(lines("declare void @f(\n  i32,\n  i32)\n"), 1);
        assert_eq!(lines("@a =\n  global i32 0\n"), 1);
        // After an open bracket, a statement that certainly begins ends the one before.
        assert_eq!(lines("declare void @f(\ndeclare void @g()\n"), 2);
        // The work does not grow with the square of the number of empty lines.
        assert_eq!(lines(&"\n".repeat(1 << 20)), 1);
    }
}
