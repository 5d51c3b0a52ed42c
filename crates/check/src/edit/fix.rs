//! Edits of the text that fix a finding.

use crate::report::{Edit, Fix};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

/// An edit that inserts text.
pub(crate) fn insert(at: Span, replacement: String) -> Edit {
    Edit { offset: at.start, length: 0, line: at.line, column: at.column, replacement }
}

/// The position of a byte in a text.
pub(crate) fn place(text: &str, at: usize) -> Span {
    let before = &text[..at];
    let begins = before.rfind('\n').map_or(0, |at| at + 1);
    Span {
        start: at as u32,
        length: 0,
        line: before.matches('\n').count() as u32 + 1,
        column: before[begins..].chars().count() as u32 + 1,
    }
}

/// The blanks at the beginning of the line of a position.
pub(crate) fn indentation(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    &line[..line.len() - line.trim_start().len()]
}

/// Replaces a whole statement.
pub(crate) fn instead(span: Span, statement: &str) -> Edit {
    Edit {
        offset: span.start,
        length: span.length,
        line: span.line,
        column: span.column,
        replacement: statement.to_string(),
    }
}

/// Deletes a statement: with its line if it is the only statement there, otherwise with the separator to the next.
pub(crate) fn delete(text: &str, span: Span) -> Edit {
    let (start, end) = (span.start as usize, (span.start + span.length) as usize);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let following = &text[end..];
    let parted = following.strip_prefix(';').unwrap_or(following);
    let blank = |text: &str| text.trim_matches([' ', '\t']).is_empty();
    let rest = parted.find('\n').map_or(parted, |at| &parted[..at]);
    let alone = blank(&text[line..start]) && blank(rest);
    let (from, to) = if alone {
        (line, end + (following.len() - parted.len()) + rest.len() + 1)
    } else {
        (start, end + following.len() - parted.trim_start_matches([' ', '\t']).len())
    };
    let to = to.min(text.len());
    Edit {
        offset: from as u32,
        length: (to - from) as u32,
        line: span.line,
        column: place(text, from).column,
        replacement: String::new(),
    }
}

/// Whether the text around a number is only a name or a call, so that the number is the whole operand.
fn is_alone(before: &str, following: &str) -> bool {
    let (name, called) = before.split_once('(').unwrap_or((before, ""));
    let words = |text: &str| text.chars().all(|c| c.is_alphanumeric() || " \t_.@".contains(c));
    let one = |text: &str| text.split_whitespace().count() == 1;
    words(name)
        && (one(name) || name.contains('@'))
        && words(called)
        && following.chars().all(|c| c == ')' || c.is_whitespace())
}

/// Replaces the operand of a statement, if it is that number and nothing else.
pub(crate) fn number(text: &str, span: Span, old: u16, new: u16) -> Option<Edit> {
    let statement = text.get(span.start as usize..(span.start + span.length) as usize)?;
    let end = statement.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = statement[..end]
        .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map_or(0, |at| at + 1);
    if statement[start..end].parse() != Ok(old) || !is_alone(&statement[..start], &statement[end..])
    {
        return None;
    }
    let (start, length) = (start as u32, (end - start) as u32);
    Some(Edit {
        offset: span.start + start,
        length,
        line: span.line,
        column: span.column + start,
        replacement: new.to_string(),
    })
}

/// A fix, unless there is no edit; edits in the order of the text.
pub(crate) fn fix(message: String, mut edits: Vec<Edit>) -> Option<Fix> {
    edits.sort_by_key(|edit| edit.offset);
    edits.dedup();
    let apart = edits.windows(2).all(|pair| pair[0].offset + pair[0].length <= pair[1].offset);
    (!edits.is_empty() && apart).then_some(Fix { message, edits })
}

/// The text with the edits of a fix made.
#[must_use]
pub fn apply(text: &str, fix: &Fix) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for edit in &fix.edits {
        out.push_str(text.get(at..edit.offset as usize).unwrap_or(""));
        out.push_str(&edit.replacement);
        at = (edit.offset + edit.length) as usize;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}
