//! The only place that calls the engine.

pub(crate) use tidegate_check::Progress;
pub(crate) use tidegate_check::apply;
pub(crate) use tidegate_check::expect::Outcome;
pub(crate) use tidegate_check::lang::TokenKind;
pub(crate) use tidegate_check::link::Shared;
pub(crate) use tidegate_check::matrix::{Matrix, MatrixRow};
pub(crate) use tidegate_check::model::reading::Reading;
pub(crate) use tidegate_check::model::rule::Rule;
pub(crate) use tidegate_check::report::{Finding, Fix, OracleReport, Report, ReportDiagnostic};
pub(crate) use tidegate_check::step::{
    AgentView, CopyView, FlightView, FrameView, MarkView, MemoryView, Move, ObjectView, PairView,
    Performed, Stepper, View,
};

use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::target::{Family, TARGETS, TargetId};
use tidegate_check::{Options, Scene, lang, link};

pub(crate) use tidegate_check::link::{ENGINE as VERSION, recorded};

/// What a text is judged under: everything that a reader can choose besides the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Terms {
    /// The target's name; none: the text's own.
    pub target: Option<String>,
    /// Readings chosen besides the text's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

fn options(terms: &Terms) -> Options {
    Options {
        target: terms.target.as_deref().and_then(TargetId::from_name),
        readings: terms.readings.iter().filter_map(|chosen| choice(chosen)).collect(),
        ambiguities: true,
        machine: true,
        participates_in: false,
        ..Options::default()
    }
}

/// A reading and the index of its answer, from `ID=CHOICE`.
fn choice(chosen: &str) -> Option<(ReadingId, u8)> {
    let (name, choice) = chosen.split_once('=')?;
    let id = ReadingId::from_name(name)?;
    let index = id.get().choices.iter().position(|answer| answer.name == choice)?;
    Some((id, index as u8))
}

/// Whether there is a reading with that answer, given as `ID=CHOICE`.
pub(crate) fn is_choice(chosen: &str) -> bool {
    choice(chosen).is_some()
}

/// The report on a text; `keep_going` is asked now and then, and cancels by answering no.
pub(crate) fn check(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Report {
    tidegate_check::check(&Scene::new("scenario.tide", text), &options(terms), keep_going)
}

/// What became of the expectations of a text.
pub(crate) fn expectations(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Vec<Outcome> {
    let scene = Scene::new("scenario.tide", text);
    tidegate_check::expect::expectations(&scene, &options(terms), keep_going)
}

/// Whether a text says what it expects.
pub(crate) fn expects(text: &str) -> bool {
    !Scene::new("scenario.tide", text).expectations().is_empty()
}

/// The verdict of a text on every target.
pub(crate) fn matrix(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Option<Matrix> {
    let base = Options { target: None, ambiguities: false, ..options(terms) };
    tidegate_check::matrix(&Scene::new("scenario.tide", text), &base, keep_going)
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
pub(crate) fn open(text: &str, terms: &Terms) -> (Option<Stepper>, About) {
    let scene = Scene::new("scenario.tide", text);
    let about = About { title: scene.title().to_owned(), notes: scene.notes().to_vec() };
    (Stepper::new(&scene, &options(terms)), about)
}

/// A text as machine code of the target that it is judged on, or why it has none.
pub(crate) fn machine_code(text: &str, terms: &Terms) -> Result<String, String> {
    let lowered = tidegate_check::lower(&Scene::new("scenario.tide", text), &options(terms));
    match lowered.problems.first() {
        Some(problem) => Err(problem.message.clone()),
        None => Ok(lowered.text),
    }
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
