//! Suggestions for misspelled words: the nearest word at most two edits away.

use crate::diagnostic::Suggestion;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Longest word, in letters, that is compared.
const LONGEST: usize = 64;

/// The nearest candidate at most two edits away (one for words of up to three letters); among equals, the first.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    within(if word.len() <= 3 { 1 } else { 2 }, word, candidates)
}

/// The nearest candidate at most `limit` edits away, for words with more than `limit` letters.
fn within<'a>(
    limit: usize,
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = limit.min(word.len().saturating_sub(1));
    let near = candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(word, candidate, limit)?, candidate)));
    near.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// A suggestion to write the nearest candidate instead.
pub fn instead<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Suggestion> {
    nearest(word, candidates).map(replace)
}

/// The same for numbered names, which differ by few edits: at most one edit.
pub(crate) fn numbered<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Suggestion> {
    within(1, word, candidates).map(replace)
}

/// A suggestion to write this word instead.
pub(crate) fn replace(word: &str) -> Suggestion {
    let message =
        if word.is_empty() { "remove it".into() } else { format!("did you mean `{word}`?") };
    Suggestion { message, replacement: Some(String::from(word)) }
}

/// A suggestion to choose one of these names.
#[must_use]
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> Option<Suggestion> {
    let names: Vec<String> = names.take(16).map(|name| format!("`{name}`")).collect();
    let message = match names.is_empty() {
        true => return None,
        false => format!("valid names: {}", names.join(", ")),
    };
    Some(Suggestion { message, replacement: None })
}

/// Number of edits (insert, delete, change, swap two neighbours) between two words, if it is 1 to `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit || a.len() > LONGEST || b.len() > LONGEST || a == b {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i);
        for j in 1..=b.len() {
            let changed = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            next.push(best);
        }
        before = core::mem::replace(&mut row, next);
    }
    Some(row[b.len()]).filter(|&edits| edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn one_or_two_letters_away() {
        let names = ["arrive", "wait", "wg", "ready"];
        assert_eq!(nearest("arive", names), Some("arrive"));
        assert_eq!(nearest("wiat", names), Some("wait"));
        assert_eq!(nearest("redy", names), Some("ready"));
        assert_eq!(nearest("gw", names), Some("wg"));
        assert_eq!(nearest("zz", names), None);
        assert_eq!(nearest("arrivals", names), None);
    }
}
