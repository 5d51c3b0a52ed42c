//! The checks that the worker performs on a text.

use protocol::Terms;
use tidegate_check::expect::Outcome;
use tidegate_check::matrix::Matrix;
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene};

pub(crate) use tidegate_check::Progress;

/// Largest number of states of a short search, which visits the nearest states first.
const GLIMPSE: u64 = 4_000;

/// Parses a text as a scenario.
pub(crate) fn scene(text: &str) -> Scene {
    Scene::new("scenario.tide", text)
}

/// Returns the report on a text; `keep_going` is called periodically and cancels by returning false.
pub(crate) fn check(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Report {
    tidegate_check::check(&scene(text), &terms.options(), keep_going)
}

/// Returns the findings of a short search while a long one runs; `None` if it finds nothing.
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

/// Returns the target, the verdict, the rule and the message of a text; of an invalid one the first error.
pub(crate) fn row(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> [String; 4] {
    let report = check(text, terms, keep_going);
    let error = report.diagnostics.iter().find(|found| found.severity == "error");
    let (rule, message) = match (report.ground(), error) {
        (Some(ground), _) => (ground.rule.clone(), ground.message.clone()),
        (None, Some(error)) => (String::new(), format!("line {}: {}", error.line, error.message)),
        (None, None) => (String::new(), report.bound.clone().unwrap_or_default()),
    };
    let face = protocol::verdict::face(&report.verdict);
    [report.target, [face.tone, face.word].join(" "), rule, message]
}

/// Checks the expectations of a text.
pub(crate) fn expectations(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Vec<Outcome> {
    tidegate_check::expect::expectations(&scene(text), &terms.options(), keep_going)
}

/// Checks a text on every target.
pub(crate) fn matrix(
    text: &str,
    terms: &Terms,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Option<Matrix> {
    // A longer search is for one target.
    let base = Options { target: None, max_states: None, ambiguities: false, ..terms.options() };
    tidegate_check::matrix(&scene(text), &base, keep_going)
}

/// Whether an agent block applies to a single assumed agent because no `launch` gives a number.
pub(crate) fn is_alone(text: &str) -> bool {
    scene(text).diagnostics().iter().any(|it| it.code == "launch-missing")
}

/// Returns the name of the target of a text.
pub(crate) fn target(text: &str, terms: &Terms) -> &'static str {
    terms.options().target_of(&scene(text)).get().name
}

#[cfg(test)]
mod tests {
    use super::row;
    use protocol::Terms;

    #[test]
    fn a_row_names_target_verdict_and_rule() {
        let row = |text: &str| row(text, &Terms::default(), &mut |_| true);
        let [target, verdict, rule, message] =
            row(include_str!("../../../examples/join-too-late.tide"));
        assert_eq!([&*verdict, &*rule], ["ub Undefined", "amd.join.before-wait"]);
        assert!(!target.is_empty() && !message.is_empty());
        let [_, verdict, rule, message] = row("launch waves=2\nwave {");
        assert_eq!([&*verdict, &*rule], ["invalid Invalid scenario", ""]);
        assert!(message.starts_with("line 2: "), "{message}");
    }
}
