//! Messages that quote a line of the scenario and underline a range.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// A message about a range of a text.
pub(crate) struct Message<'a> {
    /// The word before the identifier: a class, `error`, `warning`.
    pub(crate) word: &'a str,
    /// Rule or code.
    pub(crate) id: &'a str,
    /// The title.
    pub(crate) title: &'a str,
    /// File, text and range, if there is one.
    pub(crate) place: Option<Place<'a>>,
    /// The label of the underlined text.
    pub(crate) label: Option<&'a str>,
    /// Lines below the snippet: a label (`note`, `help`) and its text.
    pub(crate) footer: Vec<(&'a str, String)>,
}

/// A range of a text.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
    pub(crate) range: Range<usize>,
}

impl Message<'_> {
    /// The styled message, with a final line feed.
    pub(crate) fn render(&self) -> String {
        let level = level_of(self.word).with_name(self.word);
        let mut elements: Vec<Element<'_>> = Vec::new();
        if let Some(place) = &self.place {
            let annotation =
                AnnotationKind::Primary.span(clamp(place.text, &place.range)).label(self.label);
            elements
                .push(Snippet::source(place.text).path(place.file).annotation(annotation).into());
        }
        for (word, says) in &self.footer {
            elements.push(Level::NOTE.with_name(*word).message(says.as_str()).into());
        }
        let group: Group<'_> = level.primary_title(self.title).id(self.id).elements(elements);
        Renderer::styled().render(&[group]) + "\n"
    }
}

fn level_of(word: &str) -> Level<'static> {
    match word {
        "warning" | "hazard" | "lint" | "unknown" => Level::WARNING,
        possible if possible.starts_with("possible ") => Level::WARNING,
        "unsupported" => Level::NOTE,
        _ => Level::ERROR,
    }
}

/// Limits a range to the text and to character boundaries.
fn clamp(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    let end = text.ceil_char_boundary(range.end.max(start));
    // A mark at the end of a line does not extend to the next line.
    start..if text[start..end].starts_with('\n') { start } else { end }
}

/// The bytes from a line and column (both from 1, columns in characters) to the end of the statement there.
pub(crate) fn statement(text: &str, line: u32, column: u32) -> Option<Range<usize>> {
    let start_of_line = match line.checked_sub(2) {
        None => (line == 1).then_some(0)?,
        Some(index) => text.match_indices('\n').nth(index as usize)?.0 + 1,
    };
    let rest = text[start_of_line..].split('\n').next()?;
    let skip = column.checked_sub(1)? as usize;
    let start = rest.char_indices().map(|(place, _)| place).chain([rest.len()]).nth(skip)?;
    let statement = &rest[start..];
    let end = [";", "//", "#", "{", "}", "\r"].iter().filter_map(|stop| statement.find(stop)).min();
    let length = statement[..end.unwrap_or(statement.len())].trim_end().len();
    Some(start_of_line + start..start_of_line + start + length.max(1).min(statement.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_at_its_separator() {
        let text = "wave 0 {\n  arrive wg; wait wg  # é\n  join n }\nlast";
        let at = |line, column| statement(text, line, column).map(|range| &text[range]);
        assert_eq!(at(2, 3), Some("arrive wg"));
        assert_eq!(at(2, 14), Some("wait wg"));
        assert_eq!(at(3, 3), Some("join n"));
        assert_eq!(at(4, 1), Some("last"));
        assert_eq!(at(4, 5), Some(""));
        for (line, column) in [(0, 1), (1, 0), (5, 1), (4, 6), (u32::MAX, 1), (1, u32::MAX)] {
            assert_eq!(at(line, column), None);
        }
    }

    #[test]
    fn no_position_makes_it_panic() {
        for text in ["", "é", "a\nb", "\u{1b}[31m\n", "\t\r\n"] {
            for (start, end) in [(0, 0), (0, 99), (1, 1), (99, 5), (5, 1)] {
                #[allow(clippy::reversed_empty_ranges)]
                let place = Some(Place { file: "x", text, range: start..end });
                let message = Message {
                    word: "ub",
                    id: "a.b",
                    title: "t\u{1b}",
                    place,
                    label: Some("l"),
                    footer: vec![("note", "x".into())],
                };
                assert!(message.render().contains("a.b"));
            }
        }
    }
}
