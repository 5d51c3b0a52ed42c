//! The colours of a text, line by line. The engine determines the colours.

use std::ops::Range;

/// The names of the colours, in the order of [`protocol::tints`].
const TINTS: [&str; 6] = ["comment", "string", "number", "word", "operation", "object"];

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// Its text.
    pub text: String,
    /// One of [`TINTS`], or empty.
    pub tint: &'static str,
    /// Whether a diagnostic covers it.
    pub marked: bool,
}

/// Returns the pieces of a line that starts at a UTF-16 code unit of the text. `tints` are the colours as triples; those that
/// end before the line are removed. `marks` are character ranges of the line.
pub(crate) fn pieces(
    line: &str,
    start: u32,
    tints: &mut &[u32],
    marks: &[Range<usize>],
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut columns, mut place) = (0, start);
    for (column, letter) in line.chars().enumerate() {
        columns = column + 1;
        let tint = tint(tints, place);
        place += letter.len_utf16() as u32;
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

/// Returns the colour at a position; removes triples that end before it.
fn tint(tints: &mut &[u32], place: u32) -> &'static str {
    while let [start, end, kind, rest @ ..] = *tints {
        if *end <= place {
            *tints = rest;
            continue;
        }
        let known = TINTS.get(*kind as usize).filter(|_| *start <= place);
        return known.copied().unwrap_or("");
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::tints;

    fn painted(line: &str, marks: &[Range<usize>]) -> Vec<Piece> {
        pieces(line, 0, &mut tints(line).as_slice(), marks)
    }

    #[test]
    fn pieces_are_the_line() {
        assert!(painted("", &[]).is_empty());
        for line in
            ["wave 0 { # ü \"x\"", "note \"open", "s_barrier_wait -1 // x", "ééé \u{1f600} 0x1F"]
        {
            let whole: String = painted(line, std::slice::from_ref(&(1..3)))
                .into_iter()
                .map(|piece| piece.text)
                .collect();
            assert_eq!(whole, line);
        }
    }

    #[test]
    fn words_numbers_and_comments_have_different_colours() {
        let kinds = |pieces: Vec<Piece>| pieces.iter().map(|piece| piece.tint).collect::<Vec<_>>();
        assert_eq!(kinds(painted("wave 0 # x", &[])), ["word", "", "number", "", "comment"]);
        let triples = tints("\u{1f600}\nwave 0");
        let mut rest = triples.as_slice();
        assert_eq!(kinds(pieces("\u{1f600}", 0, &mut rest, &[])), [""]);
        assert_eq!(kinds(pieces("wave 0", 3, &mut rest, &[])), ["word", "", "number"]);
    }

    #[test]
    fn a_mark_after_the_end_is_visible() {
        assert!(
            painted("ab", std::slice::from_ref(&(2..3))).last().is_some_and(|piece| piece.marked)
        );
    }
}
