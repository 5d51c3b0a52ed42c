//! The frame of every page, and the parts that several pages share.

use crate::judge;
use pulldown_cmark::{Options, Parser, html::push_html};
use tidegate_check::face::Face;
use tidegate_check::graph::draw::data_address;
use tidegate_check::report::{Finding, OracleReport, Report};

/// The policy of the pages: their own files, frames of the page, and pictures within the text.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

/// Escapes text for HTML and for attributes between double quotes.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Escapes text and turns code between backticks into elements.
pub(crate) fn coded(text: &str) -> String {
    let part = |(at, part): (usize, &str)| match at % 2 {
        1 => format!("<code>{}</code>", escaped(part)),
        _ => escaped(part),
    };
    text.split('`').enumerate().map(part).collect()
}

/// Returns the HTML of a text in Markdown.
pub(crate) fn markdown(text: &str) -> String {
    let mut out = String::new();
    push_html(&mut out, Parser::new_ext(text, Options::ENABLE_TABLES));
    out
}

/// A page in a folder beside the page of Tidegate.
pub(crate) struct Page<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// What it is about, in a sentence.
    pub(crate) summary: &'a str,
    /// The part of the menu that it belongs to.
    pub(crate) menu: &'static str,
    /// Its module scripts, besides the script of the scenarios.
    pub(crate) scripts: &'a [&'a str],
    /// Its content.
    pub(crate) body: String,
}

/// The parts of the menu: name and address.
const MENU: [(&str, &str); 4] = [
    ("Course", "../course/index.html"),
    ("Exercise", "../course/exercise.html"),
    ("For teachers", "../course/table.html"),
    ("Stories", "../stories/index.html"),
];

/// Returns a whole page.
pub(crate) fn page(page: &Page<'_>) -> String {
    let scripts: String = page
        .scripts
        .iter()
        .map(|name| format!("    <script type=\"module\" src=\"../{name}\"></script>\n"))
        .collect();
    let entry = |(name, address): (&str, &str)| {
        let here = if name == page.menu { " aria-current=\"true\"" } else { "" };
        format!("          <a href=\"{address}\"{here}>{name}</a>\n")
    };
    let menu: String = MENU.into_iter().map(entry).collect();
    let (title, summary, body) = (escaped(page.title), escaped(page.summary), &page.body);
    format!(
        r#"<!doctype html>
<html lang="en" dir="ltr" data-static>
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="{POLICY}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="description" content="{summary}" />
    <meta property="og:title" content="{title}" />
    <meta property="og:description" content="{summary}" />
    <title>{title} · Tidegate</title>
    <link rel="icon" href="../icon.svg" type="image/svg+xml" />
    <script src="../theme.js"></script>
    <link rel="stylesheet" href="../tokens.css" />
    <link rel="stylesheet" href="../base.css" />
    <link rel="stylesheet" href="../course.css" />
    <script src="../tide-gate.js" defer></script>
{scripts}  </head>
  <body class="sheet">
    <header class="bar">
      <a class="bar__name" href="../index.html"><img src="../icon.svg" alt="" width="24" height="24" />Tidegate</a>
      <nav class="bar__menu" aria-label="Pages">
{menu}      </nav>
    </header>
    <main class="page">
{body}    </main>
  </body>
</html>
"#
    )
}

/// A verdict in words and colour.
pub(crate) fn badge(verdict: &str) -> String {
    let Face { word, tone } = judge::face(verdict);
    format!("<span class=\"badge\" data-tone=\"{tone}\">{word}</span>")
}

/// A picture within the page; empty if there is none.
pub(crate) fn picture(text: &str, title: &str) -> String {
    let Some(drawing) = judge::picture(text, title) else { return String::new() };
    let alt = format!("Execution of “{title}”: a lane for each agent, time downwards");
    format!("<img class=\"lanes\" alt=\"{}\" src=\"{}\">\n", escaped(&alt), data_address(&drawing))
}

/// The finding that determines the verdict, or else the first hazard.
fn finding(report: &Report) -> Option<&Finding> {
    let hazard = || report.findings.iter().find(|finding| finding.class == "hazard");
    report.ground().or_else(hazard)
}

/// The hardware model, if its verdict differs.
fn machine(report: &Report) -> Option<&OracleReport> {
    let machine = report.machine.as_ref()?;
    let differs = report.machine_agrees() == Some(false) && machine.verdict != report.verdict;
    differs.then_some(machine)
}

/// Whether there is something to explain.
pub(crate) fn explains(report: &Report) -> bool {
    finding(report).is_some() || machine(report).is_some()
}

/// The verdicts of a report as badges.
pub(crate) fn badges(report: &Report) -> String {
    let machine = machine(report).map(|it| format!(", hardware model: {}", badge(&it.verdict)));
    badge(&report.verdict) + &machine.unwrap_or_default()
}

/// The verdict of a report with its reasons, as a box.
pub(crate) fn verdict(report: &Report) -> String {
    let mut out =
        format!("<div class=\"found\" data-tone=\"{}\">\n", judge::face(&report.verdict).tone);
    out.push_str(&format!("<p>{} on <code>{}</code></p>\n", badge(&report.verdict), report.target));
    if let Some(finding) = finding(report) {
        if finding.class != report.verdict {
            out.push_str("<p>Hazard: it does not change the verdict.</p>\n");
        }
        out.push_str(&reasons(finding));
    }
    if let Some(machine) = machine(report) {
        out.push_str(&format!(
            "<p>Hardware model (public, not measured): {}</p>\n",
            badge(&machine.verdict)
        ));
        let found = machine.findings.iter().find(|finding| finding.class == machine.verdict);
        out.push_str(&found.map_or(String::new(), reasons));
    }
    out + "</div>\n"
}

/// A finding with its notes, its rule and its help.
fn reasons(finding: &Finding) -> String {
    let mut out = format!("<p class=\"found__what\">{}</p>\n<ul>\n", coded(&finding.message));
    for note in &finding.because {
        out.push_str(&format!("<li>{}</li>\n", coded(note)));
    }
    let rule = &finding.rule;
    out.push_str(&format!(
        "<li>Rule <a href=\"../index.html#rules/{rule}\"><code>{rule}</code></a></li>\n</ul>\n"
    ));
    if let Some(help) = &finding.remedy {
        out.push_str(&format!("<p><b>Help:</b> {}</p>\n", coded(help)));
    }
    out
}

/// A scenario that a reader can step through. Its text, verdict and picture are visible without scripts and on paper.
pub(crate) fn live(text: &str, title: &str, panels: &str) -> String {
    gate(text, title, panels, "")
}

/// A scenario that the reader steps through from launch.
pub(crate) fn live_at_launch(text: &str, title: &str, panels: &str) -> String {
    gate(text, title, panels, " start")
}

fn gate(text: &str, title: &str, panels: &str, start: &str) -> String {
    let shown = judge::without_expectations(text);
    let verdict = verdict(&judge::report(text));
    format!(
        "<tide-gate class=\"scenario\"{start} panels=\"{panels}\" title=\"{}\">\n{}{verdict}{}</tide-gate>\n",
        escaped(title),
        code(&shown),
        picture(text, title)
    )
}

/// A scenario as text.
pub(crate) fn code(text: &str) -> String {
    format!("<pre class=\"code\" tabindex=\"0\">{}</pre>\n", escaped(text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_markup() {
        assert_eq!(escaped("<a href=\"&\">"), "&lt;a href=&quot;&amp;&quot;&gt;");
        assert_eq!(coded("a `b<` c"), "a <code>b&lt;</code> c");
    }

    #[test]
    fn a_scenario_has_text_verdict_and_picture() {
        let text =
            "target gfx1250\nlaunch waves=2\nwave * { wait wg; arrive wg }\nexpect deadlock\n";
        let shown = live(text, "A wait", "verdict,text");
        for part in ["wave * {", "Deadlock", "<img", "data-tone=\"deadlock\"", "Help:"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(!shown.contains("expect deadlock"));
    }
}
