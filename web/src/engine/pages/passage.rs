//! The passage of the documents about a word.

use super::markdown::{SOURCES, heading};
use crate::library::Library;
use tidegate_check::model::rule::RULES;

/// Returns the fragment of the rule with a name, or of the section that names the first word of a text most often.
pub(crate) fn passage(text: &str, library: &Library) -> String {
    let word =
        text.split(|letter| !is_of_word(letter)).find(|word| !word.is_empty()).unwrap_or_default();
    if let Some(rule) = RULES.iter().find(|rule| rule.id == word) {
        return format!("#rules/{}", rule.id);
    }
    let mut best = (0, String::new());
    for source in &SOURCES {
        let (mut count, mut name) = (0, "");
        let whole = source.text(library);
        for line in whole.lines().chain(["# "]) {
            if let Some((_, next)) = heading(line).or((line == "# ").then_some((1, ""))) {
                if count > best.0 && !name.is_empty() {
                    best = (count, source.address(name));
                }
                (count, name) = (5 * usize::from(names(next, word)), next);
            } else if names(line, word) {
                // A row of a table that begins with the word is its definition.
                let defined = line
                    .strip_prefix("| `")
                    .is_some_and(|it| it.starts_with(word) && names(first(it), word));
                count += if defined { 5 } else { 1 };
            }
        }
        // The language has the passages about operations; the other documents only what it does not name.
        if best.0 > 0 {
            break;
        }
    }
    best.1
}

/// Returns the first word of a text.
fn first(text: &str) -> &str {
    text.split(|letter| !is_of_word(letter)).next().unwrap_or_default()
}

/// Whether a letter is part of the name of an operation.
pub(super) fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || "_.:".contains(letter)
}

/// Whether a line contains a word that is no part of a longer one.
fn names(line: &str, word: &str) -> bool {
    let letter = |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || it == '_');
    !word.is_empty()
        && line.match_indices(word).any(|(at, _)| {
            !letter(line[..at].chars().next_back())
                && !letter(line[at + word.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_section_that_names_it_most_often() {
        let language = "# The language\n\n```\nfence\nlaunch waves=2\n```\n\n## Headers\n\n| `launch N` |\n\n## Barriers\n\nUse `arrive wg` and `wait wg`.\nA `wait` blocks.\n\n## Memory\n\n`fence`, after `wait`.\n";
        let library = Library::of(format!("\u{1e}docs/language.md\n{language}"));
        for (word, to) in [
            ("wait", "#language/barriers"),
            ("fence release", "#language/memory"),
            ("launch", "#language/headers"),
            ("wai", ""),
            ("", ""),
        ] {
            assert_eq!(passage(word, &library), to, "{word}");
        }
        let rule = RULES[0].id;
        assert_eq!(passage(rule, &library), format!("#rules/{rule}"));
    }
}
