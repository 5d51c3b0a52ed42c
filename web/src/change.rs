//! The difference of two texts. Independent of signals and elements.

/// A single replacement that turns one text into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change<'a> {
    /// Start of the replaced part, in UTF-16 code units.
    pub start: u32,
    /// End of the replaced part, in UTF-16 code units.
    pub end: u32,
    /// The replacement.
    pub text: &'a str,
}

/// The smallest single change from one text to another.
pub(crate) fn between<'a>(old: &str, new: &'a str) -> Change<'a> {
    let head = common(old.chars(), new.chars());
    let (rest, middle) = (&old[head..], &new[head..]);
    let tail = common(rest.chars().rev(), middle.chars().rev());
    let units = |text: &str| text.encode_utf16().count() as u32;
    let start = units(&old[..head]);
    Change {
        start,
        end: start + units(&rest[..rest.len() - tail]),
        text: &middle[..middle.len() - tail],
    }
}

/// Counts the bytes of the common prefix of two texts.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_covers_only_the_differing_part() {
        assert_eq!(between("wiat wg", "wait wg"), Change { start: 1, end: 3, text: "ai" });
        assert_eq!(between("", "ab"), Change { start: 0, end: 0, text: "ab" });
        assert_eq!(between("aa", "aaa"), Change { start: 2, end: 2, text: "a" });
        assert_eq!(between("abc", "ac"), Change { start: 1, end: 2, text: "" });
    }

    #[test]
    fn places_are_counted_in_utf_16() {
        assert_eq!(between("\u{1f600}x", "\u{1f600}é"), Change { start: 2, end: 3, text: "é" });
    }
}
