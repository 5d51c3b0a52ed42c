//! The colours of a text, line by line: the parser's own tokens. It decides nothing.

use crate::engine::{TokenKind, tokens};
use std::ops::Range;

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// Its text.
    pub text: String,
    /// `comment`, `string`, `number`, `word` (a word of the language), or nothing.
    pub tint: &'static str,
    /// Whether a diagnostic is about it.
    pub marked: bool,
}

/// A coloured part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tint {
    /// Its first byte.
    start: usize,
    /// The byte behind it.
    end: usize,
    /// As in [`Piece::tint`].
    name: &'static str,
}

/// What of a text has a colour, in order.
pub(crate) fn tints(text: &str) -> Vec<Tint> {
    let tint = |(start, length, kind)| {
        let name = match kind {
            TokenKind::Comment => "comment",
            TokenKind::String => "string",
            TokenKind::Number => "number",
            TokenKind::Keyword => "word",
            _ => return None,
        };
        Some(Tint { start, end: start + length, name })
    };
    tokens(text).filter_map(tint).collect()
}

/// The pieces of a line that begins at a byte of the text; `marks` are ranges of its characters.
pub(crate) fn pieces(
    line: &str,
    start: usize,
    tints: &[Tint],
    marks: &[Range<usize>],
) -> Vec<Piece> {
    let mut tints = &tints[tints.partition_point(|tint| tint.end <= start)..];
    let mut pieces: Vec<Piece> = Vec::new();
    let mut columns = 0;
    for (column, (offset, letter)) in line.char_indices().enumerate() {
        columns = column + 1;
        let place = start + offset;
        while let Some((_, rest)) = tints.split_first().filter(|(first, _)| first.end <= place) {
            tints = rest;
        }
        let tint = tints.first().filter(|tint| tint.start <= place).map_or("", |tint| tint.name);
        let marked = marks.iter().any(|mark| mark.contains(&column));
        match pieces.last_mut() {
            Some(last) if last.tint == tint && last.marked == marked => last.text.push(letter),
            _ => pieces.push(Piece { text: letter.into(), tint, marked }),
        }
    }
    if marks.iter().any(|mark| mark.start >= columns) {
        pieces.push(Piece { text: " ".into(), tint: "", marked: true });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(line: &str, marks: &[Range<usize>]) -> Vec<Piece> {
        pieces(line, 0, &tints(line), marks)
    }

    #[test]
    fn pieces_are_the_line() {
        assert!(painted("", &[]).is_empty());
        for line in
            ["wave 0 { # ü \"x\"", "note \"open", "s_barrier_wait -1 // x", "ééé \u{1f600} 0x1F"]
        {
            let whole: String =
                painted(line, &[1..3]).into_iter().map(|piece| piece.text).collect();
            assert_eq!(whole, line);
        }
    }

    #[test]
    fn words_numbers_and_comments_are_told_apart() {
        let kinds = |pieces: Vec<Piece>| pieces.iter().map(|piece| piece.tint).collect::<Vec<_>>();
        assert_eq!(kinds(painted("wave 0 # x", &[])), ["word", "", "number", "", "comment"]);
        let text = "é\nwave 0";
        assert_eq!(kinds(pieces("wave 0", 3, &tints(text), &[])), ["word", "", "number"]);
    }

    #[test]
    fn a_mark_behind_the_end_is_still_seen() {
        assert!(painted("ab", &[2..3]).last().is_some_and(|piece| piece.marked));
    }
}
