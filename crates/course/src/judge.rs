//! What the checker says of a scenario.

use tidegate_check::expect::{Outcome, expectations};
pub(crate) use tidegate_check::face::face;
use tidegate_check::graph::draw::svg;
use tidegate_check::graph::{Pick, RelationId};
use tidegate_check::link::{Shared, encode};
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, check, graph};

/// The drawn relations; they imply the others.
const DRAWN: [RelationId; 3] =
    [RelationId::ProgramOrder, RelationId::ModificationOrder, RelationId::ParticipatesIn];
/// Longest picture on a page, in bytes. Longer ones are too wide to read.
const PICTURE: usize = 60_000;

/// Returns the text without its expectations.
pub(crate) fn without_expectations(text: &str) -> String {
    let kept = text.lines().filter(|line| !line.starts_with("expect "));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    format!("{}\n", kept.trim_end())
}

fn scene(text: &str) -> Scene {
    Scene::new("scenario.tide", text)
}

fn options() -> Options {
    Options { machine: true, ambiguities: true, ..Options::default() }
}

/// Returns the report on a text.
pub(crate) fn report(text: &str) -> Report {
    check(&scene(text), &options(), &mut |_| true)
}

/// Returns the results of the expectations of a text.
pub(crate) fn outcomes(text: &str) -> Vec<Outcome> {
    expectations(&scene(text), &options(), &mut |_| true)
}

/// Returns a link to a text with its verdict, relative to a page in a folder beside it.
pub(crate) fn address(text: &str, report: &Report) -> String {
    let own = scene(text).target();
    format!("../index.html{}", encode(&Shared::of(text, own, own, report)))
}

/// Draws the first witness or else a complete execution; `None` if there is none or if it is too long.
pub(crate) fn picture(text: &str, title: &str) -> Option<String> {
    let pick = Pick { memory: true, ..Pick::default() };
    let found = graph(&scene(text), &options(), pick, &mut |_| true).ok()?;
    let drawing = svg(&found, title, &DRAWN);
    (drawing.len() <= PICTURE).then_some(drawing)
}
