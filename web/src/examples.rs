//! The scenarios of the gallery, embedded when the page is built.

static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// One scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// Its file's name below the gallery, without extension.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Every scenario, grouped by the verdict that it expects.
pub(crate) fn gallery() -> Vec<Example> {
    let mut examples: Vec<Example> = all().collect();
    examples
        .sort_by_key(|example| (example.expected() != "ok", example.expected(), example.title()));
    examples
}

/// Every scenario, by name.
pub(crate) fn all() -> impl Iterator<Item = Example> {
    EMBEDDED.iter().map(|&(name, text)| Example { name, text })
}

/// The one that a new reader meets: there is most to see in it.
const FIRST: &str = "join-too-late";

/// The scenario that the page opens with.
pub(crate) fn first() -> Option<Example> {
    all().find(|example| example.name == FIRST).or_else(|| all().next())
}

impl Example {
    /// Its title; its name where it has none.
    pub(crate) fn title(&self) -> &'static str {
        self.quoted("title").unwrap_or(self.name)
    }

    /// The first sentence of its note.
    pub(crate) fn note(&self) -> &'static str {
        let note = self.quoted("note").unwrap_or_default();
        note.find(". ").map_or(note, |end| &note[..=end])
    }

    /// Its target.
    pub(crate) fn target(&self) -> &'static str {
        self.header("target").unwrap_or("model").trim()
    }

    /// The verdict that it expects first of all.
    pub(crate) fn expected(&self) -> &'static str {
        self.header("expect").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default()
    }

    fn header(&self, word: &str) -> Option<&'static str> {
        let start =
            |line: &&'static str| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
        self.text.lines().find(start).map(|line| &line[word.len() + 1..])
    }

    fn quoted(&self, word: &str) -> Option<&'static str> {
        let rest = self.header(word)?.strip_prefix('"')?;
        rest.rfind('"').map(|end| &rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_from_the_text() {
        let text =
            "title \"One\"\nnote \"First. Second.\"\ntarget gfx1250\nexpect ub amd.drop.race\n";
        let example = Example { name: "one", text };
        assert_eq!((example.title(), example.note()), ("One", "First."));
        assert_eq!((example.target(), example.expected()), ("gfx1250", "ub"));
        assert_eq!(Example { name: "two", text: "" }.title(), "two");
    }
}
