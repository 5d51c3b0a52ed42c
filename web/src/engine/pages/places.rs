//! The places that the palette finds: examples, lessons, operations, rules, readings, observations, and sections of the documents.

use super::gallery::examples;
use super::keys::commands;
use super::markdown::{SOURCES, heading};
use super::passage::is_of_word;
use super::targets::names;
use crate::library::Library;
use tidegate_check::lang::assist;
use tidegate_check::model::rule::RULES;

/// Pages without a key: the fragment and the name of each.
const PAGES: [(&str, &str); 13] = [
    ("#gallery", "Examples"),
    ("./course/index.html", "Course"),
    ("./stories/index.html", "Stories"),
    ("#rules", "Rules"),
    ("#tools", "Tools"),
    ("#tools/mbarrier", "mbarrier word decoder"),
    ("#tools/sass", "SASS and PTX"),
    ("#tools/targets", "Targets and features"),
    ("#readings", "Readings and observations"),
    ("#kernels", "Compiled code and kernels"),
    ("#command-line", "Command line"),
    ("#embedding", "Embedding"),
    ("#one-run", "Proof by one run"),
];

/// Returns the name and the address of each place: the fragment of a view, the path of an example, the page of a
/// lesson, a target after `target`, or a command after `press`. A second line of the name describes the place.
pub(crate) fn places(library: &Library) -> Vec<(String, String)> {
    let rules = RULES.iter().map(|rule| {
        let says = rule.statement.replace('`', "");
        (format!("{}\n{says}", rule.id), format!("#rules/{}", rule.id))
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
    let lessons = library.entries().filter_map(|(path, text)| {
        let page = path.strip_prefix("course/")?.strip_suffix(".md")?;
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(page);
        let says = text.lines().find_map(|line| line.strip_prefix("> ")).unwrap_or_default();
        Some((format!("Lesson: {title}\n{says}"), format!("./course/{page}.html")))
    });
    let examples = examples(library).map(|it| (it.found(), it.path.to_owned()));
    let pages = PAGES.map(|(to, name)| (name.to_owned(), to.to_owned())).into_iter();
    let targets = names().into_iter().flat_map(|(_, names)| names);
    let targets = targets.map(|name| (format!("Check on {name}"), format!("target {name}")));
    let sections_of_words = sections_of_words(library);
    let operations = assist::operations().map(|name| {
        let family = name.split_inclusive('.').next().unwrap_or(name);
        let found = section(&sections_of_words, |word| word == name);
        let found = found.or_else(|| section(&sections_of_words, |word| word.starts_with(family)));
        let to = found.map_or_else(|| "#language".to_owned(), str::to_owned);
        (format!("{name}\n{}", assist::described(name)), to)
    });
    // A rule comes before the examples that break it.
    let views = pages.chain(operations).chain(rules).chain(sections);
    commands().chain(targets).chain(views).chain(examples).chain(lessons).collect()
}

/// The address of each section of the language, with its words.
fn sections_of_words(library: &Library) -> Vec<(String, Vec<&str>)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in SOURCES[0].text(library).lines() {
        if let Some((_, name)) = heading(line) {
            sections.push((SOURCES[0].address(name), Vec::new()));
        } else if let Some((_, words)) = sections.last_mut() {
            let named = line.split(|letter| !is_of_word(letter));
            words.extend(named.filter(|word| word.contains(['.', '_']) || word.len() > 3));
        }
    }
    sections
}

/// The address of the first section that has most of some words, if one has any.
fn section<'a>(
    sections: &'a [(String, Vec<&str>)],
    is_one: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let mut best = (0, None);
    for (address, words) in sections {
        let count = words.iter().filter(|word| is_one(word)).count();
        if count > best.0 {
            best = (count, Some(&**address));
        }
    }
    best.1
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
        let targets = names().iter().map(|(_, names)| names.len()).sum::<usize>();
        let operations = assist::operations().count();
        let beside = commands().count() + targets + PAGES.len() + operations;
        assert_eq!(places.len(), beside + RULES.len() + 3);
        // The course and the stories are pages beside the page.
        for (name, to) in places.iter().filter(|(_, to)| to.starts_with('#')) {
            let title = page(to.trim_start_matches('#'), &library).map(|page| page.title);
            assert!(title.is_some_and(|title| !title.starts_with("No such")), "{name}: {to}");
        }
    }
}
