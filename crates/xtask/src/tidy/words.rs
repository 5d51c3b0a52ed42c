//! Comments, messages and documents use the usual technical terms.

use super::tree::{File, at};

/// Words and phrases that do not occur, and their replacements.
const GLOSSARY: [(&str, &str); 37] = [
    ("behind", "after"),
    ("anew", "again"),
    ("once more", "again"),
    ("alone", "only"),
    ("nobody", "no agent"),
    ("somebody", "an agent"),
    ("everybody", "all agents"),
    ("whoever", "any agent"),
    ("whom", "which agent"),
    ("told", "reported"),
    ("is said of", "is reported"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("went on", "continued"),
    ("comes by", "reaches"),
    ("comes to a barrier", "reaches a barrier"),
    ("meets at", "synchronises with"),
    ("meet at", "synchronise with"),
    ("brings bytes", "completes the copy of bytes"),
    ("hands over", "releases"),
    ("handed over", "released"),
    ("makes known", "makes visible"),
    ("lacks", "has no"),
    ("in the place of", "instead of"),
    ("a bound was hit", "the search reached its limit"),
    ("stands for all", "represents all"),
    ("what follows is not defined", "behaviour is undefined from here on"),
    ("goes round", "loops"),
    ("at fault", "that breaks the rule"),
    ("takes part", "participates"),
    ("take part", "participate"),
    ("took part", "participated"),
    ("spoilt", "broken"),
    ("mended", "fixed"),
    ("deed", "action"),
    ("desk", "session"),
    ("weave", "relation layout"),
];

/// Uses that are allowed: a word, and the end of the path of its file.
const ALLOWED: [(&str, &str); 1] = [("alone", "crates/model/src/target.rs")];

/// Returns the lines that contain a word of the glossary.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| !file.path.ends_with("tidy/words.rs")).flat_map(problems).collect()
}

fn problems(file: &File) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        is_code ^= file.path.ends_with(".md") && line.trim_start().starts_with("```");
        let prose = if is_code { String::new() } else { prose(&file.path, line) };
        let words = words(&prose);
        let hits = GLOSSARY.iter().filter(|(word, _)| words.contains(&format!(" {word} ")));
        let hits = hits.filter(|(word, _)| !is_allowed(word, &file.path));
        found.extend(hits.map(|(word, instead)| {
            at(&format!("{}:{number}", file.path), &format!("says “{word}”: write “{instead}”"))
        }));
    }
    found
}

fn is_allowed(word: &str, path: &str) -> bool {
    ALLOWED.iter().any(|(allowed, end)| word == *allowed && path.ends_with(end))
}

/// Returns the part of a line that people read: comments, strings of several words, titles and notes.
fn prose(path: &str, line: &str) -> String {
    let start = line.trim_start();
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "md" => line.to_owned(),
        "tide" if start.starts_with("title ") || start.starts_with("note ") => line.to_owned(),
        "tide" => comment(line, &["//", "# "]),
        "rs" => format!("{} | {}", comment(line, &["//"]), strings(line)),
        "js" | "mjs" | "ts" | "css" => comment(line, &["// ", "/*", "* "]),
        _ => String::new(),
    }
}

/// Returns the comment of a line, which begins with one of the marks after white space.
fn comment(line: &str, marks: &[&str]) -> String {
    let begins = |mark: &&str| {
        let found = line.match_indices(*mark).map(|(start, _)| start);
        found
            .filter(|&start| line[..start].chars().next_back().is_none_or(char::is_whitespace))
            .min()
    };
    marks.iter().filter_map(begins).min().map_or(String::new(), |start| line[start..].to_owned())
}

/// Returns the string literals of a line that have several words, without their placeholders.
fn strings(line: &str) -> String {
    let parts = line.split('"').skip(1).step_by(2).filter(|part| part.contains(' '));
    let plain =
        parts.flat_map(|part| part.split('{').map(|it| it.rsplit('}').next().unwrap_or(it)));
    plain.collect::<Vec<_>>().join(" | ")
}

/// Returns the words of a text in lower case, each between spaces, without code between backticks.
fn words(text: &str) -> String {
    let plain: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" | ");
    let mut words = String::from(" ");
    for part in plain.split_whitespace() {
        let word = part.trim_matches(|c: char| !c.is_alphanumeric());
        words.push_str(&word.to_lowercase());
        words.push(' ');
        if part.ends_with(['.', ':', ';']) {
            words.push_str("| ");
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn words_of_the_glossary_are_reported_in_prose_only() {
        let of = |path: &str, text: &str| check(&[file(path, text)]).len();
        assert_eq!(of("crates/a.rs", "// The wait behind it goes on.\n"), 2);
        assert_eq!(of("crates/a.rs", "let behind = told();\n"), 0);
        assert_eq!(of("crates/a.rs", "let text = \"nobody waits\";\n"), 1);
        assert_eq!(of("crates/a.rs", "/// See [`behind`] and `a.alone`.\n"), 0);
        assert_eq!(of("tests/a.tide", "title \"One alone\"\nwave 0 { arrive alone }\n"), 1);
        assert_eq!(of("docs/a.md", "It lacks one.\n```\nnobody\n```\n"), 1);
        assert_eq!(of("web/a.mjs", "const told = 1; // told\n"), 1);
    }

    #[test]
    fn phrases_do_not_cross_sentences() {
        assert_eq!(check(&[file("docs/a.md", "They go. On the other hand\n")]).len(), 0);
        assert_eq!(check(&[file("docs/a.md", "They go on.\n")]).len(), 1);
    }
}
