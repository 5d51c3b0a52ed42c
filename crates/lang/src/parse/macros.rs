//! Preprocessor lines: expands `#define NAME …` in the text after it, and drops the lines that `#if` and similar
//! exclude. Other lines are comments.

use super::cursor::Parser;
use crate::diagnostic::{Diagnostic, Severity, Suggestion};
use crate::lexer::{self, Kind, Token};
use crate::lower::names::Constants;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// Largest number of tokens of all expansions.
const MOST_TOKENS: usize = 100_000;
/// Largest nesting depth of definitions.
const DEEPEST: u32 = 16;
/// Largest nesting depth of conditions.
const MOST_CONDITIONS: usize = 64;

/// The definitions by name.
pub(super) type Defined<'a> = OrderedMap<&'a str, Macro<'a>>;

/// The replacement of a definition, with its parameters if it has any.
#[derive(Clone)]
pub(super) struct Macro<'a> {
    pub(super) parameters: Option<Vec<&'a str>>,
    pub(super) tokens: Vec<Token>,
}

/// The expanded tokens without comments, and diagnostics about other lines.
pub(super) fn expanded(text: &str, tokens: Vec<Token>) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut reader = Reader {
        text,
        defined: OrderedMap::new(),
        conditions: Vec::new(),
        left: MOST_TOKENS,
        of_c: has_kernel(text, &tokens),
        all: Vec::new(),
        found: Vec::new(),
    };
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
            _ => at += reader.put(token, &tokens[at..], 0),
        }
    }
    if let Some(open) = reader.conditions.last() {
        let message = "missing `#endif` for this condition";
        reader.found.push(Diagnostic::error("preprocessor", open.line.span, String::from(message)));
    }
    (reader.all, reader.found)
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
    conditions: Vec<Condition>,
    left: usize,
    /// Whether the text contains a C kernel.
    pub(super) of_c: bool,
    pub(super) all: Vec<Token>,
    found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn is_read(&self) -> bool {
        self.conditions.iter().all(|condition| condition.read)
    }

    /// Adds a token or its expansion; returns the number of tokens after it that are its arguments.
    fn put(&mut self, token: Token, behind: &[Token], depth: u32) -> usize {
        let known = self.defined.get(lexer::slice(self.text, token.span));
        let known = known.filter(|_| token.kind == Kind::Word && depth < DEEPEST);
        let stands_for = known.and_then(|known| self.stands_for(known, behind));
        match stands_for {
            Some((tokens, taken)) if self.left >= tokens.len() => {
                self.left -= tokens.len();
                let mut at = 0;
                while let Some(&token) = tokens.get(at) {
                    at += 1;
                    at += self.put(token, &tokens[at..], depth + 1);
                }
                taken
            }
            _ => {
                self.all.push(token);
                0
            }
        }
    }

    /// The tokens of a definition with its arguments substituted, and the number of tokens of the arguments; `None` if
    /// arguments are missing.
    fn stands_for(&self, known: &Macro<'a>, behind: &[Token]) -> Option<(Vec<Token>, usize)> {
        let Some(parameters) = &known.parameters else { return Some((known.tokens.clone(), 0)) };
        let (arguments, taken) = self.arguments(behind)?;
        if arguments.len() != parameters.len().max(1) {
            return None;
        }
        let mut tokens = Vec::new();
        for token in &known.tokens {
            let name = lexer::slice(self.text, token.span);
            match parameters.iter().position(|parameter| *parameter == name) {
                Some(at) => tokens.extend(&arguments[at]),
                None => tokens.push(*token),
            }
            if tokens.len() > self.left {
                return None;
            }
        }
        Some((tokens, taken))
    }

    /// The arguments in the parentheses that start here, and their number of tokens.
    fn arguments(&self, behind: &[Token]) -> Option<(Vec<Vec<Token>>, usize)> {
        let (mut arguments, mut open) = (alloc::vec![Vec::new()], 0_u32);
        for (at, token) in behind.iter().enumerate().take(MOST_TOKENS) {
            let word = lexer::slice(self.text, token.span);
            match word {
                _ if matches!(token.kind, Kind::Newline | Kind::Comment) => continue,
                _ if open == 0 && word != "(" => return None,
                ")" if open == 1 => return Some((arguments, at + 1)),
                "," if open == 1 => arguments.push(Vec::new()),
                _ if open > 0 => arguments.last_mut()?.push(*token),
                _ => {}
            }
            open += u32::from(matches!(word, "(" | "[" | "{"));
            open = open.saturating_sub(u32::from(matches!(word, ")" | "]" | "}")));
        }
        None
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
        let stands_for = tokens.split_off(begins + 1);
        let glues = |token: &&Token| lexer::slice(self.text, token.span).starts_with("##");
        if let Some(glued) = stands_for.iter().find(glues) {
            let message = "`##` is not supported: write the joined word";
            self.found.push(Diagnostic::error("preprocessor", glued.span, String::from(message)));
        }
        let names = tokens.iter().skip(2).filter(|token| token.kind == Kind::Word);
        let names = names.map(|token| lexer::slice(self.text, token.span)).collect();
        let parameters = takes.then_some(names);
        let defined = Macro { parameters, tokens: stands_for };
        self.defined.insert(lexer::slice(self.text, span), defined);
    }

    /// Whether the condition of `#if`, `#ifdef` or `#ifndef` holds.
    fn holds(&mut self, word: &str, tokens: &[Token], line: Token) -> bool {
        tokens.iter().for_each(|token| self.assume_extension(*token));
        let known = match word {
            "if" => self.condition(tokens).map(|value| value != 0),
            _ => tokens
                .first()
                .and_then(|token| self.is_defined(token))
                .map(|is| is == (word == "ifdef")),
        };
        known.unwrap_or_else(|| {
            self.error(line, "this condition cannot be evaluated: expected defined names, integers and `defined(NAME)`");
            false
        })
    }

    /// Assumes that the device has an extension of OpenCL.
    fn assume_extension(&mut self, token: Token) {
        let name = lexer::slice(self.text, token.span);
        let is_extension = token.kind == Kind::Word && name.starts_with("cl_");
        if !self.of_c || !is_extension || self.defined.contains_key(name) {
            return;
        }
        self.defined.insert(name, Macro { parameters: None, tokens: Vec::new() });
        let message = format!("the device decides whether it has `{name}`; assuming that it does");
        self.found.push(Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error("preprocessor", token.span, message)
        });
    }

    /// Whether the text defines a name; `None` if the device or its compiler determines it.
    fn is_defined(&self, token: &Token) -> Option<bool> {
        let name = lexer::slice(self.text, token.span);
        let known = self.defined.contains_key(name);
        (token.kind == Kind::Word && (known || !is_of_device(name))).then_some(known)
    }

    /// The value of the condition of `#if`; undefined names are zero.
    fn condition(&self, tokens: &[Token]) -> Option<i64> {
        let (mut plain, mut at) = (String::new(), 0);
        while let Some(token) = tokens.get(at) {
            at += 1;
            let word =
                |at: usize| tokens.get(at).map_or("", |token| lexer::slice(self.text, token.span));
            if word(at - 1) == "defined" {
                let closed = word(at) == "(";
                let name = tokens.get(at + usize::from(closed))?;
                plain.push_str(if self.is_defined(name)? { " 1l " } else { " 0l " });
                at += 1 + 2 * usize::from(closed);
                if closed && word(at - 1) != ")" {
                    return None;
                }
                continue;
            }
            self.put_value(token, 0, &mut plain)?;
        }
        constant(&plain)
    }

    /// The value of a token of a condition.
    fn put_value(&self, token: &Token, depth: u32, plain: &mut String) -> Option<()> {
        let name = lexer::slice(self.text, token.span);
        if plain.len() > MOST_TOKENS || depth > DEEPEST {
            return None;
        }
        match self.defined.get(name) {
            // The preprocessor computes in the widest types.
            _ if token.kind == Kind::Number && !name.starts_with('\'') => {
                plain.push_str(&format!(" {name}l "));
            }
            _ if token.kind != Kind::Word => plain.push_str(&format!(" {name} ")),
            Some(Macro { parameters: None, tokens }) => {
                for token in tokens {
                    self.put_value(token, depth + 1, plain)?;
                }
            }
            Some(_) => return None,
            None if is_of_device(name) => return None,
            None => plain.push_str(" 0l "),
        }
        Some(())
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
pub(crate) fn constant(plain: &str) -> Option<i64> {
    let mut parser = Parser::new(plain);
    parser.of_c = true;
    let value = parser.expression().ok().filter(|_| parser.at_end())?;
    Constants::number(&value).ok().map(|(number, _)| number)
}

/// Whether the device or its compiler defines a name.
fn is_of_device(name: &str) -> bool {
    name.starts_with("__") || name.starts_with("cl_") || name.starts_with("CL_")
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
    let behind = all.strip_prefix('#')?;
    let word = behind.trim_start();
    let length = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let (word, rest) = word.split_at(length);
    let apart = behind.starts_with([' ', '\t']);
    let before = all.len() - rest.len();
    let mut tokens = lexer::lex(rest);
    tokens.retain(|one| one.kind != Kind::Newline && lexer::slice(rest, one.span) != "\\");
    for one in &mut tokens {
        one.span.start += line.span.start + before as u32;
        // On its first line it follows the keyword.
        if one.span.line == 1 {
            one.span.column += line.span.column + before as u32 - 1;
        }
        one.span.line += line.span.line - 1;
    }
    let glues = |token: &Token| lexer::slice(text, token.span).starts_with("##");
    tokens.retain(|token| token.kind != Kind::Comment || glues(token));
    let first = text.get(..line.span.start as usize).and_then(|text| text.rsplit('\n').next());
    let sure = match word {
        _ if of_c && first.is_some_and(|first| first.trim().is_empty()) => true,
        "ifdef" | "ifndef" => tokens.len() == 1,
        "endif" | "else" => tokens.is_empty(),
        _ => false,
    };
    (!apart || sure).then_some((word, tokens))
}
