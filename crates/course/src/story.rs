//! The pages of the bug reports: `examples/bug-NAME.tide` and `examples/bug-NAME-fixed.tide`.

use crate::diff::{diff, program};
use crate::html::{self, Page, coded, escaped};
use crate::judge;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A bug report.
pub(crate) struct Story {
    /// The name of its file without `bug-` and the ending.
    name: String,
    /// The scenario.
    broken: Scenario,
    /// The scenario with the fix, if there is one.
    fixed: Option<Scenario>,
}

/// A scenario of the gallery.
struct Scenario {
    text: String,
    /// The text without its title, notes and expectations. The lines that a page names are those of this text.
    program: String,
    title: String,
    /// Its notes without the sentence that names the report.
    notes: Vec<String>,
    /// The address of the report.
    report: Option<String>,
}

impl Scenario {
    fn new(text: String) -> Self {
        let quoted = |word: &str, line: &str| {
            let rest = line.strip_prefix(word)?.trim().strip_prefix('"')?;
            rest.rfind('"').map(|end| rest[..end].to_owned())
        };
        let title = text.lines().find_map(|line| quoted("title ", line)).unwrap_or_default();
        let notes = text.lines().filter_map(|line| quoted("note ", line));
        let notes = notes.map(|note| without_source(&note)).filter(|note| !note.is_empty());
        let report = text.find("https://").map(|start| {
            let address = &text[start..];
            let end = address.find([')', '"', ' ', '\n']).unwrap_or(address.len());
            address[..end].to_owned()
        });
        let program = program(&text);
        Self { title, notes: notes.collect(), report, program, text }
    }
}

/// Removes the sentence `Based on …`, which contains the address of the report.
fn without_source(note: &str) -> String {
    let sentences = note.split_inclusive(". ");
    sentences
        .filter(|sentence| !sentence.contains("https://"))
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Reads the bug reports among the examples.
pub(crate) fn read(folder: &Path) -> Result<Vec<Story>> {
    let mut texts = BTreeMap::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_prefix("bug-").and_then(|name| name.strip_suffix(".tide"));
        if let Some(name) = name {
            let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
            texts.insert(name.to_owned(), text);
        }
    }
    let stories = texts.iter().filter(|(name, _)| !name.ends_with("-fixed"));
    let stories = stories.map(|(name, text)| Story {
        name: name.clone(),
        broken: Scenario::new(text.clone()),
        fixed: texts.get(&format!("{name}-fixed")).cloned().map(Scenario::new),
    });
    Ok(stories.collect())
}

impl Story {
    /// The project of the report, as `OWNER/NAME`.
    fn project(&self) -> &str {
        let address = self.broken.report.as_deref().unwrap_or_default();
        let path = address.strip_prefix("https://github.com/").unwrap_or("Other");
        let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
        &path[..end]
    }

    /// The number of the report within its project.
    fn number(&self) -> &str {
        self.broken.report.as_deref().and_then(|it| it.rsplit('/').next()).unwrap_or_default()
    }

    /// The first sentence about it.
    fn summary(&self) -> &str {
        let note = self.broken.notes.first().map_or("", String::as_str);
        note.find(". ").map_or(note, |end| &note[..=end])
    }

    fn file(&self) -> String {
        format!("stories/{}.html", self.name)
    }

    /// The page. `before` and `after` are its neighbours in the index.
    fn page(&self, before: Option<&Self>, after: Option<&Self>) -> String {
        let report = judge::report(&self.broken.program);
        let source = self.broken.report.as_deref().unwrap_or_default();
        let mut body = format!(
            "<p class=\"where\"><a href=\"{}\" rel=\"noreferrer\">{} #{}</a></p>\n<h1>{}</h1>\n<p>{} on <code>{}</code></p>\n",
            escaped(source),
            escaped(self.project()),
            escaped(self.number()),
            escaped(&self.broken.title),
            html::badges(&report),
            report.target
        );
        body.push_str("<h2>What was seen</h2>\n");
        body.push_str(&paragraphs(&self.broken.notes));
        body.push_str("<h2>The smallest scenario</h2>\n");
        body.push_str(&shown(&self.broken));
        if html::explains(&report) {
            body.push_str("<h2>Why</h2>\n");
            body.push_str(&html::verdict(&report));
        }
        let picture = html::picture(&self.broken.program, &self.broken.title);
        if !picture.is_empty() {
            let caption = match report.ground() {
                Some(_) => "The execution that shows it.",
                None => "One complete execution.",
            };
            body.push_str(&format!(
                "<figure class=\"wide\" tabindex=\"0\">{picture}<figcaption>{caption}</figcaption></figure>\n"
            ));
        }
        if let Some(fixed) = &self.fixed {
            body.push_str("<h2>The fix</h2>\n");
            body.push_str(&paragraphs(&fixed.notes));
            body.push_str(&diff(&self.broken.program, &fixed.program));
            body.push_str(&shown(fixed));
        }
        body.push_str(&self.links(source));
        body.push_str(&neighbours(before, after));
        let title = format!("{} ({} #{})", self.broken.title, self.project(), self.number());
        html::page(&Page {
            title: &title,
            summary: self.summary(),
            menu: "Stories",
            scripts: &[],
            body,
        })
    }

    fn links(&self, source: &str) -> String {
        let open = |scenario: &Scenario| {
            escaped(&judge::address(&scenario.text, &judge::report(&scenario.text)))
        };
        let mut out = format!(
            "<h2>Links</h2>\n<ul>\n<li><a href=\"{}\" rel=\"noreferrer\">The report</a></li>\n\
             <li><a href=\"{}\">The scenario in Tidegate</a></li>\n",
            escaped(source),
            open(&self.broken)
        );
        if let Some(fixed) = &self.fixed {
            out.push_str(&format!(
                "<li><a href=\"{}\">The fixed scenario in Tidegate</a></li>\n",
                open(fixed)
            ));
        }
        out + "</ul>\n"
    }
}

fn paragraphs(notes: &[String]) -> String {
    notes.iter().map(|note| format!("<p>{}</p>\n", coded(note))).collect()
}

fn shown(scenario: &Scenario) -> String {
    html::live(&scenario.program, &scenario.title, "verdict,text,execution")
}

fn neighbours(before: Option<&Story>, after: Option<&Story>) -> String {
    let link = |story: &Story, word: &str| {
        format!("<a href=\"{}.html\">{word}: {}</a>\n", story.name, escaped(&story.broken.title))
    };
    let before = before.map_or(String::new(), |it| link(it, "Previous"));
    let after = after.map_or(String::new(), |it| link(it, "Next"));
    format!("<nav class=\"turn\" aria-label=\"Other stories\">\n{before}{after}</nav>\n")
}

/// Returns the paths and texts of all pages of the bug reports.
pub(crate) fn pages(stories: &[Story]) -> Vec<(String, String)> {
    let mut pages = vec![("stories/index.html".to_owned(), index(stories))];
    for (at, story) in stories.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| stories.get(at));
        pages.push((story.file(), story.page(before, stories.get(at + 1))));
    }
    pages
}

fn index(stories: &[Story]) -> String {
    let mut body = String::from(
        "<h1>Stories</h1>\n<p class=\"lead\">Bug reports from real projects. Each page shows what was seen, the smallest \
         scenario with the bug, the execution that shows it, and the fix.</p>\n",
    );
    let mut projects: BTreeMap<String, Vec<&Story>> = BTreeMap::new();
    for story in stories {
        projects.entry(story.project().to_lowercase()).or_default().push(story);
    }
    for stories in projects.values() {
        let Some(first) = stories.first() else { continue };
        body.push_str(&format!("<h2>{}</h2>\n<ul class=\"list\">\n", escaped(first.project())));
        for story in stories {
            let report = judge::report(&story.broken.program);
            body.push_str(&format!(
                "<li><a href=\"{}.html\">{}</a> {}<br><span class=\"quiet\">#{}. {}</span></li>\n",
                story.name,
                escaped(&story.broken.title),
                html::badges(&report),
                escaped(story.number()),
                coded(story.summary())
            ));
        }
        body.push_str("</ul>\n");
    }
    let summary = "Bug reports of GPU kernels that hang or race, each with the smallest scenario and its fix.";
    html::page(&Page { title: "Stories", summary, menu: "Stories", scripts: &[], body })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stories() -> Vec<Story> {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")).expect("the examples")
    }

    #[test]
    fn every_story_names_its_report_and_says_what_was_seen() {
        let stories = stories();
        assert!(stories.len() > 20);
        for story in &stories {
            assert!(story.project().contains('/') && !story.number().is_empty(), "{}", story.name);
            assert!(
                !story.summary().is_empty() && !story.broken.title.is_empty(),
                "{}",
                story.name
            );
            let source = story.broken.notes.iter().any(|note| note.contains("https://"));
            assert!(!source, "{}", story.name);
        }
    }

    #[test]
    fn a_page_has_the_scenario_the_fix_and_the_links() {
        let stories = stories();
        let story = stories.iter().find(|story| story.name == "tilelang-2567").expect("a story");
        let page = story.page(None, None);
        for part in ["What was seen", "<del>", "<ins>", "issues/2567", "../index.html#v1.", "<img"]
        {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!((story.project(), story.number()), ("tile-ai/tilelang", "2567"));
    }
}
