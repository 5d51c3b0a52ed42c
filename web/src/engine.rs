//! The only place that calls the engine.

pub(crate) use tidegate_check::Progress;
pub(crate) use tidegate_check::lang::TokenKind;
pub(crate) use tidegate_check::link::Shared;
pub(crate) use tidegate_check::model::reading::Reading;
pub(crate) use tidegate_check::model::rule::Rule;
pub(crate) use tidegate_check::report::{
    Ambiguity, Finding, OracleReport, Report, ReportDiagnostic,
};
pub(crate) use tidegate_check::step::{AgentView, Move, ObjectView, Performed, Stepper, View};

use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::target::{Family, TARGETS, TargetId};
use tidegate_check::{Options, Scene, lang, link};

pub(crate) use tidegate_check::link::{ENGINE as VERSION, recorded};
/// What a target's name asks for; the scenario's own target without one.
fn options(target: Option<&str>) -> Options {
    Options {
        target: target.and_then(TargetId::from_name),
        ambiguities: true,
        machine: true,
        participates_in: false,
        ..Options::default()
    }
}

/// The report on a text; `keep_going` is asked now and then, and cancels by answering no.
pub(crate) fn check(
    text: &str,
    target: Option<&str>,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Report {
    tidegate_check::check(&Scene::new("scenario.tide", text), &options(target), keep_going)
}

/// What a text says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// Its title; empty without one.
    pub title: String,
    /// Its notes.
    pub notes: Vec<String>,
}

/// A stepper at launch, where the scenario can be stepped, and what the text says of itself.
pub(crate) fn open(text: &str, target: Option<&str>) -> (Option<Stepper>, About) {
    let scene = Scene::new("scenario.tide", text);
    let about = About { title: scene.title().to_owned(), notes: scene.notes().to_vec() };
    (Stepper::new(&scene, &options(target)), about)
}

/// The tokens of a text in order, each with its first byte and its length in bytes.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = (usize, usize, TokenKind)> {
    lang::tokens(text)
        .into_iter()
        .map(|(span, kind)| (span.start as usize, span.length as usize, kind))
}

/// The rule of an identifier.
pub(crate) fn rule(id: &str) -> Option<&'static Rule> {
    RuleId::from_name(id).map(RuleId::get)
}

/// The reading of a name.
pub(crate) fn reading(name: &str) -> Option<&'static Reading> {
    ReadingId::from_name(name).map(ReadingId::get)
}

/// The fragment that stands for a state of the page.
pub(crate) fn encode(shared: &Shared) -> String {
    link::encode(shared)
}

/// What a link says, or why it says nothing.
pub(crate) fn decode(link: &str) -> Result<Shared, String> {
    link::decode(link).map_err(|error| error.to_string())
}

/// Whether there is a target of that name.
pub(crate) fn is_target(name: &str) -> bool {
    TargetId::from_name(name).is_some()
}

/// Names of the targets that scenarios can be judged on, under headings, newest generation first.
pub(crate) fn targets() -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for target in TARGETS.iter().rev() {
        let heading = match target.family {
            Family::Model => "The text alone".to_owned(),
            Family::Amdgpu { major, .. } => format!("GFX{major}"),
            Family::Nvidia | Family::Opencl => continue,
        };
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, names)) => names.insert(0, target.name),
            None => groups.push((heading, vec![target.name])),
        }
    }
    groups
}
