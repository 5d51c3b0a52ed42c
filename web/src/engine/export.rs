//! A scenario in other forms: Markdown for an issue, an embed snippet, drawings and texts of its execution, its report.

use crate::judge::scene;
use protocol::{Exported, Form, Terms};
use tidegate_check::graph::draw::{data_address, dot, mermaid, svg};
use tidegate_check::graph::{ExecutionGraph, GraphError, Pick, RelationId};
use tidegate_check::link;
use tidegate_check::report::{Finding, Report};
use tidegate_check::step::Stepper;
use tidegate_check::{Options, Scene, graph};

/// Largest number of states of the search for an export, which blocks the page.
const STATES: u64 = 200_000;
/// Longest picture in a snippet, in bytes.
const PICTURE: usize = 40_000;
/// The maximum number of lines of a text that an issue shows open, before the steps.
const LINES: usize = 60;
/// The drawn relations; they imply the others.
const DRAWN: [RelationId; 3] =
    [RelationId::ProgramOrder, RelationId::ModificationOrder, RelationId::ParticipatesIn];

/// Exports a scenario in a form, or returns why it cannot. `address` is the address of the page with the link.
pub(crate) fn export(
    form: Form,
    text: &str,
    terms: &Terms,
    keys: &[String],
    address: &str,
) -> Exported {
    let scene = scene(text);
    let options = Options { max_states: Some(STATES), ..terms.options() };
    Ok(match form {
        Form::Tide => text.to_owned(),
        Form::Embed => embed(&scene, &options, keys, address),
        Form::Markdown => markdown(&scene, &options, keys, address),
        Form::Report => serde_json::to_string_pretty(&judged(&scene, &options))
            .map_err(|error| error.to_string())?,
        Form::Svg | Form::Png => drawn(&scene, &options, keys, svg)?,
        Form::Dot => drawn(&scene, &options, keys, dot)?,
        Form::Mermaid => drawn(&scene, &options, keys, mermaid)?,
    })
}

fn judged(scene: &Scene, options: &Options) -> Report {
    tidegate_check::check(scene, options, &mut |_| true)
}

type Draw = fn(&ExecutionGraph, &str, &[RelationId]) -> String;

/// Draws the performed steps; without any, the first witness or else a complete execution.
fn drawn(scene: &Scene, options: &Options, keys: &[String], draw: Draw) -> Exported {
    let found = match performed(scene, options, keys) {
        Some(found) => found,
        None => graph(scene, options, Pick::default(), &mut |_| true).map_err(message)?,
    };
    let rule = found.rule.as_ref().map_or(String::new(), |rule| format!(": {rule}"));
    let target = options.target_of(scene).get().name;
    let title = if scene.title().is_empty() { "Scenario" } else { scene.title() };
    Ok(draw(&found, &format!("{title} ({target}){rule}"), &DRAWN))
}

/// Returns the relations of the steps with these keys; `None` without steps or relations.
fn performed(scene: &Scene, options: &Options, keys: &[String]) -> Option<ExecutionGraph> {
    let mut stepper = Stepper::new(scene, options).filter(|_| !keys.is_empty())?;
    stepper.load(keys);
    stepper.graph()
}

fn message(error: GraphError) -> String {
    match error {
        GraphError::Invalid => "The scenario has errors.",
        GraphError::NoRelations => {
            "No relations: the scenario combines barriers from several specifications."
        }
        _ => "The execution has too many operations to relate.",
    }
    .to_owned()
}

/// Writes the `tide-gate.js` element that shows the link in another page. It contains the text, the verdict and a picture of
/// the execution for readers without scripts.
fn embed(scene: &Scene, options: &Options, keys: &[String], address: &str) -> String {
    let (base, link) = address.split_once('#').unwrap_or((address, ""));
    let base = base.split('?').next().unwrap_or(base).trim_end_matches("index.html");
    let text = escaped(scene.text().trim_end());
    let report = judged(scene, options);
    let first = report.ground().map(|first| format!(": {}", first.message));
    let said =
        format!("{} on {}{}", link::recorded(&report), report.target, first.unwrap_or_default());
    let said = coded(&escaped(&said));
    let picture = drawn(scene, options, keys, svg).ok().filter(|picture| picture.len() <= PICTURE);
    let picture = picture.map(|picture| {
        format!("<img alt=\"Execution of this scenario\" src=\"{}\">\n", data_address(&picture))
    });
    let picture = picture.unwrap_or_default();
    format!(
        "<script src=\"{base}tide-gate.js\"></script>\n\n<tide-gate src=\"{base}#{link}\">\n<pre>\n{text}\n</pre>\n<p>{said}</p>\n{picture}</tide-gate>\n"
    )
}

/// Escapes a text and turns code between backticks into elements.
fn coded(text: &str) -> String {
    let part = |(at, part): (usize, &str)| match at % 2 {
        1 => format!("<code>{part}</code>"),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(part).collect()
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Writes the Markdown of an issue: verdict, notes, scenario, steps and link.
fn markdown(scene: &Scene, options: &Options, keys: &[String], address: &str) -> String {
    let report = judged(scene, options);
    let verdict = link::recorded(&report);
    let untitled = format!("{verdict} on {}", report.target);
    let title = if scene.title().is_empty() { &untitled } else { scene.title() };
    let mut out = format!("### {}\n\n", line(title));
    out.push_str(&format!("**{verdict}** on `{}`", report.target));
    if let Some(machine) = &report.machine {
        out.push_str(&format!("; hardware model: {}", machine.verdict));
    }
    out.push_str(".\n");
    report.findings.iter().for_each(|finding| push_finding(finding, &mut out));
    let text = fenced("tide", scene.text());
    let steps = trace(scene, options, keys, &report);
    out.push_str(&match scene.text().lines().count() {
        ..=LINES => format!("\n{text}\n{steps}"),
        lines => format!(
            "{steps}\n<details><summary>Text ({lines} lines)</summary>\n\n{text}\n\n</details>\n"
        ),
    });
    out.push_str(&format!("\n[Open in Tidegate]({address})\n"));
    out
}

fn push_finding(finding: &Finding, out: &mut String) {
    out.push_str(&format!("\n{}\n", finding.message));
    finding.because.iter().for_each(|clause| out.push_str(&format!("* {clause}\n")));
    finding.remedy.iter().for_each(|remedy| out.push_str(&format!("\nHelp: {remedy}\n")));
}

/// Lists the performed steps; without any, those of the first witness.
fn trace(scene: &Scene, options: &Options, keys: &[String], report: &Report) -> String {
    let witness = report.findings.first().map(|first| &first.witness);
    let witness: Vec<String> = witness.into_iter().flatten().map(|step| step.key.clone()).collect();
    let keys = if keys.is_empty() { &witness[..] } else { keys };
    let Some(mut stepper) = Stepper::new(scene, options).filter(|_| !keys.is_empty()) else {
        return String::new();
    };
    stepper.load(keys);
    let view = stepper.view();
    let mut out = String::from(
        "\n<details><summary>Steps</summary>\n\n| | agent | line | operation |\n|---|---|---|---|\n",
    );
    for (index, step) in view.performed.iter().enumerate() {
        let agent = view.agents.get(step.agent).map_or("", |agent| &*agent.name);
        let label = step.label.replace('|', "\\|");
        out.push_str(&format!("| {} | {agent} | {} | `{label}` |\n", index + 1, step.line));
    }
    out + "\n</details>\n"
}

/// Returns text as one line without markup characters.
fn line(text: &str) -> String {
    text.chars().filter(|it| !matches!(it, '\n' | '\r' | '<' | '>' | '`')).collect()
}

/// Returns a code block whose fence is longer than any in the text.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../../examples/join-too-late.tide");
    const LINK: &str = "https://example.org/gate/#v1.abc";

    fn form(form: Form) -> String {
        export(form, TEXT, &Terms::default(), &[], LINK).expect("a form")
    }

    #[test]
    fn an_issue_has_verdict_scenario_steps_and_link() {
        let text = form(Form::Markdown);
        for part in [
            "### Joining",
            "**ub amd.join.before-wait**",
            "```tide\ntitle",
            "| 11 | wave 1 |",
            LINK,
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(fenced("tide", "a ```` b").starts_with("`````tide\n"));
    }

    #[test]
    fn an_issue_with_a_long_text_begins_with_the_finding() {
        let untitled = TEXT.split_once('\n').map_or("", |(_, rest)| rest);
        let text = format!("{untitled}{}", "# more\n".repeat(LINES));
        let made = export(Form::Markdown, &text, &Terms::default(), &[], LINK).expect("an issue");
        assert!(made.starts_with("### ub amd.join.before-wait on gfx1250\n"), "{made}");
        let [steps, text] = ["<summary>Steps", "<summary>Text ("].map(|part| made.find(part));
        assert!(steps.is_some() && steps < text, "{made}");
    }

    #[test]
    fn a_snippet_contains_the_link_and_the_script_of_the_page() {
        let text = form(Form::Embed);
        assert!(text.contains("src=\"https://example.org/gate/#v1.abc\""), "{text}");
        assert!(text.contains("src=\"https://example.org/gate/tide-gate.js\""), "{text}");
    }

    #[test]
    fn a_snippet_shows_the_verdict_without_scripts() {
        let text = form(Form::Embed);
        assert!(text.contains("<p>ub amd.join.before-wait on gfx1250: "), "{text}");
        assert!(
            text.contains(
                "<img alt=\"Execution of this scenario\" src=\"data:image/svg+xml,%3Csvg"
            )
        );
        assert!(text.contains("<code>ready</code>"), "{text}");
        assert_eq!(text.matches("</").count(), 5, "nothing in it ends an element: {text}");
        let long = "launch waves=60\nwave * { repeat 20 { arrive wg; wait wg } }\n";
        let none = export(Form::Embed, long, &Terms::default(), &[], LINK).expect("a snippet");
        assert!(none.contains("<p>ok on") && !none.contains("<img"), "{}", none.len());
    }

    #[test]
    fn a_drawing_shows_the_performed_steps() {
        let keys: Vec<String> = ["0.1:0", "0.0:0"].map(str::to_owned).into();
        let drawn = |keys: &[String]| export(Form::Dot, TEXT, &Terms::default(), keys, LINK);
        let (some, all) = (drawn(&keys).expect("steps"), drawn(&[]).expect("the witness"));
        assert!(some.contains("init ready, 1") && !some.contains("join ready"), "{some}");
        assert!(all.contains("join ready"), "{all}");
    }

    #[test]
    fn a_lint_does_not_determine_the_verdict() {
        let text = "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [b], 1\n  mbarrier.test_wait.parity.shared::cta.b64 p, [b], 1\n}\n";
        let form = |form| export(form, text, &Terms::default(), &[], LINK).expect("a form");
        let report = judged(&scene(text), &Terms::default().options());
        assert!(report.verdict == "ok" && !report.findings.is_empty(), "{:?}", report.findings);
        assert!(form(Form::Markdown).contains("**ok** on"), "{}", form(Form::Markdown));
        assert!(form(Form::Embed).contains("<p>ok on sm_90</p>"), "{}", form(Form::Embed));
    }

    #[test]
    fn drawings_and_the_report() {
        assert!(form(Form::Svg).starts_with("<svg") && form(Form::Dot).starts_with("digraph"));
        assert_eq!(form(Form::Tide), TEXT);
        assert!(form(Form::Report).contains("\"tidegate.report/1\""));
        let nvidia = "target sm_90\nlaunch warps=2\nwarp * { bar.sync 0 }\n";
        let drawn = export(Form::Svg, nvidia, &Terms::default(), &[], LINK).expect("a drawing");
        assert!(drawn.contains("barrier 0, phase 1") && drawn.contains("PTX"), "{drawn}");
        let none = export(Form::Svg, "wave", &Terms::default(), &[], LINK);
        assert_eq!(none, Err("The scenario has errors.".into()));
    }
}
