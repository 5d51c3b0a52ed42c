//! Shortened operations.

use alloc::string::String;

/// Parts at the end of an instruction's name that say how and where, not what.
const QUALIFIERS: [&str; 20] = [
    "64", "A1T0", "TRANS64", "acq_rel", "acquire", "aligned", "b32", "b64", "bytes", "cluster",
    "cta", "global", "gpu", "mbarrier", "parity", "relaxed", "release", "shared", "sys", "u32",
];

/// The beginnings of the qualifiers in the name of an instruction: of `mbarrier.init.shared::cta.b64` after
/// `mbarrier.init`. Blanks after the name count as part of it.
#[must_use]
pub fn qualifiers(name: &str) -> usize {
    let mut end = name.trim_end().len();
    while let Some(at) = name[..end].rfind('.') {
        let word = name[at + 1..end].split("::").next().unwrap_or_default();
        if !QUALIFIERS.contains(&word) {
            return end;
        }
        end = at;
    }
    name.len()
}

/// Vocabulary prefixes that can be removed from the name of an operation.
const VOCABULARIES: [&str; 3] = ["tlx.", "mbarrier.", "barrier."];

/// An operation in a number of characters. A long one loses first the qualifiers of its name, then its prefix, then its
/// end.
#[must_use]
pub(crate) fn brief(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.into();
    }
    let (name, rest) = label.split_at(label.find([' ', '(']).unwrap_or(label.len()));
    let short = [&name[..qualifiers(name)], rest].concat();
    let bare = VOCABULARIES.into_iter().find_map(|it| short.strip_prefix(it));
    match bare.filter(|_| short.chars().count() > most) {
        Some(bare) => shortened(bare, most),
        None => shortened(&short, most),
    }
}

/// Cuts a text to a number of characters.
#[must_use]
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_characters() {
        assert_eq!(shortened("é".repeat(5).as_str(), 5), "ééééé");
        assert_eq!(shortened("é".repeat(6).as_str(), 5), "éééé…");
        assert_eq!(shortened("ab", 0), "…");
    }

    #[test]
    fn qualifiers_are_removed_before_the_operation() {
        let label = "mbarrier.init.shared::cta.b64 [full], 1";
        assert_eq!(brief(label, 40), label);
        assert_eq!(brief(label, 24), "mbarrier.init [full], 1");
        assert_eq!(brief(label, 18), "init [full], 1");
        assert_eq!(brief(label, 10), "init [ful…");
        assert_eq!(brief("barrier.sync.aligned", 12), "barrier.sync");
        assert_eq!(brief("work_group_barrier(mem_fence::local)", 12), "work_group_…");
        assert_eq!(qualifiers("bytes"), 5, "a single name is unchanged");
    }
}
