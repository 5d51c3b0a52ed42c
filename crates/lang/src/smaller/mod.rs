//! Smaller variants of a text.
//!
//! A step removes statements or blocks, replaces a block with its contents, or reduces a number. Each step reduces the
//! number of tokens, or keeps it and reduces a number, so sequences of steps end. The caller determines whether the
//! result is still a scenario with the same finding: this module does not know the meaning of words, except that
//! threads of CTA barriers are counted in whole warps.

use crate::diagnostic::Span;
use crate::lexer::{self, Kind, Token};
use crate::outline::{self, Item, outline};
use crate::parse::LONGEST_TEXT;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Statements that stay: the title and the target.
const KEPT: [&str; 2] = ["title", "target"];

/// One step: removes ranges of the text, and inserts a text instead of the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The removed ranges, disjoint and in order.
    pub gone: Vec<Range<usize>>,
    /// The text that replaces the first range.
    pub instead: String,
}

impl Step {
    fn without(gone: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self { gone: gone.into_iter().collect(), instead: String::new() }
    }

    /// Returns the text after the step.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (index, part) in self.gone.iter().enumerate() {
            out.push_str(text.get(at..part.start).unwrap_or(""));
            out.push_str(if index == 0 { &self.instead } else { "" });
            at = part.end;
        }
        out.push_str(text.get(at..).unwrap_or(""));
        out
    }
}

/// Returns every step from a text, the largest reductions first. A text longer than 1 MiB has none.
#[must_use]
pub fn steps(text: &str) -> Vec<Step> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let items = outline(text);
    let mut steps = Vec::new();
    among(text, &items, &mut steps);
    steps.sort_by_key(|step| core::cmp::Reverse(step.gone.iter().map(Range::len).sum::<usize>()));
    steps.extend(single(text));
    steps.extend(numbers(text));
    steps
}

/// Replaces each range of one number by that number: `wave 1-1` by `wave 1`.
fn single(text: &str) -> Vec<Step> {
    let tokens = lexer::lex(text);
    let word = |token: &Token| lexer::slice(text, token.span);
    let alike = |three: &&[Token]| {
        three[0].kind == Kind::Number
            && word(&three[1]) == "-"
            && word(&three[0]) == word(&three[2])
    };
    let following = |three: &[Token]| {
        let end = |token: &Token| (token.span.start + token.span.length) as usize;
        Step::without(Some(end(&three[0])..end(&three[2])))
    };
    tokens.windows(3).filter(alike).map(following).collect()
}

/// The steps that remove or unwrap adjacent items, and the steps within them.
fn among(text: &str, items: &[Item], steps: &mut Vec<Step>) {
    let free: Vec<&Item> =
        items.iter().filter(|item| !KEPT.contains(&item.first_word(text))).collect();
    for range in runs(free.len()) {
        steps.push(Step::without(free[range].iter().map(|item| item.range.clone())));
    }
    for item in items {
        for block in &item.blocks {
            opened(text, item, block, steps);
            among(text, &block.items, steps);
        }
    }
}

/// Half of a number of items, a quarter, and so on down to each single item.
fn runs(count: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut size = count;
    while size > 0 {
        let starts = (0..count).step_by(size);
        found.extend(starts.map(|start| start..(start + size).min(count)));
        size = if size > 1 { size.div_ceil(2) } else { 0 };
    }
    found.dedup();
    found
}

/// Replaces a statement by the contents of a block; and removes each of several blocks.
fn opened(text: &str, item: &Item, block: &outline::Block, steps: &mut Vec<Step>) {
    let inner = block.open.end..block.close.start;
    let before = item.range.start..inner.start;
    let after = inner.end..item.range.end;
    if !text[inner].trim().is_empty() {
        steps.push(Step::without([before, after]));
    }
    if item.blocks.len() > 1 && block.head.start > item.range.start {
        steps.push(Step::without(Some(block.head.start..block.close.end)));
    }
}

/// Reduces each number to zero, one, half, or one less; whole warps to one warp, half of them, or one less.
fn numbers(text: &str) -> Vec<Step> {
    let tokens = lexer::lex(text);
    let word = |token: Option<&Token>| token.map_or("", |token| lexer::slice(text, token.span));
    let (mut steps, mut counts_threads) = (Vec::new(), false);
    for (at, token) in tokens.iter().enumerate() {
        let name = word(Some(token));
        if token.kind == Kind::Newline || matches!(name, ";" | "{" | "}") {
            counts_threads = false;
        } else if token.kind == Kind::Word {
            let is_family = FAMILIES.contains(&name) && word(tokens.get(at + 1)) == ".";
            counts_threads |= is_family || name.starts_with("named_barrier_");
        } else if token.kind == Kind::Number {
            steps.extend(lowered(text, token.span, counts_threads));
        }
    }
    steps
}

/// Prefixes of CTA barrier instructions, before a dot.
const FAMILIES: [&str; 3] = ["bar", "barrier", "BAR"];

fn lowered(text: &str, span: Span, counts_threads: bool) -> Vec<Step> {
    let Some(Some(value)) = lexer::number(lexer::slice(text, span)) else { return Vec::new() };
    // A count of zero threads, or of a partial warp, is not a useful reduction of a valid one.
    let unit = match counts_threads && value > 0 && value % WARP == 0 {
        true => WARP,
        false => 1,
    };
    let many = value / unit;
    let mut less: Vec<u64> = [0, 1, many / 2, many.saturating_sub(1)].into();
    less.retain(|&other| other < many && (unit == 1 || other > 0));
    less.sort_unstable();
    less.dedup();
    let start = span.start as usize;
    let place = start..start + span.length as usize;
    let step = |many: u64| Step {
        gone: [place.clone()].into(),
        instead: alloc::format!("{}", many * unit),
    };
    less.into_iter().map(step).collect()
}

/// Threads of a warp.
const WARP: u64 = 32;

#[cfg(test)]
mod tests;
