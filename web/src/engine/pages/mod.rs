//! Document pages, each with an address: the fragment selects one.

mod address;
mod frame;
mod gallery;
mod jobs;
pub(crate) mod keys;
pub(crate) mod legend;
mod lines;
mod listing;
mod markdown;
mod needs;
pub(crate) mod passage;
mod places;
pub(crate) mod readings;
mod rules;
pub(crate) mod runs;
pub(crate) mod share;
pub(crate) mod targets;
mod tools;
pub(crate) mod waits;
mod without;
mod words;

pub(crate) use jobs::work;
pub(crate) use places::places;

use crate::library::Library;
use address::Address;
use markdown::Source;
use protocol::DocumentPage;
use protocol::document_page::{code, p};

/// Returns the view of a fragment without its `#`; `None` if the fragment names no view.
pub(crate) fn page(fragment: &str, library: &Library) -> Option<DocumentPage> {
    if let Some(others) = fragment.strip_prefix("compare").filter(|it| !it.contains('?')) {
        return Some(DocumentPage::new("Differences").with(jobs::chooser(others)));
    }
    let address = Address::of(fragment);
    let mut path = address.path();
    let page = match (path.next()?, path.next()) {
        ("rules", None) => rules::page(&address),
        ("rules", Some(id)) => rules::one(id, library),
        ("tools", tool) => tools::page(tool, &address),
        ("gallery", None) => gallery::page(&address, library),
        ("gallery", Some(name)) => nowhere("page", name),
        (view, section) => markdown::page(Source::of_view(view)?, section, library),
    };
    Some(frame::framed(&address, page))
}

/// The view of a missing item: its kind and its name.
fn nowhere(kind: &str, name: &str) -> DocumentPage {
    DocumentPage::new(format!("No such {kind}")).with(p("calm").with((
        format!("No {kind} is called "),
        code("").with(name.chars().take(60).collect::<String>()),
        ".",
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_selects_a_view_or_none() {
        let library =
            Library::of("\u{1e}docs/language.md\n# The scenario language\n\n## Headers\n".into());
        assert_eq!(
            page("language", &library).map(|it| it.title).as_deref(),
            Some("The scenario language")
        );
        assert_eq!(
            page("rules/none", &library).map(|it| it.title).as_deref(),
            Some("No such rule")
        );
        for view in ["language/more", "gallery/more"] {
            let title = page(view, &library).map(|it| it.title);
            assert_eq!(title.as_deref(), Some("No such page"), "{view}");
        }
        for other in ["", "v1.abc", "nothing"] {
            assert_eq!(page(other, &library), None, "{other}");
        }
    }
}
