//! Makes untrusted text safe for a terminal.

use std::borrow::Cow;

/// Replaces every control character except line feed and tab, and the characters that change the text direction.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.contains(unsafe_character) {
        Cow::Owned(text.replace(unsafe_character, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text on one line.
pub(crate) fn line(words: &str) -> String {
    text(words).replace(['\n', '\t'], " ")
}

fn unsafe_character(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || (character.is_control() && !matches!(character, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_do_not_pass() {
        assert_eq!(text("\u{1b}[31mred\u{7}"), "\u{fffd}[31mred\u{fffd}");
        assert_eq!(text("\u{9b}31m\u{202e}"), "\u{fffd}31m\u{fffd}");
        assert_eq!(text("fence\n\tµ"), "fence\n\tµ");
        assert_eq!(line("a\nb\tc"), "a b c");
    }
}
