//! Tools: the word of an mbarrier object, the instructions of SASS with their twins, what each target has.

mod features;
mod mbarrier;
mod operations;
mod sass;

use super::address::Address;
use protocol::Sheet;
use protocol::sheet::*;

/// The tools: name of the view, what it is called, what it is for.
const TOOLS: [(&str, &str, &str); 3] = [
    (
        "mbarrier",
        "The word of an mbarrier",
        "Decode and encode the 64 bits of an mbarrier object, and perform operations on them.",
    ),
    (
        "sass",
        "SASS and PTX",
        "Every SASS instruction on barriers with its twin in PTX, found by either name.",
    ),
    (
        "targets",
        "Targets and features",
        "What every processor has of barriers, marks and counters.",
    ),
];

/// The list of tools, or one of them.
pub(super) fn page(name: Option<&str>, address: &Address) -> Option<Sheet> {
    match name {
        None => Some(list()),
        Some("mbarrier") => Some(mbarrier::page(address)),
        Some("sass") => Some(sass::page(address)),
        Some("targets") => Some(features::page(address)),
        Some(_) => None,
    }
}

fn list() -> Sheet {
    let tool = |(path, name, what): &(&str, &str, &str)| {
        li("").with(
            a("example tool-row")
                .set("href", format!("#tools/{path}"))
                .with((span("example__title").with(*name), span("example__note").with(*what))),
        )
    };
    Sheet::new("Tools").with(ul("gallery__list").with(all(TOOLS.iter().map(tool))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_that_is_listed_is_there() {
        for (name, ..) in TOOLS {
            assert!(page(Some(name), &Address::of(&format!("tools/{name}"))).is_some(), "{name}");
        }
        assert_eq!(page(Some("nothing"), &Address::of("tools/nothing")), None);
    }
}
