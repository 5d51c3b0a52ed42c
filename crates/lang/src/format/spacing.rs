//! Spaces within a statement.

use crate::expression::types::Type;
use crate::lexer::{self, Kind, Token};
use crate::parse::KEYWORDS;
use crate::vocabulary;

/// The layout of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Operators surrounded by spaces.
    Code,
    /// `key=value`, identifiers with dashes.
    Header,
    /// `wave 1-3`.
    Agents,
    /// As written, with white space folded: other languages.
    Raw,
    /// As `Call`, but before a block: C functions.
    Function,
}

const HEADERS: [&str; 7] = ["title", "note", "lesson", "target", "launch", "reading", "expect"];
const AGENTS: [&str; 6] = ["wave", "warp", "subgroup", "workgroup", "cta", "group"];

impl Layout {
    /// The layout of the statement that these tokens begin with.
    pub(super) fn of(text: &str, tokens: &[Token]) -> Self {
        let word = |at: usize| lexer::word(text, tokens, at);
        let mut at = 0;
        if matches!(word(at), "@" | "!" | ".") {
            return Self::Raw;
        }
        at += usize::from(matches!(word(at), "let" | "%"));
        if word(at + 1) == "=" {
            at += 2;
        }
        let first = word(at);
        if first == "call" && word(at + 2) == "(" {
            return Self::Code;
        }
        if matches!(first, "call" | "tail") || first == "fence" {
            return Self::Raw;
        }
        let (head, after) = head(text, &tokens[at.min(tokens.len())..]);
        if HEADERS.contains(&first) && head == first {
            return Self::Header;
        }
        if AGENTS.contains(&first) && head == first {
            return Self::Agents;
        }
        let named = matches!(first, "auto") && word(at + 2) == "(";
        if matches!(first, "kernel" | "__kernel") && word(at + 1) != "{" || first == "void" || named
        {
            return Self::Function;
        }
        let raw = vocabulary::find(head).is_none()
            && (vocabulary::is_foreign(head, after)
                || vocabulary::ptx::is_beside(head)
                || head == vocabulary::ptx::ELECT);
        if raw { Self::Raw } else { Self::Code }
    }
}

/// The dotted name at the start of tokens, and the token after it.
fn head<'a>(text: &'a str, tokens: &[Token]) -> (&'a str, &'a str) {
    let word = |at: usize| lexer::word(text, tokens, at);
    let Some(first) = tokens.first().filter(|token| token.kind == Kind::Word) else {
        return ("", word(0));
    };
    let mut span = first.span;
    let mut count = 1;
    while let Some(token) = tokens.get(count) {
        let joins =
            matches!(token.kind, Kind::Word | Kind::Number) || matches!(word(count), "." | "::");
        if !joins || token.span.start != span.start + span.length {
            break;
        }
        span.length += token.span.length;
        count += 1;
    }
    (lexer::slice(text, span), word(count))
}

/// Whether a space precedes the last of these tokens of one statement, of which there are at least two.
pub(super) fn blank(layout: Layout, text: &str, tokens: &[Token]) -> bool {
    let [.., before, token] = tokens else { return false };
    let written = before.span.start + before.span.length < token.span.start;
    let words = (lexer::slice(text, before.span), lexer::slice(text, token.span));
    match (layout, words) {
        (Layout::Raw | Layout::Function, _) => written,
        (Layout::Header, (_, "=" | "," | ":") | ("=", _)) => false,
        (Layout::Header, ("," | ":", _)) => true,
        (Layout::Header, _) => written,
        (Layout::Agents, (_, "-") | ("-", _)) => false,
        (Layout::Agents, _) => true,
        (Layout::Code, (left, right)) => code(text, tokens, left, right, written),
    }
}

/// Spaces in expressions and operands.
fn code(text: &str, tokens: &[Token], left: &str, right: &str, written: bool) -> bool {
    let earlier = &tokens[..tokens.len() - 1];
    if left == "-" && earlier.len() > 1 && is_arrow(text, &tokens[..tokens.len() - 1]) {
        return true;
    }
    match (left, right) {
        ("<", "-") if is_arrow(text, tokens) => false,
        ("expected", "=") => false,
        ("=", _)
            if earlier.len() > 2
                && lexer::slice(text, earlier[earlier.len() - 2].span) == "expected" =>
        {
            false
        }
        ("++" | "--", _) if is_before(earlier, text) => false,
        (_, "++" | "--") => left != "(" && !is_value(text, earlier),
        (_, ";") => false,
        // The label of a branch: `s_branch .LBB0_2`.
        (_, ".") if written && earlier.len() == 1 => true,
        (_, ":") if lexer::slice(text, tokens[0].span) == "case" => false,
        (_, "," | ")" | "]" | "." | "::" | "..") | ("(" | "[" | "." | "::" | "..", _) => false,
        (_, "[") => !is_value(text, earlier),
        (_, "(") if is_name(earlier) => written || is_keyword(text, earlier),
        ("*" | "&", _) if is_type(text, &earlier[..earlier.len() - 1]) => false,
        ("-" | "!" | "~" | "@" | "%" | "--" | "*" | "&", _) => {
            is_value(text, &earlier[..earlier.len() - 1])
        }
        _ => true,
    }
}

/// Whether the tokens end in the arrow of an asynchronous copy.
fn is_arrow(text: &str, tokens: &[Token]) -> bool {
    let [first, .., less, minus] = tokens else { return false };
    lexer::slice(text, less.span) == "<"
        && lexer::slice(text, minus.span) == "-"
        && lexer::slice(text, first.span) == "async_load"
}

/// Whether the last of the tokens, `++` or `--`, is a prefix operator.
fn is_before(earlier: &[Token], text: &str) -> bool {
    let before = earlier.len().checked_sub(2).map(|at| lexer::slice(text, earlier[at].span));
    before.is_none_or(|word| matches!(word, "(" | ";" | ","))
}

fn is_name(earlier: &[Token]) -> bool {
    earlier.last().is_some_and(|token| token.kind == Kind::Word)
}

fn is_keyword(text: &str, earlier: &[Token]) -> bool {
    let word = earlier.last().map_or("", |token| lexer::slice(text, token.span));
    let begins = |with: &str| lexer::slice(text, earlier[0].span) == with;
    KEYWORDS.contains(&word)
        || word == "in" && earlier.len() == 3 && begins("for")
        || word == "box" && begins("global")
}

/// Whether the tokens end with a C type, so that `*` or `&` declares a pointer or a reference.
fn is_type(text: &str, earlier: &[Token]) -> bool {
    let word = earlier.last().map(|token| lexer::slice(text, token.span));
    Type::of(word.into_iter()).is_some()
}

/// Whether the tokens end with a value, so that the next operator is binary.
fn is_value(text: &str, earlier: &[Token]) -> bool {
    let Some(last) = earlier.last() else { return false };
    match last.kind {
        Kind::Number => true,
        Kind::Word => !is_keyword(text, earlier) && !is_head(text, earlier),
        _ => matches!(lexer::slice(text, last.span), ")" | "]"),
    }
}

/// Whether the tokens end with the name of an instruction.
fn is_head(text: &str, earlier: &[Token]) -> bool {
    let last = earlier.len() - 1;
    let start = (0..=last).rev().find(|&at| {
        let before =
            at.checked_sub(1).map_or("", |before| lexer::slice(text, earlier[before].span));
        !matches!(before, "." | "::") && !matches!(lexer::slice(text, earlier[at].span), "." | "::")
    });
    let start = start.unwrap_or(0);
    let opens = start == 0 || lexer::slice(text, earlier[start - 1].span) == "=";
    opens && vocabulary::find(head(text, &earlier[start..]).0).is_some()
}
