//! The gallery: all scenarios by system, by rule or by bug report.

use super::address::Address;
use super::markdown::inline;
use super::words::{chosen, search};
use crate::library::{Library, header, quoted, title};
use protocol::DocumentPage;
use protocol::document_page::*;
use protocol::verdict::{badge, face};
use tidegate_check::model::ordered::OrderedMap;
use tidegate_check::model::rule::RULES;

/// The view.
pub(super) fn page(address: &Address, library: &Library) -> DocumentPage {
    let by = address.word("by");
    let all_examples: Vec<Example> = examples(library).collect();
    let sought = address.word("q").to_lowercase();
    let (found, is_exact) = find(&all_examples, &sought);
    let groups = match by {
        "rule" => by_rule(&found, library),
        "report" => by_report(&found, library),
        _ => by_system(&found, library),
    };
    let ways = [("", "By system"), ("rule", "By rule"), ("report", "By bug report")];
    let remark = match is_exact {
        true => None,
        false if found.is_empty() => Some("No matching scenarios."),
        false => Some("No scenario contains all of these words. These contain the most of them."),
    };
    DocumentPage::new("Examples").with((
        div("sieve").with((
            search(address, "Search the examples", found.len(), "scenario"),
            chosen(address, "by", "Group", &ways),
        )),
        remark.map(|remark| p("calm").with(remark)),
        div("gallery").with(all(groups)),
    ))
}

/// A scenario of the gallery.
pub(super) struct Example<'a> {
    pub(super) path: &'a str,
    text: &'a str,
}

pub(super) fn examples(library: &Library) -> impl Iterator<Item = Example<'_>> {
    let ours = library.entries().filter(|(path, _)| path.starts_with("examples/"));
    ours.map(|(path, text)| Example { path, text })
}

impl<'a> Example<'a> {
    fn title(&self) -> String {
        title(self.path, self.text)
    }

    fn target(&self) -> &'a str {
        header(self.text, "target").unwrap_or("model").trim()
    }

    /// Returns the first sentence of its note.
    fn note(&self) -> &'a str {
        let note = quoted(self.text, "note").unwrap_or_default();
        note.find(". ").map_or(note, |end| &note[..=end])
    }

    /// Returns its expectations, in order.
    fn expectations(&self) -> impl Iterator<Item = &'a str> {
        self.text.lines().filter_map(|line| line.strip_prefix("expect "))
    }

    /// Returns the first verdict that it expects.
    fn expected(&self) -> &'a str {
        self.expectations().next().and_then(|rest| rest.split_whitespace().next()).unwrap_or("ok")
    }

    /// Returns the identifiers of the rules in its expectations.
    pub(super) fn rules(&self) -> impl Iterator<Item = &'static str> {
        let named =
            |id: &str| self.expectations().any(|it| it.split_whitespace().any(|it| it == id));
        RULES.iter().map(|rule| rule.id).filter(move |id| named(id))
    }

    /// Returns the address of its bug report.
    fn report(&self) -> Option<&'a str> {
        let start = self.text.find("https://")?;
        let address = &self.text[start..];
        let end = address.find([')', '"', ' ', '\n']).unwrap_or(address.len());
        Some(&address[..end])
    }

    /// Returns its name, and what the palette finds it by: the verdict, the target, the system, the note and
    /// the rules.
    pub(super) fn found(&self) -> String {
        let rules = self.rules().collect::<Vec<_>>().join(" ");
        let verdict = face(self.expected()).word;
        let system = SYSTEMS[system(self)];
        let (title, target, note) = (self.title(), self.target(), self.note());
        format!("Open {title}\n{verdict} on {target}, {system}: {note} {rules}")
    }

    /// Returns how many of the searched words it contains.
    fn contained(&self, sought: &str) -> usize {
        let text = self.text.to_lowercase();
        let verdict = face(self.expected()).word.to_lowercase();
        let symptoms = symptoms(self.expected());
        let parts = [&*text, self.path, &*verdict, symptoms];
        let has = |word: &&str| parts.iter().any(|part| has_word(part, word));
        sought.split_whitespace().filter(has).count()
    }
}

/// Whether a word of a text begins with `start`.
fn has_word(text: &str, start: &str) -> bool {
    text.match_indices(start).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}

/// Returns the scenarios that contain all searched words, and true. If there are none, returns those that contain the most
/// of the words, and false.
fn find<'a>(examples: &'a [Example<'a>], sought: &str) -> (Vec<&'a Example<'a>>, bool) {
    let counted: Vec<_> = examples.iter().map(|it| (it.contained(sought), it)).collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let all = sought.split_whitespace().count();
    let is_match = |count: usize| count == most && (count > 0 || all == 0);
    let found = counted.into_iter().filter(|(count, _)| is_match(*count)).map(|(_, it)| it);
    (found.collect(), most == all)
}

/// What is seen of a verdict when a kernel runs.
fn symptoms(verdict: &str) -> &'static str {
    match verdict {
        "deadlock" => "hangs stuck frozen timeout",
        "race" => "wrong results corruption flaky",
        _ => "",
    }
}

/// The systems.
const SYSTEMS: [&str; 8] = [
    "AMDGPU: workgroup barrier",
    "AMDGPU: named barriers and barrier objects",
    "AMDGPU: cluster barrier",
    "AMDGPU: memory and asynchronous copies",
    "NVIDIA: mbarrier and bar",
    "NVIDIA: SASS",
    "TLX",
    "OpenCL C++",
];

fn system(example: &Example<'_>) -> usize {
    let says = |word: &str| example.text.contains(word);
    let declares = |word: &str| example.text.lines().any(|line| line.starts_with(word));
    match () {
        () if example.target() == "opencl" => 7,
        () if says("tlx.") => 6,
        () if says("SYNCS.") || says("BAR.SYNC") => 5,
        () if example.target().starts_with("sm_") => 4,
        () if declares("lds ") || declares("global ") => 3,
        () if says("cluster") => 2,
        () if declares("barrier ") || says("m0") => 1,
        () => 0,
    }
}

fn by_system(examples: &[&Example<'_>], library: &Library) -> Vec<Element> {
    let of = |index: usize| examples.iter().copied().filter(move |it| system(it) == index);
    let groups = SYSTEMS
        .iter()
        .enumerate()
        .map(|(index, name)| group(name, None, of(index).collect(), library));
    groups.flatten().collect()
}

fn by_rule(examples: &[&Example<'_>], library: &Library) -> Vec<Element> {
    let of =
        |id: &str| examples.iter().copied().filter(|it| it.rules().any(|it| it == id)).collect();
    let groups = RULES.iter().map(|rule| {
        let link = a("").set("href", format!("#rules/{}", rule.id)).with(code("").with(rule.id));
        group(rule.id, Some(link), of(rule.id), library)
    });
    groups.flatten().collect()
}

fn by_report(examples: &[&Example<'_>], library: &Library) -> Vec<Element> {
    let mut reports: OrderedMap<&str, Vec<&Example<'_>>> = OrderedMap::new();
    for example in examples {
        example.report().into_iter().for_each(|it| reports.entry(it).or_default().push(example));
    }
    let groups = reports.into_iter().map(|(address, examples)| {
        let name = address.trim_start_matches("https://github.com/");
        group(name, Some(report_link("", address)), examples, library)
    });
    groups.flatten().collect()
}

/// Scenarios under a heading: defined ones first, then those of bug reports, each with its fix after it; nothing if there are
/// none.
fn group(
    name: &str,
    link: Option<Element>,
    mut examples: Vec<&Example<'_>>,
    library: &Library,
) -> Option<Element> {
    examples.sort_by_key(|it| {
        let (report, is_ok) = (it.report(), it.expected() == "ok");
        (report, is_ok == report.is_some(), it.expected(), it.title())
    });
    let head = h3("gallery__name");
    let head = match link {
        Some(link) => head.with(link),
        None => head.with(name),
    };
    (!examples.is_empty()).then(|| {
        section("gallery__group").set("aria-label", name).with((
            head,
            ul("gallery__list").with(all(examples.into_iter().map(|it| item(it, library)))),
        ))
    })
}

pub(super) fn item(example: &Example<'_>, library: &Library) -> Element {
    let open = button("example").does(Action::Open, example.path).with((
        badge(example.expected()),
        span("example__title").with(example.title()),
        code("example__target").with(example.target()),
        span("example__note").with(inline(example.note(), library)),
    ));
    // A button cannot contain a link.
    li("").with((open, example.report().map(|address| report_link("example__report", address))))
}

fn report_link(class: &str, address: &str) -> Element {
    let name = address.trim_start_matches("https://github.com/");
    a(class).set("href", address).set("rel", "noreferrer").with(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title \"One\"\nnote \"First. Second. See https://a.org/1).\"\ntarget gfx1250\nexpect ub amd.drop.race\n";

    fn example(text: &str) -> Example<'_> {
        Example { path: "examples/one.tide", text }
    }

    #[test]
    fn headers_are_read_from_the_text() {
        let one = example(TEXT);
        assert_eq!((one.title().as_str(), one.note()), ("One", "First."));
        assert_eq!((one.target(), one.expected()), ("gfx1250", "ub"));
        assert_eq!(one.rules().collect::<Vec<_>>(), ["amd.drop.race"]);
        assert_eq!(one.report(), Some("https://a.org/1"));
    }

    #[test]
    fn a_search_without_an_exact_match_finds_the_nearest() {
        let all = [
            example("title \"Flash attention\"\nexpect race mem.race\n"),
            example("title \"GEMM\"\nexpect deadlock amd.wait.never-completes\n"),
        ];
        let titles = |sought| {
            let (found, is_exact) = find(&all, sought);
            (found.iter().map(|it| it.title()).collect::<Vec<_>>(), is_exact)
        };
        assert_eq!(titles("gemm hang"), (vec!["GEMM".to_owned()], true));
        let both = vec!["Flash attention".to_owned(), "GEMM".to_owned()];
        assert_eq!(titles("attention hang"), (both.clone(), false));
        assert_eq!(titles(""), (both, true));
        assert_eq!(titles("opengl"), (vec![], false));
        assert_eq!(titles("ash"), (vec![], false), "a word is found by its beginning");
    }

    #[test]
    fn every_scenario_is_in_one_group() {
        let texts = [
            ("target gfx1250\nwave * { arrive wg; wait wg }", 0),
            ("target gfx1250\nbarrier b = named(1)\n", 1),
            ("target gfx1250\nlds a[4]\nbarrier b = named(1)\n", 3),
            ("target sm_90\n", 4),
            ("target opencl\n", 7),
        ];
        for (text, wanted) in texts {
            assert_eq!(system(&example(text)), wanted, "{text}");
        }
    }

    #[test]
    fn a_bug_precedes_its_fix_and_follows_what_has_no_report() {
        let one = |name: &str, rest: &str| {
            format!("\u{1e}examples/{name}.tide\ntitle \"{name}\"\ntarget gfx1250\n{rest}\n")
        };
        let bug = "note \"See https://a.org/1.\"\nexpect";
        let library = Library::of(format!(
            "{}{}{}{}",
            one("fixed", &format!("{bug} ok")),
            one("broken", &format!("{bug} deadlock amd.wait.never-completes")),
            one("plain", "expect ok"),
            one("misuse", "expect ub amd.drop.race"),
        ));
        let text = page(&Address::of("gallery"), &library).text();
        let places = ["plain", "misuse", "broken", "fixed"].map(|name| text.find(name));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
        let found = page(&Address::of("gallery?q=hang"), &library).text();
        assert!(found.contains("broken") && !found.contains("misuse"), "{found}");
    }

    #[test]
    fn a_search_works_in_every_grouping() {
        let library = Library::of(format!("\u{1e}examples/one.tide\n{TEXT}\u{1e}docs/a.md\n"));
        for by in ["system", "rule", "report"] {
            let shown =
                |q: &str| page(&Address::of(&format!("gallery?by={by}&q={q}")), &library).text();
            assert!(shown("drop.race%20first").contains("One"), "{by}");
            assert!(!shown("tlx").contains("One"), "{by}");
        }
    }
}
