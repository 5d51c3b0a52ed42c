//! Lines of the preprocessor: `#define NAME …` stands for what is behind it, other lines are comments.

use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::{self, Kind, Token};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Most tokens that definitions may stand for in all.
const MOST_TOKENS: usize = 100_000;
/// How deep definitions may stand in definitions.
const DEEPEST: u32 = 16;

/// The tokens without comments, definitions put in their places, and what is to be said of other lines.
pub(super) fn expanded(text: &str, tokens: Vec<Token>) -> (Vec<Token>, Vec<Diagnostic>) {
    let directives = tokens.iter().filter(|token| token.kind == Kind::Comment);
    let warnings = directives.clone().filter_map(|token| conditional(text, token)).collect();
    let defined: BTreeMap<&str, Vec<Token>> =
        directives.filter_map(|token| definition(text, token)).collect();
    let others = tokens.into_iter().filter(|token| token.kind != Kind::Comment);
    if defined.is_empty() {
        return (others.collect(), warnings);
    }
    let (mut all, mut left) = (Vec::new(), MOST_TOKENS);
    others.for_each(|token| put(text, &defined, (token, 0), &mut left, &mut all));
    (all, warnings)
}

/// A token, or what is defined for it.
fn put(
    text: &str,
    defined: &BTreeMap<&str, Vec<Token>>,
    (token, depth): (Token, u32),
    left: &mut usize,
    all: &mut Vec<Token>,
) {
    let known = defined.get(lexer::slice(text, token.span)).filter(|_| token.kind == Kind::Word);
    match known {
        Some(tokens) if depth < DEEPEST && *left >= tokens.len() => {
            *left -= tokens.len();
            tokens.iter().for_each(|&token| put(text, defined, (token, depth + 1), left, all));
        }
        _ => all.push(token),
    }
}

/// `#define NAME …`, but for one that takes arguments: its name, and the tokens behind it.
fn definition<'a>(text: &'a str, token: &Token) -> Option<(&'a str, Vec<Token>)> {
    let line = lexer::slice(text, token.span);
    let behind = line.strip_prefix("#define").filter(|rest| rest.starts_with([' ', '\t']))?;
    let before = line.len() - behind.len();
    let mut tokens = lexer::lex(behind);
    for one in &mut tokens {
        one.span.start += token.span.start + before as u32;
        one.span.line = token.span.line;
        one.span.column += token.span.column + before as u32 - 1;
    }
    tokens.retain(|token| token.kind != Kind::Comment);
    let name = tokens.first().filter(|first| first.kind == Kind::Word)?;
    let span = name.span;
    let takes = tokens.get(1).is_some_and(|next| {
        next.span.start == span.start + span.length && lexer::slice(text, next.span) == "("
    });
    (!takes).then(|| (lexer::slice(text, span), tokens.split_off(1)))
}

/// `#if` and its like are not read: what is between them is there.
fn conditional(text: &str, token: &Token) -> Option<Diagnostic> {
    let line = lexer::slice(text, token.span);
    let word = line.split_whitespace().next().unwrap_or_default();
    let message = "lines between `#if` and `#endif` are all read, whatever the condition says: leave out those that do not count";
    matches!(word, "#if" | "#ifdef" | "#ifndef" | "#elif" | "#else").then(|| Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::error("not-preprocessed", token.span, String::from(message))
    })
}
