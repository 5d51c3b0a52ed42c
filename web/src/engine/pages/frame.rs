//! The frame of every view: links to the other views, and its name.

use super::address::Address;
use protocol::DocumentPage;
use protocol::document_page::{a, all, div, h2, nav};

/// The views, by the first part of their fragments.
const VIEWS: [(&str, &str); 6] = [
    ("gallery", "Examples"),
    ("rules", "Rules"),
    ("tools", "Tools"),
    ("readings", "Readings"),
    ("language", "Language"),
    ("kernels", "Kernels"),
];

/// The pages beside the page, which `crates/course` makes.
const BESIDE: [(&str, &str); 2] =
    [("./course/index.html", "Course"), ("./stories/index.html", "Stories")];

/// Puts a view into its frame.
pub(super) fn framed(address: &Address, page: DocumentPage) -> DocumentPage {
    let first = address.path().next().unwrap_or_default();
    let back = a("view__back").set("href", "#").set("aria-label", "Playground").with("Playground");
    let link = |(path, name): (&str, &str)| {
        let here = address.path().count() == 1 && path == first;
        let link = a("view__link").set("href", format!("#{path}"));
        let link = link.set_if(path == first, "data-here", "");
        link.set_if(here, "aria-current", "page").with(name)
    };
    let beside = BESIDE.map(|(path, name)| a("view__link").set("href", path).with(name));
    let name = h2("view__name").set("id", "view-name").set("tabindex", "-1").with(&*page.title);
    let ways =
        nav("view__nav").set("aria-label", "Views").with((back, all(VIEWS.map(link)), all(beside)));
    DocumentPage::new(&*page.title).with((ways, div("view__sheet").with((name, page.parts))))
}
