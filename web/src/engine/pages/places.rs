//! The places that the palette finds: rules, readings, observations, and sections of the documents.

use super::markdown::{SOURCES, heading};
use crate::library::Library;
use tidegate_check::model::rule::RULES;

/// Returns the name and the fragment of each place.
pub(crate) fn places(library: &Library) -> Vec<(String, String)> {
    let rules = RULES.iter().map(|rule| {
        let says = rule.statement.replace('`', "");
        (format!("{}: {says}", rule.id), format!("#rules/{}", rule.id))
    });
    let sections = SOURCES.iter().flat_map(|source| {
        let headings = source.text(library).lines().filter_map(heading);
        headings.map(|(_, name)| {
            let plain = name.replace('`', "");
            let name_of = match source.own_page(name) {
                Some(_) => plain,
                None => format!("{}: {plain}", source.title(library)),
            };
            (name_of, source.address(name))
        })
    });
    rules.chain(sections).collect()
}

#[cfg(test)]
mod tests {
    use super::super::page;
    use super::*;

    #[test]
    fn every_place_is_a_page() {
        let language = "# The language\n\n## Memory and `fences`\n\nText.\n";
        let observations = "# Readings\n\n## Ambiguous\n\n### amd.A1: May it?\n\nText.\n";
        let pack = [("docs/language.md", language), ("docs/observations.md", observations)];
        let pack = pack.map(|(path, text)| format!("\u{1e}{path}\n{text}"));
        let library = Library::of(pack.concat());
        let places = places(&library);
        assert_eq!(places.len(), RULES.len() + 3);
        for (name, to) in &places {
            let title = page(to.trim_start_matches('#'), &library).map(|page| page.title);
            assert!(title.is_some_and(|title| !title.starts_with("No such")), "{name}: {to}");
        }
    }
}
