//! The scenario that the page opens with, and names of scenarios.

/// The text that a new reader meets: there is most to see in it.
pub(crate) const FIRST: &str = include_str!("../../examples/join-too-late.tide");

/// The title that a text gives itself; empty where it gives none.
pub(crate) fn title(text: &str) -> &str {
    let line = |line: &'static str| text.lines().find_map(move |it| it.strip_prefix(line));
    line("title \"").map_or("", |rest| rest.trim_end().trim_end_matches('"'))
}

/// Whether a text asks that its verdict be hidden until the reader has chosen one.
pub(crate) fn is_lesson(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "lesson")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_says_so_on_a_line_of_its_own() {
        assert!(is_lesson("title \"A\"\nlesson\n") && !is_lesson("title \"lesson\"\n# lesson\n"));
    }

    #[test]
    fn a_title_stands_at_the_beginning_of_a_line() {
        assert_eq!(title("# title \"A\"\ntitle \"One\" \nnote \"x\"\n"), "One");
        assert_eq!(title(""), "");
        assert!(!title(FIRST).is_empty());
    }
}
