//! Texts that load after the first paint: the gallery, the documents and the scenarios that they name.

use crate::browser;

/// The file next to the page, made by `web/library.mjs`.
const FILE: &str = "./library.txt";
/// The start of an entry.
const ENTRY: char = '\u{1e}';

/// Texts by their paths; empty until loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Library(String);

impl Library {
    /// Loads it; `None` on failure.
    pub(crate) async fn load() -> Option<Self> {
        browser::fetch(FILE).await.map(Self)
    }

    /// Returns the whole pack.
    pub(crate) fn pack(&self) -> &str {
        &self.0
    }

    /// Whether it is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text at a path.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.entries().find(|(other, _)| *other == path).map(|(_, text)| text)
    }

    fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.split(ENTRY).filter_map(|entry| entry.split_once('\n'))
    }

    /// Whether it contains a text.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.entries().any(|(_, other)| other == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_paths() {
        let library =
            Library("\u{1e}docs/a.md\n# A\n\u{1e}examples/b.tide\ntitle \"B\"\n\n".into());
        assert_eq!(library.text("docs/a.md"), Some("# A\n"));
        assert_eq!(library.text("docs/b.md"), None);
        assert!(library.has("# A\n") && !library.has("# B\n"));
        assert!(Library::default().is_empty());
    }
}
