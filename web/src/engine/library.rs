//! The texts of the views: scenarios and documents, as `web/library.mjs` packs them.

/// The start of an entry.
const ENTRY: char = '\u{1e}';

/// Texts by their paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library(String);

impl Library {
    /// Reads a packed library.
    pub(crate) fn of(pack: String) -> Self {
        Self(pack)
    }

    /// Returns paths and texts, ordered by path.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.split(ENTRY).filter_map(|entry| entry.split_once('\n'))
    }

    /// Returns the text at a path.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.entries().find(|(other, _)| *other == path).map(|(_, text)| text)
    }
}

/// Returns the title of a scenario, or its file name if it has none.
pub(crate) fn title(path: &str, text: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".tide");
    quoted(text, "title").unwrap_or(name).to_owned()
}

/// Returns the quoted text after a word at the start of a line.
pub(crate) fn quoted<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = header(text, word)?.strip_prefix('"')?;
    rest.rfind('"').map(|end| &rest[..end])
}

/// Returns the text after a word at the start of a line.
pub(crate) fn header<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let line = |line: &'a str| line.strip_prefix(word)?.strip_prefix(' ');
    text.lines().find_map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_paths() {
        let library =
            Library::of("\u{1e}docs/a.md\n# A\n\u{1e}examples/b.tide\ntitle \"B\"\n\n".into());
        assert_eq!(library.text("docs/a.md"), Some("# A\n"));
        assert_eq!((library.text("docs/b.md"), library.entries().count()), (None, 2));
        let (path, text) = library.entries().last().expect("a scenario");
        assert_eq!((title(path, text), title("x/c.tide", "")), ("B".into(), "c".into()));
    }
}
