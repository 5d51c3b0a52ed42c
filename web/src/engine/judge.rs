//! What is asked of a text in the worker.

use protocol::Terms;
use tidegate_check::expect::Outcome;
use tidegate_check::matrix::Matrix;
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene};

pub(crate) use tidegate_check::Progress;

/// How many states a short search visits at most: nearest first, it meets what is wrong soon.
const GLIMPSE: u64 = 4_000;

/// A text as a scenario.
pub(crate) fn scene(text: &str) -> Scene {
    Scene::new("scenario.tide", text)
}

/// The report on a text; `keep_going` is asked now and then, and cancels by answering no.
pub(crate) fn check(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Report {
    tidegate_check::check(&scene(text), &terms.options(), keep_going)
}

/// What a short search of a text finds, for who waits for a long one; none where it finds nothing.
pub(crate) fn glimpse(text: &str, terms: &Terms) -> Option<Report> {
    let options = Options {
        max_states: Some(GLIMPSE),
        ambiguities: false,
        machine: false,
        ..terms.options()
    };
    let report = tidegate_check::check(&scene(text), &options, &mut |_| true);
    (!matches!(&*report.verdict, "ok" | "unknown")).then_some(report)
}

/// What became of the expectations of a text.
pub(crate) fn expectations(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Vec<Outcome> {
    tidegate_check::expect::expectations(&scene(text), &terms.options(), keep_going)
}

/// The verdict of a text on every target.
pub(crate) fn matrix(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Option<Matrix> {
    let base = Options { target: None, ambiguities: false, ..terms.options() };
    tidegate_check::matrix(&scene(text), &base, keep_going)
}

/// Whether a body for all meets nobody, because nothing says how many there are.
pub(crate) fn is_alone(text: &str) -> bool {
    scene(text).diagnostics().iter().any(|it| it.code == "launch-missing")
}

/// The name of the target that a text is judged on.
pub(crate) fn target(text: &str, terms: &Terms) -> &'static str {
    terms.options().target_of(&scene(text)).get().name
}
