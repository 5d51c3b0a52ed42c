//! The canonical layout. It moves tokens without creating, changing or removing them, except redundant semicolons
//! outside C. Comments are kept, and several blank lines become one.

mod spacing;

use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Kind, Token};
use alloc::string::String;
use alloc::vec::Vec;
use spacing::Layout;

/// Spaces for each level of blocks.
const INDENT: usize = 2;

/// Formats a text: two spaces for each level and one statement per line (statements joined by a semicolon stay
/// together), with blocks on separate lines.
///
/// # Errors
///
/// The syntax errors of the text. A text with other errors is formatted.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (scenario, expanded) = crate::parse::read(text, &crate::launching::Launching::default());
    let mut errors: Vec<_> =
        scenario.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    expanded.places.place(&mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let tokens = lexer::lex(text);
    let mut formatter = Formatter {
        text,
        tokens: &tokens,
        at: 0,
        out: String::new(),
        level: 0,
        line_is_empty: true,
        opened: false,
        after_comment: false,
        hangs: 0,
        blocks: Vec::new(),
        head: "",
        behind_do: false,
        is_c: false,
    };
    formatter.all();
    Ok(formatter.out)
}

struct Formatter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    out: String,
    level: usize,
    line_is_empty: bool,
    /// Whether only comments on its own line follow the last opening brace.
    opened: bool,
    /// Whether the line ends with a comment.
    after_comment: bool,
    /// The extra indentation of the next statement after heads without braces.
    hangs: usize,
    /// The first words of the statements that own the open blocks.
    blocks: Vec<&'a str>,
    /// The first word of the statement.
    head: &'a str,
    /// Whether the condition of a `do` follows.
    behind_do: bool,
    /// Whether this is in a C function, whose statements end with semicolons.
    is_c: bool,
}

impl<'a> Formatter<'a> {
    fn all(&mut self) {
        while let Some(token) = self.tokens.get(self.at).copied() {
            match self.word(self.at) {
                _ if token.kind == Kind::Newline => self.newlines(),
                _ if token.kind == Kind::Comment => self.comment(),
                ";" => self.semicolon(),
                "{" => self.open(),
                "}" => self.close(),
                _ => self.statement(),
            }
        }
        self.end_line();
    }

    fn word(&self, at: usize) -> &'a str {
        lexer::word(self.text, self.tokens, at)
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The index of the first token from here on that is not a line end.
    fn behind_newlines(&self, from: usize) -> usize {
        (from..).find(|&at| self.kind(at) != Some(Kind::Newline)).unwrap_or(from)
    }

    fn put(&mut self, text: &str) {
        if self.line_is_empty {
            self.out.extend(core::iter::repeat_n(' ', (self.level + self.hangs) * INDENT));
            self.line_is_empty = false;
        }
        self.out.push_str(text);
    }

    fn end_line(&mut self) {
        if !self.line_is_empty {
            self.out.push('\n');
            self.line_is_empty = true;
        }
        self.after_comment = false;
    }

    fn newlines(&mut self) {
        let next = self.behind_newlines(self.at);
        let several = next - self.at > 1;
        self.at = next;
        let head = !self.line_is_empty && !self.after_comment && self.takes_brace();
        if self.word(next) == "{" && head {
            return;
        }
        self.end_line();
        let inside = next < self.tokens.len() && !matches!(self.word(next), "{" | "}");
        let between = inside && !self.opened && !self.out.is_empty();
        if several && between {
            self.out.push('\n');
        }
    }

    /// Whether the text so far is the head of a block, or of a list, whose brace is on the same line.
    ///
    /// A block after a block or after a plain statement begins a line.
    fn takes_brace(&self) -> bool {
        let is_head = matches!(
            self.head,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "repeat"
                | "loop"
                | "choose"
                | "or"
                | "switch"
                | "case"
                | "default"
        );
        match self.out.chars().next_back() {
            Some('}' | ';') => false,
            Some('=' | ',' | ':' | '{') => true,
            _ => is_head || self.blocks.is_empty(),
        }
    }

    fn comment(&mut self) {
        if !self.line_is_empty {
            self.out.push_str("  ");
        }
        self.opened &= !self.line_is_empty;
        self.put(self.word(self.at));
        self.at += 1;
        self.after_comment = true;
    }

    /// Keeps a semicolon that joins two statements on one line, and every semicolon in C.
    fn semicolon(&mut self) {
        let ends = self.is_c && (!self.line_is_empty || self.hangs > 0);
        while self.word(self.at) == ";" && self.kind(self.at) == Some(Kind::Punctuation) {
            self.at += 1;
        }
        let joins = !matches!(self.kind(self.at), None | Some(Kind::Newline | Kind::Comment));
        if ends {
            self.put(";");
            self.hangs = 0;
        }
        if joins && self.word(self.at) != "}" && !self.line_is_empty {
            self.out.push_str(if ends { " " } else { "; " });
        }
    }

    fn open(&mut self) {
        if !self.line_is_empty {
            self.out.push(' ');
        }
        let next = self.behind_newlines(self.at + 1);
        if self.word(next) == "}" {
            self.put("{ }");
            self.at = next + 1;
            self.behind_block();
            return;
        }
        self.put("{");
        self.blocks.push(self.head);
        self.level += 1;
        self.hangs = 0;
        self.at += 1;
        self.opened = true;
        if self.kind(self.at) != Some(Kind::Comment) {
            self.end_line();
        }
    }

    fn close(&mut self) {
        self.opened = false;
        self.end_line();
        self.level = self.level.saturating_sub(1);
        self.hangs = 0;
        self.put("}");
        self.at += 1;
        self.behind_do = self.blocks.pop() == Some("do");
        self.behind_block();
    }

    /// `else` and `or` stay on the line of the closing brace, and comments can; anything else begins a new line.
    fn behind_block(&mut self) {
        let next = self.behind_newlines(self.at);
        if matches!(self.word(next), "else" | "or") || self.behind_do && self.word(next) == "while"
        {
            self.at = next;
            self.out.push(' ');
            return;
        }
        while self.word(self.at) == ";" {
            self.at += 1;
        }
        if !matches!(self.kind(self.at), Some(Kind::Comment | Kind::Newline)) {
            self.end_line();
        }
    }

    /// A statement, or the head of one up to its brace.
    fn statement(&mut self) {
        self.opened = false;
        let name = self.at + usize::from(self.word(self.at) == ".");
        if self.kind(name) == Some(Kind::Word) && self.word(name + 1) == ":" {
            return self.label(name);
        }
        let layout = Layout::of(self.text, &self.tokens[self.at..]);
        let start = self.at;
        self.head = self.word(start);
        let counts = self.head == "for" && self.word(start + 1) == "(";
        let (mut open, mut nested) = (0_u32, 0_u32);
        while let Some(token) = self.tokens.get(self.at) {
            let word = self.word(self.at);
            let raw = layout == Layout::Raw;
            nested += u32::from(counts && word == "(");
            nested -= u32::from(counts && word == ")" && nested > 0);
            match word {
                _ if token.kind == Kind::Newline => break,
                _ if token.kind == Kind::Comment && !word.starts_with("/*") => break,
                ";" if nested > 0 => {}
                "{" if (raw || self.is_list(start)) && self.closes_on_its_line() => open += 1,
                "}" if open > 0 => open -= 1,
                ";" if open > 0 => {}
                "{" | "}" | ";" if token.kind == Kind::Punctuation => break,
                _ => {}
            }
            let comment = |at: usize| self.kind(at) == Some(Kind::Comment);
            let blank = self.at > start
                && (comment(self.at)
                    || comment(self.at - 1)
                    || spacing::blank(layout, self.text, &self.tokens[start..=self.at]));
            if blank {
                self.out.push(' ');
            }
            self.put(word);
            self.at += 1;
        }
        if self.blocks.is_empty() {
            self.is_c = layout == Layout::Function || self.is_function(start);
        }
        self.hang(start);
    }

    /// Whether the brace here begins the values of a C array.
    fn is_list(&self, start: usize) -> bool {
        self.is_c && self.at > start && matches!(self.word(self.at - 1), "=" | "{" | ",")
    }

    /// Whether these tokens are the type, name and parameters of a C function.
    fn is_function(&self, start: usize) -> bool {
        let is_named = self.head != "func" && self.kind(start + 1) == Some(Kind::Word);
        is_named && self.word(self.at - 1) == ")" && self.word(self.behind_newlines(self.at)) == "{"
    }

    /// Indents the statement on the next line after a head without a brace.
    fn hang(&mut self, start: usize) {
        let last = self.at - 1;
        let closed = match self.head {
            "if" | "for" => self.closing(start + 1) == Some(last),
            "while" => !self.behind_do && self.closing(start + 1) == Some(last),
            "else" => {
                last == start
                    || self.word(start + 1) == "if" && self.closing(start + 2) == Some(last)
            }
            _ => false,
        };
        let ends = matches!(self.kind(self.at), Some(Kind::Newline | Kind::Comment));
        let body = (self.at..self.tokens.len())
            .find(|&at| !matches!(self.kind(at), Some(Kind::Newline | Kind::Comment)));
        let braces = body.is_none_or(|at| matches!(self.word(at), "{" | "}"));
        self.hangs = if closed && ends && !braces { self.hangs + 1 } else { 0 };
        self.behind_do = false;
    }

    /// The closing parenthesis of the one at this token, if there is one.
    fn closing(&self, at: usize) -> Option<usize> {
        let mut open = 0_u32;
        (at..self.at).find(|&here| {
            open += u32::from(self.word(here) == "(");
            open -= u32::from(self.word(here) == ")" && open > 0);
            open == 0
        })
    }

    /// Whether the brace here is closed on its line, so that it is a list and not a block.
    fn closes_on_its_line(&self) -> bool {
        let line = (self.at + 1..self.tokens.len()).map(|at| (self.kind(at), self.word(at)));
        let mut words = line
            .take_while(|(kind, _)| !matches!(kind, Some(Kind::Newline | Kind::Comment)))
            .map(|(_, word)| word);
        let mut open = 1_u32;
        words.any(|word| {
            open += u32::from(word == "{");
            open -= u32::from(word == "}");
            open == 0
        })
    }

    /// A label; a statement after it may stay on its line.
    fn label(&mut self, name: usize) {
        (self.at..name + 2).for_each(|at| self.put(self.word(at)));
        self.at = name + 2;
        let ends = matches!(self.kind(self.at), None | Some(Kind::Newline | Kind::Comment));
        if !ends && !matches!(self.word(self.at), ";" | "{" | "}") {
            self.out.push(' ');
        }
    }
}
