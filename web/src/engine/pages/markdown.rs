//! A document in Markdown, as used in `docs`: headings, paragraphs, lists, tables, code, emphasis, links to scenarios.

use super::nowhere;
use crate::library::{Library, title};
use protocol::DocumentPage;
use protocol::document_page::*;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::rule::RULES;

/// A document with a view of its own.
pub(super) struct Source {
    /// The first part of the view's fragment.
    view: &'static str,
    /// The path of the document in the library.
    path: &'static str,
}

/// The documents with views. The one with `readings` has a page for each reading and each observation, too.
pub(super) const SOURCES: [Source; 6] = [
    Source { view: "language", path: "docs/language.md" },
    Source { view: "kernels", path: "docs/kernels.md" },
    Source { view: READINGS, path: "docs/observations.md" },
    Source { view: "one-run", path: "docs/one-run.md" },
    Source { view: "command-line", path: "docs/command-line.md" },
    Source { view: "embedding", path: "docs/embedding.md" },
];
const READINGS: &str = "readings";

/// Largest number of sections in a list of contents that is open.
const MOST_OPEN: usize = 30;

impl Source {
    /// The document of a view.
    pub(super) fn of_view(view: &str) -> Option<&'static Self> {
        SOURCES.iter().find(|source| source.view == view)
    }

    /// Its text.
    pub(super) fn text<'a>(&self, library: &'a Library) -> &'a str {
        library.text(self.path).unwrap_or("# This document is missing")
    }

    /// Its title.
    pub(super) fn title<'a>(&self, library: &'a Library) -> &'a str {
        self.text(library).lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The name of a section with a page of its own: its heading starts with the name and a colon.
    pub(super) fn own_page<'a>(&self, heading: &'a str) -> Option<&'a str> {
        let (name, _) = heading.split_once(": ")?;
        (self.view == READINGS).then_some(name)
    }

    /// The address of a section.
    pub(super) fn address(&self, heading: &str) -> String {
        let own = self.own_page(heading).map(str::to_owned);
        format!("#{}/{}", self.view, own.unwrap_or_else(|| section_of(heading)))
    }

    /// Its headings: the level and the text of each.
    fn headings<'a>(&self, library: &'a Library) -> impl Iterator<Item = (usize, &'a str)> {
        self.text(library).lines().filter_map(heading)
    }

    /// Whether it has a section with a name in addresses.
    fn has(&self, section: &str, library: &Library) -> bool {
        self.headings(library).any(|(_, name)| section_of(name) == section)
    }
}

/// The view of a document, or one section of it with a page of its own. The view has a list of its sections.
pub(super) fn page(source: &Source, section: Option<&str>, library: &Library) -> DocumentPage {
    if let Some(section) = section
        && !source.has(section, library)
    {
        let own = (source.view == READINGS).then(|| one(section, source.path, library)).flatten();
        return own.unwrap_or_else(|| nowhere("page", section));
    }
    let headings: Vec<_> = source.headings(library).collect();
    let item = |&(level, name): &(usize, &str)| {
        let class = if level > 2 { "contents__part" } else { "" };
        li(class).with(a("").set("href", source.address(name)).with(inline(name, library)))
    };
    let list = ul("contents__list").with(all(headings.iter().map(item)));
    let contents = details("contents").set_if(headings.len() <= MOST_OPEN, "open", "");
    let contents = contents.with((summary("").with("Contents"), list));
    let parts = ((headings.len() > 2).then_some(contents), document(source.text(library), library));
    DocumentPage::new(source.title(library)).with(div("document").with(parts))
}

/// The level and the text of a heading below the title.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let name = line.trim_start_matches('#');
    let level = line.len() - name.len();
    (level > 1 && name.starts_with(' ')).then(|| (level, name.trim()))
}

/// The name of a section in addresses.
pub(super) fn section_of(heading: &str) -> String {
    let words = heading.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.collect::<Vec<_>>().join("-")
}

/// One section of a document, whose heading starts with a name and a colon.
pub(super) fn one(name: &str, path: &str, library: &Library) -> Option<DocumentPage> {
    let of =
        |line: &str| line.strip_prefix("### ")?.strip_prefix(name)?.starts_with(':').then_some(());
    let mut lines = library.text(path)?.lines().skip_while(|line| of(line).is_none());
    let title = lines.next()?.trim_start_matches('#').trim();
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with('#')).collect();
    let part = document(&lines.join("\n"), library);
    Some(DocumentPage::new(title).with(div("document").with(part)))
}

/// A document without its title, which its view shows.
pub(super) fn document(text: &str, library: &Library) -> Vec<Part> {
    let mut shown = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let kind = kind(line);
        // Views have titles and lists of contents of their own.
        if line.trim().is_empty() || line.starts_with("# ") || line.starts_with("Contents: ") {
            continue;
        }
        if kind == Kind::Code {
            let code: Vec<&str> =
                lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            listing(line.trim_start_matches('`'), &code.join("\n")).put(&mut shown);
            continue;
        }
        let mut block = vec![line];
        while let Some(next) = lines.next_if(|next| kind.continues(next)) {
            block.push(next);
        }
        part(kind, &block, library).put(&mut shown);
    }
    shown
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading,
    Item,
    Row,
    Code,
    Text,
}

fn kind(line: &str) -> Kind {
    match line {
        line if line.starts_with('#') => Kind::Heading,
        line if line.starts_with("* ") || line.starts_with("- ") => Kind::Item,
        line if line.starts_with('|') => Kind::Row,
        line if line.starts_with("```") => Kind::Code,
        _ => Kind::Text,
    }
}

impl Kind {
    /// Whether a line belongs to the previous block.
    fn continues(self, line: &str) -> bool {
        self != Self::Heading && !line.trim().is_empty() && kind(line) == self
    }
}

fn part(kind: Kind, lines: &[&str], library: &Library) -> Element {
    match kind {
        Kind::Heading => {
            let name = lines[0].trim_start_matches('#').trim();
            let head = if lines[0].starts_with("###") { h4 } else { h3 };
            head("document__head")
                .set("id", format!("at-{}", section_of(name)))
                .with(inline(name, library))
        }
        Kind::Item => ul("document__list")
            .with(all(lines.iter().map(|line| li("").with(said(&line[2..], library))))),
        Kind::Row => rows(lines, library),
        Kind::Code | Kind::Text => p("").with(said(&lines.join(" "), library)),
    }
}

/// A line. Names of observations, readings and rules become links.
fn said(text: &str, library: &Library) -> Vec<Part> {
    let named = [("Observed in ", "; "), ("Concerns ", ", ")]
        .into_iter()
        .find_map(|(begins, between)| Some((begins, between, text.strip_prefix(begins)?)));
    let Some((begins, between, names)) = named else { return inline(text, library) };
    let mut shown = Vec::new();
    begins.put(&mut shown);
    for (at, name) in names.split(between).enumerate() {
        (if at > 0 { between } else { "" }).put(&mut shown);
        let (id, rest) = name.split_at(name.find(", ").unwrap_or(name.len()));
        link_to(id.trim_matches('`')).put(&mut shown);
        rest.put(&mut shown);
    }
    shown
}

/// A link to a rule, a reading or an observation; any other name is plain code.
pub(super) fn link_to(id: &str) -> Element {
    let is_rule = RULES.iter().any(|rule| rule.id == id);
    let is_reading = ReadingId::from_name(id).is_some() || is_observation(id);
    let view = match is_rule {
        true => "rules",
        false if is_reading => READINGS,
        false => return code("").with(id),
    };
    a("").set("href", format!("#{view}/{id}")).with(code("").with(id))
}

/// Whether a name is that of an observation, such as `amd.O8`. Their texts are in the library and not in the engine.
fn is_observation(id: &str) -> bool {
    id.split_once(".O").is_some_and(|(document, number)| {
        document.bytes().all(|it| it.is_ascii_lowercase()) && number.parse::<u8>().is_ok()
    })
}

fn rows(lines: &[&str], library: &Library) -> Element {
    let row = |line: &str, cell: fn(&'static str) -> Element| {
        // A bar within code does not separate cells.
        let line = line.trim().trim_matches('|').replace("\\|", "\u{1}");
        let shown = |text: &str| cell("").with(inline(&text.trim().replace('\u{1}', "|"), library));
        tr("").with(all(line.split('|').map(shown)))
    };
    div("document__table")
        .set("tabindex", "0")
        .set("role", "group")
        .set("aria-label", "Table")
        .with(table("").with((
            thead("").with(row(lines[0], th)),
            tbody("").with(all(lines.iter().skip(2).map(|line| row(line, td)))),
        )))
}

/// A code block; a complete scenario has a button that opens it.
fn listing(language: &str, text: &str) -> Element {
    let whole = language == "tide" && text.contains("launch");
    let open = whole.then(|| button("button button--small").does(Action::Try, text).with("Open"));
    div("document__code").with((pre("").set("tabindex", "0").with(code("").with(text)), open))
}

/// Code, emphasis and links within a line.
pub(super) fn inline(text: &str, library: &Library) -> Vec<Part> {
    let mut shown = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        let (before, marked) = rest.split_at(at);
        before.put(&mut shown);
        rest = marked_at(marked, library, &mut shown);
    }
    rest.put(&mut shown);
    shown
}

/// Adds the element that starts with a mark; returns the rest of the text.
fn marked_at<'a>(marked: &'a str, library: &Library, shown: &mut Vec<Part>) -> &'a str {
    let (mark, rest) = marked.split_at(1);
    let closed = |end: char| rest.split_once(end).filter(|(inner, _)| !inner.is_empty());
    if mark == "`"
        && let Some((inner, rest)) = closed('`')
    {
        code("").with(inner).put(shown);
        return rest;
    }
    if mark == "*"
        && let Some((inner, rest)) = closed('*')
    {
        em("").with(inner).put(shown);
        return rest;
    }
    if mark == "["
        && let Some((name, rest)) = rest.split_once("](")
        && let Some((path, rest)) = rest.split_once(')')
    {
        link(name, path, library).put(shown);
        return rest;
    }
    mark.put(shown);
    rest
}

/// A button that opens a scenario of the library, or a link to another view; other links show only their name.
fn link(name: &str, path: &str, library: &Library) -> Part {
    let path = path.trim_start_matches("../");
    match library.text(path) {
        Some(text) => Part::Element(
            button("button button--small document__open").does(Action::Open, path).with((
                "Open “",
                title(path, text),
                "”",
            )),
        ),
        None => match to_section(path, library) {
            Some(address) => Part::Element(a("").set("href", address).with(name)),
            None => Part::Text(name.to_owned()),
        },
    }
}

/// The address of a document with a view, or of a section of one: `language.md`, `language.md#errors` or `#errors`.
fn to_section(link: &str, library: &Library) -> Option<String> {
    let (file, section) = link.split_once('#').unwrap_or((link, ""));
    let mut sources = SOURCES.iter().filter(|source| match file {
        "" => source.has(section, library),
        file => source.path.rsplit('/').next() == file.rsplit('/').next(),
    });
    let source = sources.next()?;
    let part = if section.is_empty() { String::new() } else { format!("/{section}") };
    Some(format!("#{}{part}", source.view))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let library = Library::of("\u{1e}tests/a.tide\ntitle \"A\"\nlaunch waves=1\n".into());
        DocumentPage { title: String::new(), parts: document(text, &library) }.text()
    }

    #[test]
    fn names_become_links() {
        let shown = |text: &str| format!("{:?}", document(text, &Library::default()));
        let named = shown(
            "Observed in amd.O8, a count; amd.O9, none.\n\n* Concerns `amd.A1`, `amd.init.first`",
        );
        for href in
            ["readings/amd.O8", "readings/amd.O9", "readings/amd.A1", "rules/amd.init.first"]
        {
            assert!(named.contains(&format!("\"#{href}\"")), "{href}: {named}");
        }
        assert!(!shown("What concerns `amd.A1`").contains("href"));
    }

    #[test]
    fn one_section_is_shown_without_the_others() {
        let text = include_str!("../../../../docs/observations.md");
        let library = Library::of(format!("\u{1e}docs/observations.md\n{text}"));
        let part = |name: &str| one(name, "docs/observations.md", &library);
        let shown = part("amd.O8").expect("it is there");
        assert_eq!(shown.title, "amd.O8: A new expected count that equals the arrive count");
        assert!(shown.text().contains("amd.arrive.expected"), "{}", shown.text());
        assert!(!shown.text().contains("amd.O9"), "{}", shown.text());
        assert!(part("amd.A1").is_some_and(|it| it.text().contains("amd.O8")));
        assert_eq!((part("amd.O"), part("")), (None, None));
    }

    #[test]
    fn blocks_and_inline_elements() {
        assert_eq!(shown("# Name\n\nOne *and*\ntwo `x`."), "One and\n two x\n.\n");
        assert_eq!(shown("* a\n* b\n"), "a\nb\n\n");
        assert!(shown("| a | `b\\|c` |\n|---|---|\n| d | e |\n").contains("b|c"));
        assert_eq!(shown("[a](../tests/a.tide) [b](other.md)"), "Open “A”\n b\n");
        let linked = |text: &str| format!("{:?}", document(text, &Library::default()));
        assert!(linked("[b](kernels.md#limits)").contains("\"#kernels/limits\""));
        assert!(!linked("[b](#no-such-section)").contains("href"));
        assert!(shown("```tide\nlaunch waves=1\n```\n").ends_with("Open\n\n"));
        assert_eq!(shown("[ * `"), "[ * `\n");
    }
}
