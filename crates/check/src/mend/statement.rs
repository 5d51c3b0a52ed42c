//! A statement in the text, and edits of it.

use crate::edit::fix;
use crate::edit::written::Written;
use crate::report::{Edit, Finding};
use crate::scene::Scene;
use crate::tell::help::edit::Said;
use alloc::string::{String, ToString};
use tidegate_lang::diagnostic::Span;

/// A statement: its position and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement<'a> {
    text: &'a str,
    span: Span,
}

impl<'a> Statement<'a> {
    /// The statement at the place of a finding.
    pub(super) fn of(scene: &'a Scene, finding: &Finding) -> Option<Self> {
        Self::at(scene.text(), finding.line?, finding.column?)
    }

    /// The statement that begins at a place, up to what ends it.
    pub(crate) fn at(text: &'a str, line: u32, column: u32) -> Option<Self> {
        let begins = line_start(text, line)?;
        let mut places = text[begins..].char_indices();
        let start = begins + places.nth(column.checked_sub(1)? as usize)?.0;
        let rest = text.get(start..)?;
        let end = rest.find([';', '\n', '}', '#']).unwrap_or(rest.len());
        let end = rest[..end].find("//").unwrap_or(end);
        let length = rest[..end].trim_end().len();
        let span = Span { start: start as u32, length: length as u32, line, column };
        (length > 0).then_some(Self { text, span })
    }

    /// The statement that spells an operation in a line, if there is one such place.
    pub(super) fn spelled(scene: &'a Scene, line: u32, operation: &str) -> Option<Self> {
        let text = scene.text();
        let start = line_start(text, line)?;
        let whole = text[start..].lines().next()?;
        let mut places = whole.match_indices(operation);
        let (at, _) = places.next().filter(|_| places.next().is_none())?;
        Self::at(text, line, column(&whole[..at]))
            .filter(|found| found.words().starts_with(operation))
    }

    /// Its first byte.
    pub(super) const fn start(&self) -> usize {
        self.span.start as usize
    }

    /// Its line and its column, from 1.
    pub(crate) const fn place(&self) -> (u32, u32) {
        (self.span.line, self.span.column)
    }

    /// Its text.
    pub(crate) fn words(&self) -> &'a str {
        let start = self.span.start as usize;
        &self.text[start..start + self.span.length as usize]
    }

    /// The statement in a sentence.
    pub(super) fn said(&self) -> Said<'a> {
        Said { words: self.words(), line: self.span.line }
    }

    pub(super) fn before(&self, statement: &str) -> Edit {
        Written::of(self.text).before(self.span, statement)
    }

    pub(super) fn after(&self, statement: &str) -> Edit {
        Written::of(self.text).after(self.span, statement)
    }

    /// Other words in its place.
    pub(super) fn instead(&self, words: &str) -> Edit {
        fix::instead(self.span, words)
    }

    /// Deletes it.
    pub(crate) fn deleted(&self) -> Edit {
        fix::delete(self.text, self.span)
    }

    /// With another last operand, where that is a number: the number, and how the statement is then spelled.
    pub(super) fn last_number(&self) -> Option<(i64, impl Fn(i64) -> String + use<'a>)> {
        let words = self.words();
        let end = words.rfind(|c: char| c.is_ascii_digit())? + 1;
        let start = words[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        let before = words[..start].trim_end_matches('-');
        let alone = before.chars().next_back().is_none_or(|c| " (,=\t".contains(c));
        let following = words[end..].trim().trim_end_matches(')').is_empty();
        let number = words[start..end].parse().ok().filter(|_| alone && following)?;
        let spelled = move |number: i64| {
            let (head, tail) = (&words[..start], &words[end..]);
            [head, &number.to_string(), tail].concat()
        };
        Some((number, spelled))
    }
}

/// The column, in characters from 1, after the text of a line so far.
fn column(before: &str) -> u32 {
    before.chars().count() as u32 + 1
}

/// The byte at which a line, from 1, starts.
fn line_start(text: &str, line: u32) -> Option<usize> {
    let above = line.checked_sub(1)? as usize;
    match above {
        0 => Some(0),
        _ => text.match_indices('\n').nth(above - 1).map(|(at, _)| at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Fix;
    use alloc::vec;

    const TEXT: &str = "wave 0 { join b; arrive b }  # a\n  wait b // b\n\tinit b, 12\n";

    #[test]
    fn a_statement_ends_at_the_start_of_the_next() {
        let at = |line, column| Statement::at(TEXT, line, column).map(|found| found.words());
        assert_eq!(at(1, 10), Some("join b"));
        assert_eq!(at(1, 18), Some("arrive b"));
        assert_eq!(at(2, 3), Some("wait b"));
        assert_eq!((at(9, 1), at(0, 1), at(1, 0)), (None, None, None));
    }

    #[test]
    fn a_deletion_includes_the_line_or_the_semicolon() {
        let without = |line, column| {
            let edit = Statement::at(TEXT, line, column).expect("a statement").deleted();
            fix::apply(TEXT, &Fix { message: String::new(), edits: vec![edit] })
        };
        assert!(without(1, 10).starts_with("wave 0 { arrive b }"));
        assert!(without(3, 2).ends_with("// b\n"));
        assert!(without(2, 3).contains("\n  // b\n"));
    }

    #[test]
    fn columns_are_counted_in_characters() {
        let text = "wave 0 { /* äöü */ wait b; drop b }\n";
        let at = Statement::at(text, 1, 28).expect("a statement");
        assert_eq!(at.words(), "drop b");
        let edit = at.deleted();
        assert_eq!((edit.offset, edit.column), (30, 28));
        let change = Fix { message: String::new(), edits: vec![edit] };
        assert_eq!(fix::apply(text, &change), "wave 0 { /* äöü */ wait b; }\n");
    }

    #[test]
    fn the_last_number_is_an_operand() {
        let last = |text: &'static str| {
            Statement::at(text, 1, 1)?.last_number().map(|(old, spelled)| (old, spelled(7)))
        };
        assert_eq!(last("init b, 12"), Some((12, "init b, 7".into())));
        assert_eq!(last("bar.sync 0"), Some((0, "bar.sync 7".into())));
        assert_eq!(last("wait(b, 3)"), Some((3, "wait(b, 7)".into())));
        assert_eq!(last("wait b2"), None);
        assert_eq!(last("load a[0..4]"), None);
    }
}
