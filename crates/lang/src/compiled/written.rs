//! The text from which a compiler made the code that is read. Positions of the code are reported as positions of this text.

use super::debug::DebugLines;
use crate::diagnostic::Span;
use alloc::string::String;

/// The source of the code, and which of its lines each line of the code comes from.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Written {
    text: String,
    lines: DebugLines,
}

impl Written {
    /// A source, and the lines from which those of the code come.
    #[must_use]
    pub fn new(text: &str, lines: DebugLines) -> Self {
        Self { text: text.into(), lines }
    }

    /// The line of the source from which a line of the code comes, if it is known.
    pub fn line_of(&self, of_code: u32) -> Option<u32> {
        self.lines.near(of_code).map(|(line, _)| line)
    }

    /// The statement of the source from which a line of the code comes; the first line if that is unknown.
    pub fn statement(&self, of_code: u32) -> Span {
        let (line, column) = self.lines.near(of_code).unwrap_or((1, 0));
        let lines = self.text.split_inclusive('\n');
        let begin: usize = lines.take(line.saturating_sub(1) as usize).map(str::len).sum();
        let whole = self.text[begin..].lines().next().unwrap_or("");
        let places = whole.char_indices().map(|(at, _)| at).chain([whole.len()]);
        let at = places.take(column.max(1) as usize).last().unwrap_or(0);
        let start = begin_of_statement(&whole[..at]);
        let start = start + whole[start..].len() - whole[start..].trim_start().len();
        let following = whole[at..].find([';', '{', '}']).map_or(whole.len(), |found| at + found);
        let length = whole[start.min(following)..following].trim_end().len();
        Span {
            start: (begin + start) as u32,
            length: length as u32,
            line,
            column: whole[..start].chars().count() as u32 + 1,
        }
    }

    /// A whole line of the source.
    pub fn line(&self, line: u32) -> Span {
        let lines = self.text.split_inclusive('\n');
        let begin: usize = lines.take(line.saturating_sub(1) as usize).map(str::len).sum();
        let whole = self.text[begin..].lines().next().unwrap_or("");
        let start = whole.len() - whole.trim_start().len();
        Span {
            start: (begin + start) as u32,
            length: whole.trim().len() as u32,
            line,
            column: whole[..start].chars().count() as u32 + 1,
        }
    }

    /// The text of a span, with white space folded.
    pub fn words(&self, span: Span) -> String {
        let range = span.start as usize..(span.start + span.length) as usize;
        let words = self.text.get(range).unwrap_or("").split_whitespace();
        words.collect::<alloc::vec::Vec<_>>().join(" ")
    }
}

/// Where the statement begins whose line starts with these letters: after the last separator, or after the parentheses of a
/// `for`, `if` or `while`.
fn begin_of_statement(before: &str) -> usize {
    let mut open = 0_u32;
    for (at, letter) in before.char_indices().rev() {
        match letter {
            ')' => open += 1,
            '(' => open = open.saturating_sub(1),
            ';' | '{' | '}' if open == 0 => return at + 1,
            _ => {}
        }
    }
    let head = before.trim_start();
    let heads = ["for", "if", "while"];
    if !heads
        .iter()
        .any(|word| head.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')))
    {
        return 0;
    }
    let mut depth = 0_u32;
    for (at, letter) in before.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return at + 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;

    #[test]
    fn the_head_of_a_loop_is_no_part_of_its_statement() {
        let from = |before: &str| before[begin_of_statement(before)..].trim_start().to_owned();
        assert_eq!(from("  for (int j = 0; j < 16; ++j) acc += f(a) * "), "acc += f(a) * ");
        assert_eq!(from("  for (int j = 0; j < "), "j < ");
        assert_eq!(from("  if (t < (d + 1)) s[t] += "), "s[t] += ");
        assert_eq!(from("  x(); y(1, "), "y(1, ");
    }

    #[test]
    fn a_place_in_a_statement_stands_for_the_statement() {
        let code = "define void @k() !dbg !4 {\n call void @a(), !dbg !6\n call void @b(), !dbg !7\n\
            !0 = distinct !DICompileUnit(file: !1)\n!1 = !DIFile(filename: \"k.cl\")\n\
            !4 = distinct !DISubprogram(scope: !1, file: !1, line: 1)\n\
            !6 = !DILocation(line: 2, column: 20, scope: !4)\n\
            !7 = !DILocation(line: 9, column: 1, scope: !4)\n";
        let text = "kernel void k() {\n  int é = 1;  out[i]  = in[i]; // copy\n}";
        let written = Written::new(text, DebugLines::read(code));
        let words = |line| written.words(written.statement(line));
        assert_eq!(words(1), "kernel void k()");
        assert_eq!(words(2), "out[i] = in[i]");
        assert_eq!((written.statement(2).line, written.statement(2).column), (2, 15));
        assert_eq!(words(3), "", "a line that the text does not have");
    }
}
