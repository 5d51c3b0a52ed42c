//! Calls over several lines.

use crate::lexer::{self, Token};
use alloc::vec::Vec;

/// The tokens without the line ends in the parentheses of calls of TLX.
pub(super) fn joined_lines(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let word = |at: usize| lexer::word(text, &tokens, at);
    let (mut joined, mut end) = (Vec::with_capacity(tokens.len()), 0);
    for (at, &token) in tokens.iter().enumerate() {
        let opens = at >= end && word(at) == "(" && at >= 3;
        if opens && (word(at - 3), word(at - 2)) == ("tlx", ".") {
            end = closing(word, at).unwrap_or(end);
        }
        if at >= end || token.kind != lexer::Kind::Newline {
            joined.push(token);
        }
    }
    joined
}

/// The parenthesis that closes the one at this token; `None` if a block begins or ends before it.
fn closing<'a>(word: impl Fn(usize) -> &'a str, open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for at in open.. {
        match word(at) {
            "(" => depth += 1,
            ")" if depth == 1 => return Some(at),
            ")" => depth -= 1,
            "" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}
