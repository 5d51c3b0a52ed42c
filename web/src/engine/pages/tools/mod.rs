//! Tools: the mbarrier word decoder, SASS instructions with their PTX equivalents, target features.

mod features;
mod mbarrier;
mod operations;
mod sass;

use super::address::Address;
use super::nowhere;
use protocol::DocumentPage;
use protocol::document_page::*;

/// The tools: path, name and description.
const TOOLS: [(&str, &str, &str); 3] = [
    (
        "mbarrier",
        "mbarrier word decoder",
        "Decode and encode the 64 bits of an mbarrier object, and perform operations on them.",
    ),
    (
        "sass",
        "SASS and PTX",
        "Every SASS barrier instruction with its PTX equivalent. Search by either name.",
    ),
    ("targets", "Targets and features", "Barriers, marks and counters of every processor."),
];

/// The list of tools, or one of them.
pub(super) fn page(name: Option<&str>, address: &Address) -> DocumentPage {
    match name {
        None => DocumentPage::new("Tools").with(list()),
        Some("mbarrier") => mbarrier::page(address),
        Some("sass") => sass::page(address),
        Some("targets") => features::page(address),
        Some(name) => nowhere("tool", name).with(list()),
    }
}

fn list() -> Element {
    let tool = |(path, name, what): &(&str, &str, &str)| {
        li("").with(
            a("example tool-row")
                .set("href", format!("#tools/{path}"))
                .with((span("example__title").with(*name), span("example__note").with(*what))),
        )
    };
    ul("gallery__list").with(all(TOOLS.iter().map(tool)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_tool_exists() {
        for (name, ..) in TOOLS {
            let page = page(Some(name), &Address::of(&format!("tools/{name}")));
            assert_ne!(page.title, "No such tool", "{name}");
        }
    }

    #[test]
    fn an_unknown_tool_shows_the_list_of_tools() {
        let page = page(Some("nope"), &Address::of("tools/nope"));
        assert_eq!(page.title, "No such tool");
        let text = page.text();
        assert!(text.contains("No tool is called nope") && text.contains(TOOLS[0].1), "{text}");
    }
}
