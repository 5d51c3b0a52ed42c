//! What is loaded after the first paint: the gallery, the documents, and the scenarios that these name.

use crate::browser;
use crate::examples::Example;

/// The file, beside the page. `web/library.mjs` makes it.
const FILE: &str = "./library.txt";
/// What an entry begins with.
const ENTRY: char = '\u{1e}';

/// Texts by their paths; empty until they are loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Library(Vec<(String, String)>);

impl Library {
    /// Loads it; none where that fails.
    pub(crate) async fn load() -> Option<Self> {
        browser::fetch(FILE).await.map(|pack| Self::unpack(&pack))
    }

    fn unpack(pack: &str) -> Self {
        let entries = pack.split(ENTRY).filter_map(|entry| entry.split_once('\n'));
        Self(entries.map(|(path, text)| (path.to_owned(), text.to_owned())).collect())
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a path.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == path).map(|(_, text)| text.as_str())
    }

    /// The scenario of a path.
    pub(crate) fn scenario(&self, path: &str) -> Option<Example> {
        self.text(path).map(|text| Example::new(path, text))
    }

    /// The scenarios of the gallery.
    pub(crate) fn gallery(&self) -> impl Iterator<Item = Example> {
        let ours = self.0.iter().filter(|(path, _)| path.starts_with("examples/"));
        ours.map(|(path, text)| Example::new(path, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_paths() {
        let library =
            Library::unpack("\u{1e}docs/a.md\n# A\n\u{1e}examples/b.tide\ntitle \"B\"\n\n");
        assert_eq!(library.text("docs/a.md"), Some("# A\n"));
        assert_eq!(library.text("docs/b.md"), None);
        let titles: Vec<String> = library.gallery().map(|example| example.title()).collect();
        assert_eq!(titles, ["B"]);
        assert!(Library::unpack("").is_empty());
    }
}
