//! Headers of C whose body has no braces: a header and its body are one statement.

use alloc::vec::Vec;
use core::ops::Range;
use tidegate_lang::outline::{Block, Item};

/// The words with which such headers begin.
const HEADERS: [&str; 3] = ["if", "for", "while"];

/// A statement, with its header if that has no braces.
pub(super) struct Whole<'a> {
    pub(super) range: Range<usize>,
    pub(super) blocks: &'a [Block],
    /// The body after the header, without an `else`.
    pub(super) body: Option<Range<usize>>,
    /// Whether it is the body of a header without braces, or has such a body.
    pub(super) is_braceless: bool,
}

/// The statements of a list, in which headers of C are with their bodies.
pub(super) fn joined<'a>(text: &str, items: &'a [Item]) -> Vec<Whole<'a>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(item) = items.get(at) {
        let end = end(text, items, at).min(items.len() - 1);
        let last = &items[end];
        let is_braceless = end > at && (last.blocks.is_empty() || has_else(text, items, at, end));
        let body = (is_braceless && !has_else(text, items, at, end))
            .then(|| body(text, items, at).unwrap_or(end))
            .filter(|body| *body == end)
            .map(|_| last.range.clone());
        let blocks: &[Block] = if is_braceless { &[] } else { &last.blocks };
        all.push(Whole { range: item.range.start..last.range.end, blocks, body, is_braceless });
        at = end + 1;
    }
    all
}

fn has_else(text: &str, items: &[Item], from: usize, to: usize) -> bool {
    items[from..=to].iter().skip(1).any(|it| it.first_word(text) == "else")
}

/// The index of the body of a header without braces.
fn body(text: &str, items: &[Item], at: usize) -> Option<usize> {
    let item = items.get(at)?;
    let word = item.first_word(text);
    let rest = text[item.range.start + word.len()..].trim_start();
    if word == "else" {
        let rest = rest.trim_end();
        let is_alone = text[item.range.clone()].trim() == "else";
        return (item.blocks.is_empty() && is_alone && !rest.is_empty()).then_some(at + 1);
    }
    if !HEADERS.contains(&word) || !rest.starts_with('(') {
        return None;
    }
    let close = item.range.start + word.len() + closed(&text[item.range.start + word.len()..])?;
    // The parts of the header of a loop are separate.
    let last = (at..items.len()).find(|&it| items[it].range.end >= close)?;
    (items[last].range.end == close && items[last].blocks.is_empty()).then_some(last + 1)
}

/// The index of the last part of a statement: of its header, its body, and what follows `else`.
fn end(text: &str, items: &[Item], at: usize) -> usize {
    let header = items[at].first_word(text) == "for" && items[at].blocks.is_empty();
    let mut last = match body(text, items, at) {
        Some(body) if body < items.len() => end(text, items, body),
        Some(_) => at,
        None if header => parts(text, items, at).unwrap_or(at),
        None => at,
    };
    let is_if = items[at].first_word(text) == "if" && last > at;
    if is_if && items.get(last + 1).is_some_and(|it| it.first_word(text) == "else") {
        last = end(text, items, last + 1);
    }
    last
}

/// The last part of a loop with braces, whose header has several parts.
fn parts(text: &str, items: &[Item], at: usize) -> Option<usize> {
    let start = items[at].range.start + "for".len();
    let close =
        start + closed(&text[start..]).filter(|_| text[start..].trim_start().starts_with('('))?;
    let last = (at..items.len()).find(|&it| items[it].range.end >= close)?;
    (last > at && !items[last].blocks.is_empty()).then_some(last)
}

/// Where the first parenthesis is closed.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (c == ')' && depth == 0).then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_lang::outline::outline;

    fn told(text: &str) -> Vec<&str> {
        joined(text, &outline(text)).into_iter().map(|it| &text[it.range]).collect()
    }

    #[test]
    fn a_header_and_its_body_are_one_statement() {
        let all = [
            ("if (a > 0)\n  b();\nc();", ["if (a > 0)\n  b()", "c()"]),
            (
                "for (int k = 0; k < n; k++)\n  b();\nc();",
                ["for (int k = 0; k < n; k++)\n  b()", "c()"],
            ),
            (
                "for (int k = 0; k < n; k++) { b(); }\nc();",
                ["for (int k = 0; k < n; k++) { b(); }", "c()"],
            ),
            ("if (a) b();\nc();", ["if (a) b()", "c()"]),
            ("if (a)\n  b();\nelse\n  d();\nc();", ["if (a)\n  b();\nelse\n  d()", "c()"]),
        ];
        for (text, parts) in all {
            assert_eq!(told(text), parts, "{text}");
        }
        let text = "if (a)\n  b();\n";
        let all = outline(text);
        let whole = joined(text, &all);
        assert_eq!(whole[0].body.clone().map(|it| &text[it]), Some("b()"));
    }
}
