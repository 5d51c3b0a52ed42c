//! The parser's position in the tokens, its diagnostics, and its error recovery.

use crate::diagnostic::{self, Diagnostic, Severity, Span, Suggestion};
use crate::expression::Atom;
use crate::expression::types::Type;
use crate::launching::Launching;
use crate::lexer::{self, Kind, Token};
use crate::limits::DEEPEST;
use crate::scratch::{Expanded, Places};
use crate::tree::{Array, Declaration, Name, Statement, StructId, Structure};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The statement could not be parsed; the error is already reported.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// Largest number of expanded calls in a text.
pub(super) const MOST_CALLS: u32 = 500;

/// A function that only computes.
#[derive(Clone, Debug)]
pub(crate) struct Computing {
    pub(super) parameters: Vec<(String, Option<Type>)>,
    pub(super) result: Option<Type>,
    /// The token after `return`, if the body is a single return statement.
    pub(super) value: Option<usize>,
}

pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    places: &'a Places,
    /// The tokens without comments.
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    diagnostics: Vec<Diagnostic>,
    /// For each number, the position of the LLVM metadata definition: the token after `!N =`. Computed on first use.
    definitions: Option<OrderedMap<&'a str, usize>>,
    /// The names of the text's functions. Computed on first use.
    functions: Option<OrderedSet<&'a str>>,
    /// The types with members so far.
    pub(crate) classes: Vec<String>,
    /// The arrays of kernels so far, and whether they are accessed; accessed ones are declared.
    pub(crate) arrays: OrderedMap<String, Array>,
    pub(crate) declared_arrays: OrderedSet<String>,
    /// Declarations for the kernel arguments that are assigned to.
    pub(super) moved: Vec<Statement>,
    pub(crate) implicit: Vec<Declaration>,
    /// Number of open parentheses in a C expression, in which line ends have no meaning, and of its operators so far.
    pub(crate) inside: u32,
    pub(crate) operators: u32,
    /// The result type of the current function.
    pub(crate) returned: Option<Type>,
    /// Functions that only compute, the number of their calls that may still be expanded, and the arguments of the
    /// current one.
    pub(crate) computes: OrderedMap<String, Computing>,
    pub(crate) calls_left: u32,
    pub(crate) passed: OrderedMap<String, Vec<(Atom, Span)>>,
    /// The sizes of work-groups that the kernel gives, if it has several dimensions.
    pub(crate) sizes: Option<[i64; 3]>,
    /// Number of work-groups of the launch in each dimension, if given.
    pub(crate) groups: Option<[i64; 3]>,
    /// The choices of the caller.
    pub(super) launching: Launching,
    /// The kernels so far, and the parameters of those that are read, each with whether it is a number.
    pub(super) kernels: Vec<Name>,
    pub(super) parameters: Vec<(String, bool)>,
    /// Whether a line of the text gives the launch.
    pub(super) launch_written: bool,
    /// Number of dimensions of the launch.
    pub(crate) dimensions: i64,
    /// Whether the warning about a single dimension was reported.
    pub(crate) reported_dimensions: bool,
    /// For each declared name, by its position, its C type.
    pub(crate) types: OrderedMap<u32, Type>,
    /// For each declared integer vector or private array, by the position of its name, its shape.
    pub(crate) shapes: OrderedMap<u32, crate::tree::Shape>,
    /// Whether something depends on a dimension of the launch after the first, or on the contents of memory.
    pub(crate) more_dimensions: bool,
    /// The type aliases so far.
    pub(crate) aliases: OrderedMap<String, super::ctypes::Alias>,
    /// The structures of C by name, and their layouts.
    pub(crate) structures: OrderedMap<String, StructId>,
    pub(crate) layouts: Vec<Structure>,
    /// Functions of C that are declared.
    pub(crate) prototypes: OrderedSet<String>,
    /// Whether the current code has C syntax.
    pub(crate) of_c: bool,
    /// Whether the text has calls of TLX: `%` then rounds as in Python.
    pub(super) of_python: bool,
    /// Whether numbers are register contents: 64-bit ones are signed.
    pub(crate) of_registers: bool,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(expanded: &'a Expanded) -> Self {
        let (text, mut tokens) = (&*expanded.text, expanded.tokens.clone());
        let of_python = text.contains("tlx.");
        if of_python {
            tokens = super::lines::joined_lines(text, tokens);
        }
        let mut diagnostics = Vec::new();
        for found in &expanded.found {
            diagnostic::report(&mut diagnostics, found.clone());
        }
        Self {
            places: &expanded.places,
            text,
            tokens,
            at: 0,
            depth: 0,
            diagnostics,
            definitions: None,
            functions: None,
            classes: Vec::new(),
            arrays: OrderedMap::new(),
            declared_arrays: OrderedSet::new(),
            moved: Vec::new(),
            implicit: Vec::new(),
            inside: 0,
            operators: 0,
            returned: None,
            computes: OrderedMap::new(),
            calls_left: MOST_CALLS,
            passed: OrderedMap::new(),
            sizes: None,
            groups: None,
            launching: Launching::default(),
            kernels: Vec::new(),
            parameters: Vec::new(),
            launch_written: false,
            dimensions: 1,
            reported_dimensions: false,
            types: OrderedMap::new(),
            shapes: OrderedMap::new(),
            more_dimensions: false,
            aliases: OrderedMap::new(),
            structures: OrderedMap::new(),
            layouts: Vec::new(),
            prototypes: OrderedSet::new(),
            of_c: false,
            of_python,
            of_registers: false,
        }
    }

    /// The arrays that are accessed.
    pub(crate) fn implicit_declarations(&mut self) -> Vec<Declaration> {
        core::mem::take(&mut self.implicit)
    }

    /// Returns the diagnostics, with one error for each position.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    pub(crate) fn peek(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn text_at(&self, ahead: usize) -> &'a str {
        self.peek(ahead).map_or("", |token| lexer::slice(self.text, token.span))
    }

    /// The text of a later token on any line; `None` after the last.
    pub(crate) fn text_of(&self, ahead: usize) -> Option<&'a str> {
        self.peek(ahead).map(|token| lexer::slice(self.text, token.span))
    }

    /// The text of the current token; empty at the end.
    pub(crate) fn word(&self) -> &'a str {
        self.text_at(0)
    }

    /// The text of a later token on the same line; empty otherwise.
    pub(crate) fn word_ahead(&self, ahead: usize) -> &'a str {
        let newline =
            (0..=ahead).any(|i| self.peek(i).is_none_or(|token| token.kind == Kind::Newline));
        if newline { "" } else { self.text_at(ahead) }
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        self.peek(0).map(|token| token.kind)
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind() == Some(Kind::Word)
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.word() == text && self.kind() != Some(Kind::Text)
    }

    /// Whether the current token directly follows the previous one.
    pub(crate) fn is_adjacent(&self) -> bool {
        match (self.at.checked_sub(1).and_then(|before| self.tokens.get(before)), self.peek(0)) {
            (Some(before), Some(token)) => {
                before.span.start + before.span.length == token.span.start
            }
            _ => false,
        }
    }

    /// The position of the current token; at the end, the position after the last.
    pub(crate) fn here(&self) -> Span {
        match (self.peek(0), self.tokens.last()) {
            (Some(token), _) => token.span,
            (None, Some(last)) => Span {
                start: last.span.start + last.span.length,
                length: 0,
                line: last.span.line + u32::from(last.kind == Kind::Newline),
                column: if last.kind == Kind::Newline {
                    1
                } else {
                    last.span.column + last.span.length
                },
            },
            (None, None) => Span { line: 1, column: 1, ..Span::default() },
        }
    }

    /// The range from a position to the end of the previous token.
    pub(crate) fn since(&self, start: Span) -> Span {
        // A word that a macro makes has the place of the macro.
        self.between(self.places.written(start), |end| self.places.written(end))
    }

    fn between(&self, start: Span, place: impl Fn(Span) -> Span) -> Span {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let end = before.map_or(start, |token| place(token.span));
        Span { length: (end.start + end.length).saturating_sub(start.start), ..start }
    }

    pub(crate) fn advance(&mut self) -> Span {
        let span = self.here();
        self.at = (self.at + 1).min(self.tokens.len());
        span
    }

    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.is(text) {
            return Ok(self.advance());
        }
        let (found, here) = (self.described(), self.here());
        self.error("expected-token", here, format!("expected `{text}`, found {found}"))
    }

    /// A name.
    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.is_word() {
            let (found, here) = (self.described(), self.here());
            return self.error("expected-token", here, format!("expected {what}, found {found}"));
        }
        let text = String::from(self.word());
        Ok(Name { text, span: self.advance() })
    }

    /// Adjacent tokens: `amd.join.before-wait`, `gfx6-gfx11`.
    pub(crate) fn run(&mut self, joins: impl Fn(&str) -> bool) -> Name {
        let start = self.here();
        let mut first = true;
        while matches!(self.kind(), Some(Kind::Word | Kind::Number))
            || (!first && joins(self.word()))
        {
            if !first && !self.is_adjacent() {
                break;
            }
            first = false;
            self.advance();
        }
        let span = match first {
            true => Span { length: 0, ..start },
            false => self.between(start, |end| end),
        };
        Name { text: String::from(lexer::slice(self.text, span)), span }
    }

    /// Describes the current token for messages.
    pub(crate) fn described(&self) -> String {
        match self.kind() {
            None => String::from("the end of the text"),
            Some(Kind::Newline) => String::from("the end of the line"),
            Some(_) => {
                let word = self.word();
                let short: String = word.chars().take(40).collect();
                if short.len() < word.len() {
                    format!("`{short}…`")
                } else {
                    format!("`{short}`")
                }
            }
        }
    }

    /// Whether the statement ends here.
    pub(crate) fn at_end(&self) -> bool {
        matches!(self.kind(), None | Some(Kind::Newline)) || self.is(";") || self.is("}")
    }

    /// Skips line ends and semicolons; returns whether tokens remain.
    pub(crate) fn skip_separators(&mut self) -> bool {
        while self.kind() == Some(Kind::Newline) || self.is(";") {
            self.advance();
        }
        self.peek(0).is_some()
    }

    pub(crate) fn skip_newlines(&mut self) {
        while self.kind() == Some(Kind::Newline) {
            self.advance();
        }
    }

    /// The index of the first token after line ends, relative to the current one.
    pub(crate) fn behind_newlines(&self) -> usize {
        (0..).find(|&i| self.peek(i).is_none_or(|token| token.kind != Kind::Newline)).unwrap_or(0)
    }

    /// The definition of numbered metadata, for [`Self::jump`].
    pub(crate) fn definition(&mut self, number: &str) -> Option<usize> {
        let (text, tokens) = (self.text, &self.tokens);
        let word = |at: usize| lexer::word(text, tokens, at);
        let defines = |&at: &usize| {
            tokens[at].kind == Kind::Number
                && (word(at - 1), word(at + 1)) == ("!", "=")
                && (at == 1 || tokens[at - 2].kind == Kind::Newline)
        };
        let all = || (1..tokens.len()).filter(defines).map(|at| (word(at), at + 2)).collect();
        self.definitions.get_or_insert_with(all).get(number).copied()
    }

    /// The names of the text's functions.
    pub(crate) fn functions(&mut self) -> &OrderedSet<&'a str> {
        let (text, tokens) = (self.text, &self.tokens);
        self.functions.get_or_insert_with(|| super::ctypes::function_names(text, tokens))
    }

    /// The index of a later token, for [`Self::jump`].
    pub(crate) fn index_ahead(&self, ahead: usize) -> usize {
        self.at + ahead
    }

    /// Continues at another token; returns the current index.
    pub(crate) fn jump(&mut self, to: usize) -> usize {
        core::mem::replace(&mut self.at, to)
    }

    pub(crate) fn advance_by(&mut self, count: usize) {
        self.at = (self.at + count).min(self.tokens.len());
    }

    /// Tries to parse something; on failure, consumes and reports nothing.
    pub(crate) fn attempted<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (at, before) = (self.at, self.diagnostics.clone());
        let read = read(self).ok();
        if read.is_none() {
            self.at = at;
            self.diagnostics = before;
        }
        read
    }

    pub(crate) fn retreat_by(&mut self, count: usize) {
        self.at = self.at.saturating_sub(count);
    }

    /// Whether a new statement can start here without a separator: after a block, or on a new line.
    fn is_fresh(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.is_some_and(|token| {
            token.kind == Kind::Newline || lexer::slice(self.text, token.span) == "}"
        })
    }

    /// Reports tokens between the end of a statement and the end of its line. After a block the next statement can
    /// follow.
    pub(crate) fn end_of_statement(&mut self) {
        if self.is_fresh() && !self.is("}") {
            return;
        }
        if !self.at_end() || self.is("}") && self.depth == 0 {
            let (found, here) = (self.described(), self.here());
            let more = match self.is(",") && self.first_word() == "wait" {
                true => {
                    "; a wait for a parity is `L: mbarrier.try_wait.parity.shared.b64 p, [NAME], PARITY; @!p bra L`"
                }
                false => "",
            };
            let message = format!("expected the end of the statement, found {found}{more}");
            let _ = self.error::<()>("expected-end", here, message);
            self.skip_statement();
        }
    }

    /// The first word of the statement.
    fn first_word(&self) -> &str {
        let of_statement = |token: &&Token| {
            token.kind != Kind::Newline
                && !matches!(lexer::slice(self.text, token.span), ";" | "{" | "}")
        };
        let before = self.tokens[..self.at].iter().rev().take_while(of_statement);
        before.last().map_or("", |token| lexer::slice(self.text, token.span))
    }

    /// Skips to the end of the statement, including the blocks that it opens.
    pub(crate) fn skip_statement(&mut self) {
        let mut open = 0_u32;
        while let Some(kind) = self.kind() {
            if open == 0 && (kind == Kind::Newline || self.is(";")) {
                return;
            }
            if self.is("{") {
                open += 1;
            } else if self.is("}") {
                if open == 0 && self.depth > 0 {
                    return;
                }
                open = open.saturating_sub(1);
            }
            self.advance();
        }
    }

    /// Parses one nesting level deeper, up to the limit.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let here = self.here();
            return self.error(
                "bound-nesting",
                here,
                format!("nested more than {DEEPEST} levels deep"),
            );
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(crate) fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Parsed<T> {
        self.suggest(code, span, message, None)
    }

    pub(crate) fn suggest<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        suggestion: Option<Suggestion>,
    ) -> Parsed<T> {
        self.push(Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            suggestion,
        });
        Err(Failed)
    }

    /// Number of diagnostics so far.
    pub(crate) const fn reported(&self) -> usize {
        self.diagnostics.len()
    }

    /// The last diagnostic, unless it is one of the first `known`.
    pub(crate) fn last_after(&mut self, known: usize) -> Option<&mut Diagnostic> {
        self.diagnostics.get_mut(known..)?.last_mut()
    }

    /// Whether the limit of diagnostics is reached, so that they need not be computed.
    pub(crate) fn is_full(&self) -> bool {
        diagnostic::is_full(&self.diagnostics)
    }

    /// Reports a diagnostic, at most one for each position and up to the limit.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        diagnostic::report(&mut self.diagnostics, diagnostic);
    }
}
