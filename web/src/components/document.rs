//! A document in Markdown, as far as ours use it: headings, paragraphs, lists, tables, code, emphasis, links to scenarios.

use crate::dom::*;
use crate::examples::Example;
use crate::state::State;
use leptos::prelude::*;

/// A document; the dialog has its title already.
pub(super) fn document(state: State, text: &str) -> Group {
    let mut shown = Group::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let kind = kind(line);
        if line.trim().is_empty() || line.starts_with("# ") {
            continue;
        }
        if kind == Kind::Code {
            let code: Vec<&str> =
                lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            shown.add(listing(state, line.trim_start_matches('`'), &code.join("\n")));
            continue;
        }
        let mut block = vec![line];
        while let Some(next) = lines.next_if(|next| kind.goes_on(next)) {
            block.push(next);
        }
        shown.add(part(state, kind, &block));
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
    /// Whether a line belongs to the block before it.
    fn goes_on(self, line: &str) -> bool {
        self != Self::Heading && !line.trim().is_empty() && kind(line) == self
    }
}

fn part(state: State, kind: Kind, lines: &[&str]) -> El {
    match kind {
        Kind::Heading => {
            let name = lines[0].trim_start_matches('#').trim();
            let level = if lines[0].starts_with("###") { "h4" } else { "h3" };
            el(level, "document__head").with(inline(state, name))
        }
        Kind::Item => ul("document__list")
            .with(all(lines.iter().map(|line| li("").with(inline(state, &line[2..]))))),
        Kind::Row => table(state, lines),
        Kind::Code | Kind::Text => p("").with(inline(state, &lines.join(" "))),
    }
}

fn table(state: State, lines: &[&str]) -> El {
    let row = |line: &str, name: &'static str| {
        // A bar within code is no border.
        let line = line.trim().trim_matches('|').replace("\\|", "\u{1}");
        let cell =
            |cell: &str| el(name, "").with(inline(state, &cell.trim().replace('\u{1}', "|")));
        el("tr", "").with(all(line.split('|').map(cell)))
    };
    div("document__table")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "Table")
        .with(el("table", "").with((
            el("thead", "").with(row(lines[0], "th")),
            el("tbody", "").with(all(lines.iter().skip(2).map(|line| row(line, "td")))),
        )))
}

/// Code; a whole scenario can be opened.
fn listing(state: State, language: &str, text: &str) -> El {
    let whole = language == "tide" && text.contains("launch");
    let example = Example::new("reference", text);
    let open = whole
        .then(|| button("button button--small").press(move || open(state, &example)).with("Open"));
    div("document__code")
        .with((el("pre", "").attr("tabindex", "0").with(code("").with(text)), open))
}

fn open(state: State, example: &Example) {
    state.dialog.set(None);
    state.open_example(example);
}

/// Code, emphasis and links within a line.
fn inline(state: State, text: &str) -> Group {
    let mut shown = Group::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        let (before, marked) = rest.split_at(at);
        shown.add(before);
        rest = span_of(state, marked, &mut shown);
    }
    shown.add(rest);
    shown
}

/// Adds what begins with a mark; gives what is behind it.
fn span_of<'a>(state: State, marked: &'a str, shown: &mut Group) -> &'a str {
    let (mark, behind) = marked.split_at(1);
    let closed = |end: char| behind.split_once(end).filter(|(inner, _)| !inner.is_empty());
    if mark == "`"
        && let Some((inner, rest)) = closed('`')
    {
        shown.add(code("").with(inner));
        return rest;
    }
    if mark == "*"
        && let Some((inner, rest)) = closed('*')
    {
        shown.add(el("em", "").with(inner));
        return rest;
    }
    if mark == "["
        && let Some((name, rest)) = behind.split_once("](")
        && let Some((path, rest)) = rest.split_once(')')
    {
        shown.add(link(state, name, path));
        return rest;
    }
    shown.add(mark);
    behind
}

/// A link to a scenario of the library opens it; of any other the name is shown.
fn link(state: State, name: &str, path: &str) -> Group {
    let scenario =
        state.library.with_untracked(|library| library.scenario(path.trim_start_matches("../")));
    let Some(example) = scenario else { return Group::of(name) };
    let title = example.title();
    Group::of(
        button("button button--small document__open")
            .press(move || open(state, &example))
            .with(("Open “", title, "”")),
    )
}
