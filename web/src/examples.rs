//! The scenario that the page opens with, and scenario titles.

/// The text that a new reader sees first.
pub(crate) const FIRST: &str = include_str!("../../examples/join-too-late.tide");

/// Returns the title in a text; empty if it has none.
pub(crate) fn title(text: &str) -> &str {
    let line = |line: &'static str| text.lines().find_map(move |it| it.strip_prefix(line));
    line("title \"").map_or("", |rest| rest.trim_end().trim_end_matches('"'))
}

/// Whether a text requests that its verdict is hidden until the reader has chosen one.
pub(crate) fn is_lesson(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "lesson")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_declared_on_its_own_line() {
        assert!(is_lesson("title \"A\"\nlesson\n") && !is_lesson("title \"lesson\"\n# lesson\n"));
    }

    #[test]
    fn a_title_starts_a_line() {
        assert_eq!(title("# title \"A\"\ntitle \"One\" \nnote \"x\"\n"), "One");
        assert_eq!(title(""), "");
        assert!(!title(FIRST).is_empty());
    }
}
