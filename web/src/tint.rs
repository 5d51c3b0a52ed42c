//! Light colouring of a line, until the parser's own tokens are shown. It decides nothing.

use std::ops::Range;

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// Its text.
    pub text: String,
    /// `comment`, `string`, `number`, `word` (a word of the structure), or nothing.
    pub tint: &'static str,
    /// Whether a diagnostic is about it.
    pub marked: bool,
}

const STRUCTURE: &[&str] = &[
    "title",
    "note",
    "target",
    "launch",
    "reading",
    "expect",
    "barrier",
    "mbarrier",
    "lds",
    "shared",
    "local",
    "global",
    "const",
    "wave",
    "warp",
    "subgroup",
    "thread",
    "item",
    "lane",
    "workgroup",
    "cta",
    "group",
    "kernel",
    "func",
    "call",
    "let",
    "if",
    "else",
    "for",
    "in",
    "repeat",
    "while",
    "loop",
    "break",
    "continue",
    "choose",
    "or",
    "exit",
    "named",
];

/// The pieces of a line; `marks` are ranges of characters.
pub(crate) fn pieces(line: &str, marks: &[Range<usize>]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut column = 0;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (length, tint) = token(rest, first);
        for letter in rest[..length].chars() {
            let marked = marks.iter().any(|mark| mark.contains(&column));
            match pieces.last_mut() {
                Some(last) if last.tint == tint && last.marked == marked => last.text.push(letter),
                _ => pieces.push(Piece { text: letter.into(), tint, marked }),
            }
            column += 1;
        }
        rest = &rest[length..];
    }
    if marks.iter().any(|mark| mark.start >= column) {
        pieces.push(Piece { text: " ".into(), tint: "", marked: true });
    }
    pieces
}

/// Length in bytes and tint of what a text begins with.
fn token(text: &str, first: char) -> (usize, &'static str) {
    let until = |end: fn(char) -> bool| text.find(end).unwrap_or(text.len());
    if first == '#' || text.starts_with("//") {
        (text.len(), "comment")
    } else if first == '"' {
        (text[1..].find('"').map_or(text.len(), |end| end + 2), "string")
    } else if first.is_ascii_digit() {
        (until(|letter| !letter.is_ascii_alphanumeric() && letter != '_'), "number")
    } else if first.is_ascii_alphabetic() || first == '_' {
        let length =
            until(|letter| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.'));
        (length, if STRUCTURE.contains(&&text[..length]) { "word" } else { "" })
    } else {
        (first.len_utf8(), "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_line() {
        assert!(pieces("", &[]).is_empty());
        for line in
            ["wave 0 { # ü \"x\"", "note \"open", "s_barrier_wait -1 // x", "ééé \u{1f600} 0x1F"]
        {
            let whole: String = pieces(line, &[1..3]).into_iter().map(|piece| piece.text).collect();
            assert_eq!(whole, line);
        }
    }

    #[test]
    fn words_numbers_and_comments_are_told_apart() {
        let tints: Vec<_> = pieces("wave 0 # x", &[]).into_iter().map(|piece| piece.tint).collect();
        assert_eq!(tints, ["word", "", "number", "", "comment"]);
    }

    #[test]
    fn a_mark_behind_the_end_is_still_seen() {
        assert!(pieces("ab", &[2..3]).last().is_some_and(|piece| piece.marked));
    }
}
