//! Preprocessor lines: expands `#define NAME …` in the text after it, and drops the lines that `#if` and similar
//! exclude. Other lines are comments.

use super::cursor::Parser;
use super::item::Item;
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use crate::expression::constants::Constants;
use crate::lexer::{self, Kind, Token};
use crate::scratch::{Expanded, Scratch};
use crate::vocabulary::opencl::is_usual_extension;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// Largest number of tokens of all expansions.
const MOST_TOKENS: usize = 100_000;
/// Largest nesting depth of conditions.
const MOST_CONDITIONS: usize = 64;

/// The definitions by name.
pub(super) type Defined<'a> = OrderedMap<&'a str, Macro<'a>>;

/// The replacement of a definition, with its parameters if it has any.
#[derive(Clone)]
pub(super) struct Macro<'a> {
    pub(super) parameters: Option<Vec<&'a str>>,
    /// Whether the last parameter takes the rest of the arguments.
    pub(super) variadic: bool,
    pub(super) tokens: Vec<Token>,
}

impl Macro<'_> {
    /// A definition without parameters.
    pub(super) const fn plain(tokens: Vec<Token>) -> Self {
        Self { parameters: None, variadic: false, tokens }
    }
}

/// What compilers define for a device that the text does not name; the version is the one of OpenCL C 2.0.
const PREDEFINED: [(&str, &str); 14] = [
    ("__ENDIAN_LITTLE__", "1"),
    ("__LITTLE_ENDIAN__", "1"),
    ("__BYTE_ORDER__", "1234"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__IMAGE_SUPPORT__", "1"),
    ("__OPENCL_C_VERSION__", "200"),
    ("CL_VERSION_1_0", "100"),
    ("CL_VERSION_1_1", "110"),
    ("CL_VERSION_1_2", "120"),
    ("CL_VERSION_2_0", "200"),
    ("CL_VERSION_3_0", "300"),
    ("__SPIR__", "1"),
    ("__SPIR64__", "1"),
];

/// What each device decides, with the value that is assumed.
const ASSUMED: (&str, &str) = ("__OPENCL_VERSION__", "200");

/// Names that only other languages and modes define.
const UNDEFINED: [&str; 9] = [
    "__OPENCL_CPP_VERSION__",
    "__cplusplus",
    "__CUDA_ARCH__",
    "__CUDACC__",
    "__HIPCC__",
    "__HIP__",
    "__FAST_RELAXED_MATH__",
    "__EMBEDDED_PROFILE__",
    "__METAL_VERSION__",
];

/// Expands macros, and drops comments and lines that conditions exclude.
pub(crate) fn expanded(text: &str) -> Expanded {
    let tokens = lexer::lex(text);
    let mut reader = Reader {
        text,
        scratch: Scratch::new(text),
        origin: Span::default(),
        defined: OrderedMap::new(),
        conditions: Vec::new(),
        left: MOST_TOKENS,
        of_c: has_kernel(text, &tokens),
        all: Vec::new(),
        found: Vec::new(),
    };
    if reader.of_c {
        reader.predefine();
    }
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token.kind {
            Kind::Comment => reader.line(token),
            Kind::Newline => reader.all.push(token),
            _ if !reader.is_read() => {}
            _ if reader.is_alias(token, &tokens[at..]) => at += reader.alias(&tokens[at..]),
            _ if reader.is_enumeration(token) => at += reader.enumeration(token, &tokens[at..]),
            _ if reader.names_enumeration(token, &tokens[at..]) => {
                at += reader.name_enumeration(&tokens[at..]);
            }
            _ => at += reader.put(token, &tokens[at..]),
        }
    }
    if let Some(open) = reader.conditions.last() {
        let message = "missing `#endif` for this condition";
        reader.found.push(Diagnostic::error("preprocessor", open.line.span, String::from(message)));
    }
    let (text, places) = reader.scratch.into_parts();
    places.place(&mut reader.found);
    Expanded { text, tokens: reader.all, found: reader.found, places }
}

/// A condition before its `#endif`.
struct Condition {
    line: Token,
    /// Whether the lines here are parsed.
    read: bool,
    /// Whether an earlier branch was parsed, or the surrounding lines are not.
    done: bool,
    /// Whether `#else` has occurred.
    last: bool,
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) defined: Defined<'a>,
    /// The text and words that are not in it.
    pub(super) scratch: Scratch,
    /// The macro in the text that is expanded.
    pub(super) origin: Span,
    conditions: Vec<Condition>,
    /// Number of tokens that expansions can still add.
    pub(super) left: usize,
    /// Whether the text contains a C kernel.
    pub(super) of_c: bool,
    pub(super) all: Vec<Token>,
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn predefine(&mut self) {
        for (name, value) in PREDEFINED {
            let tokens = self.scratch.token(value, Span::default());
            self.defined.insert(name, Macro::plain(tokens.into_iter().collect()));
        }
    }

    fn is_read(&self) -> bool {
        self.conditions.iter().all(|condition| condition.read)
    }

    /// A comment or a preprocessor line.
    fn line(&mut self, line: Token) {
        let Some((word, tokens)) = directive(self.text, line, self.of_c) else { return };
        match word {
            "define" if self.is_read() => self.define(tokens),
            "undef" if self.is_read() => {
                tokens
                    .first()
                    .map(|token| self.defined.remove(lexer::slice(self.text, token.span)));
            }
            "if" | "ifdef" | "ifndef" => {
                let around = self.is_read() && self.conditions.len() < MOST_CONDITIONS;
                if self.is_read() && !around {
                    self.error(line, "conditions are nested more than 64 levels deep");
                }
                let read = around && self.holds(word, &tokens, line);
                self.conditions.push(Condition { line, read, done: read || !around, last: false });
            }
            "elif" => {
                let open = self.conditions.last().is_some_and(|condition| !condition.done);
                let holds = open && self.holds("if", &tokens, line);
                self.branch(line, holds, false);
            }
            "else" => self.branch(line, true, true),
            "error" if self.of_c && self.is_read() => {
                let text = lexer::slice(self.text, line.span);
                let message = format!("the text stops here: `{}`", text.trim());
                self.found.push(Diagnostic::error("preprocessor", line.span, message));
            }
            "endif" if self.conditions.pop().is_none() => {
                self.error(line, "this `#endif` has no matching condition");
            }
            _ => {}
        }
    }

    /// Another branch of the innermost condition.
    fn branch(&mut self, line: Token, holds: bool, last: bool) {
        match self.conditions.last_mut() {
            Some(condition) if !condition.last => {
                condition.read = holds && !condition.done;
                condition.done |= condition.read;
                condition.last = last;
            }
            _ => self.error(line, "this directive has no matching condition"),
        }
    }

    /// `#define NAME …`, starting at the name.
    fn define(&mut self, mut tokens: Vec<Token>) {
        let Some(name) = tokens.first().filter(|first| first.kind == Kind::Word) else { return };
        let span = name.span;
        let takes = tokens.get(1).is_some_and(|next| {
            next.span.start == span.start + span.length && lexer::slice(self.text, next.span) == "("
        });
        let close = tokens.iter().position(|token| lexer::slice(self.text, token.span) == ")");
        let Some(begins) = (if takes { close } else { Some(0) }) else { return };
        let stands_for = joined(self.text, tokens.split_off(begins + 1));
        let word = |token: &Token| lexer::slice(self.text, token.span);
        let dots = tokens.iter().skip(2).find(|token| word(token).starts_with('.'));
        let variadic = takes && dots.is_some();
        let names = tokens.iter().skip(2).filter(|token| token.kind == Kind::Word);
        let mut names: Vec<&'a str> =
            names.map(|token| lexer::slice(self.text, token.span)).collect();
        // `NAME...` names the rest of the arguments, which `...` calls `__VA_ARGS__`.
        let before = dots
            .and_then(|dots| tokens.iter().rev().find(|token| token.span.start < dots.span.start));
        if variadic && before.is_none_or(|before| before.kind != Kind::Word) {
            names.push("__VA_ARGS__");
        }
        let parameters = takes.then_some(names);
        let defined = Macro { parameters, variadic, tokens: stands_for };
        self.defined.insert(lexer::slice(self.text, span), defined);
    }

    /// Whether the condition of `#if`, `#ifdef` or `#ifndef` holds.
    fn holds(&mut self, word: &str, tokens: &[Token], line: Token) -> bool {
        tokens.iter().for_each(|token| self.assume(*token));
        self.origin = line.span;
        let known = match word {
            "if" => self.condition(tokens).map(|value| value != 0),
            _ => match tokens.first() {
                Some(token) => self.is_defined(token).map(|is| is == (word == "ifdef")),
                None => Err(None),
            },
        };
        known.unwrap_or_else(|unknown| {
            let message = match unknown {
                Some(name) => format!("this condition depends on `{name}`, which only the device or its compiler defines"),
                None => String::from("this condition cannot be evaluated: expected defined names, integers and `defined(NAME)`"),
            };
            self.error(line, &message);
            false
        })
    }

    /// Assumes that the device has an extension of OpenCL, and its version.
    fn assume(&mut self, token: Token) {
        let name = lexer::slice(self.text, token.span);
        if !self.of_c || token.kind != Kind::Word || self.defined.contains_key(name) {
            return;
        }
        let (tokens, message) = match name {
            _ if is_usual_extension(name) => {
                (None, format!("the device decides whether it has `{name}`; assuming that it does"))
            }
            _ if name == ASSUMED.0 => {
                let value = self.scratch.token(ASSUMED.1, token.span);
                (value, format!("the device decides `{name}`; assuming {}", ASSUMED.1))
            }
            _ => return,
        };
        self.defined.insert(name, Macro::plain(tokens.into_iter().collect()));
        self.found.push(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error("preprocessor", token.span, message)
        });
    }

    /// Whether the text defines a name. In C, one that the device or its compiler determines is assumed to be missing; elsewhere
    /// it is the error.
    fn is_defined(&mut self, token: &Token) -> Result<bool, Option<String>> {
        let name = self.scratch.word(*token);
        if token.kind != Kind::Word {
            return Err(None);
        }
        if self.defined.contains_key(name) || !is_of_device(name) {
            return Ok(self.defined.contains_key(name));
        }
        if !self.of_c {
            return Err(Some(name.into()));
        }
        let message = format!(
            "the device or its compiler decides whether it defines `{name}`; assuming that it does not"
        );
        if self.found.iter().all(|known| known.message != message) {
            self.found.push(Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::error("preprocessor", token.span, message)
            });
        }
        Ok(false)
    }

    /// The value of the condition of `#if`; undefined names are zero.
    fn condition(&mut self, tokens: &[Token]) -> Result<i64, Option<String>> {
        let (mut items, mut at) = (Vec::new(), 0);
        while let Some(&token) = tokens.get(at) {
            at += 1;
            let word = |at: usize| lexer::word(self.text, tokens, at);
            if word(at - 1) != "defined" {
                items.push(token.into());
                continue;
            }
            let closed = word(at) == "(";
            let name = tokens.get(at + usize::from(closed)).ok_or(None)?;
            let value = if self.is_defined(name)? { "1" } else { "0" };
            at += 1 + 2 * usize::from(closed);
            if closed && word(at - 1) != ")" {
                return Err(None);
            }
            items.extend(self.scratch.token(value, self.origin).map(Item::from));
        }
        let mut plain = String::new();
        for item in self.listed(&items) {
            let word = self.scratch.word(item.token);
            match item.token.kind {
                // The preprocessor computes in the widest types.
                Kind::Number if !word.starts_with('\'') => {
                    plain.push_str(&format!(" {}l ", word.trim_end_matches(['l', 'L'])));
                }
                Kind::Word if is_of_device(word) => return Err(Some(word.into())),
                Kind::Word => plain.push_str(" 0l "),
                _ => plain.push_str(&format!(" {word} ")),
            }
        }
        constant(&plain).ok_or(None)
    }

    fn error(&mut self, line: Token, message: &str) {
        let all = lexer::slice(self.text, line.span);
        let prose = all.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t']));
        let suggestion = match prose {
            Some(_) => "write `//` for a comment",
            None => "keep the lines that apply, without the condition",
        };
        let replacement = prose.map(|prose| format!("//{prose}"));
        let suggestion = Suggestion { message: String::from(suggestion), replacement };
        self.found.push(Diagnostic {
            suggestion: Some(suggestion),
            severity: Severity::Error,
            ..Diagnostic::error("preprocessor", line.span, String::from(message))
        });
    }
}

/// The value of a constant expression of C.
fn constant(plain: &str) -> Option<i64> {
    let expanded = expanded(plain);
    let mut parser = Parser::new(&expanded);
    parser.of_c = true;
    let value = parser.expression().ok().filter(|_| parser.at_end())?;
    Constants::number(&value).ok().map(|(number, _)| number)
}

/// Whether the device or its compiler defines a name.
fn is_of_device(name: &str) -> bool {
    let device = name.starts_with("__") || name.starts_with("cl_") || name.starts_with("CL_");
    device && !UNDEFINED.contains(&name)
}

/// The tokens with `##` as one token.
fn joined(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut list: Vec<Token> = Vec::new();
    for token in tokens {
        match list.last_mut() {
            Some(last)
                if [last.span, token.span].map(|span| lexer::slice(text, span)) == ["#", "#"]
                    && last.span.start + 1 == token.span.start =>
            {
                last.span.length = 2;
            }
            _ => list.push(token),
        }
    }
    list
}

/// Whether the tokens contain a C kernel.
fn has_kernel(text: &str, tokens: &[Token]) -> bool {
    let has = |wanted: &[&str]| {
        let is = |token: &Token| {
            token.kind == Kind::Word && wanted.contains(&lexer::slice(text, token.span))
        };
        tokens.iter().any(is)
    };
    has(&["kernel", "__kernel"]) && has(&["void"])
}

/// The keyword of a preprocessor line and the tokens after it. `# word` is a comment, unless it can only be a
/// preprocessor line or the text has a C kernel.
fn directive(text: &str, line: Token, of_c: bool) -> Option<(&str, Vec<Token>)> {
    let all = lexer::slice(text, line.span);
    let following = all.strip_prefix('#')?;
    let word = following.trim_start();
    let length = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let (word, rest) = word.split_at(length);
    let apart = following.starts_with([' ', '\t']);
    let before = all.len() - rest.len();
    // In a directive of C, `#` is an operator.
    let plain = if of_c { rest.replace('#', "@") } else { String::from(rest) };
    let mut tokens = lexer::lex(&plain);
    tokens.retain(|one| one.kind != Kind::Newline && lexer::slice(rest, one.span) != "\\");
    for one in &mut tokens {
        one.span.start += line.span.start + before as u32;
        // On its first line it follows the keyword.
        if one.span.line == 1 {
            one.span.column += line.span.column + before as u32 - 1;
        }
        one.span.line += line.span.line - 1;
    }
    tokens.retain(|token| token.kind != Kind::Comment);
    let first = text.get(..line.span.start as usize).and_then(|text| text.rsplit('\n').next());
    let sure = match word {
        _ if of_c && first.is_some_and(|first| first.trim().is_empty()) => true,
        "ifdef" | "ifndef" => tokens.len() == 1,
        "endif" | "else" => tokens.is_empty(),
        _ => false,
    };
    (!apart || sure).then_some((word, tokens))
}
