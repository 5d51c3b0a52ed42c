//! Checks of scenarios.

use crate::types::{CheckOptions, Outcome};
use crate::values::{give, take};
use js_sys::Function;
use tidegate_check::expect;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::target::TargetId;
use tidegate_check::{Options, Progress, Scene};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

#[wasm_bindgen]
extern "C" {
    /// The clock of browsers, workers and node, in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
}

/// Checks a scenario. `progress` is called periodically with the number of visited states and of states still to visit. If it
/// returns false, the check ends, and the verdict is `unknown` unless a worse one was found.
#[wasm_bindgen(unchecked_return_type = "Report")]
pub fn check(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "(states: number, frontier: number) => boolean"
    )]
    progress: Option<Function>,
) -> Result<JsValue, JsError> {
    let options: CheckOptions = take(options)?;
    let scene = scene(text, &options);
    let begin = now();
    let mut on = true;
    let mut keep_going = |seen: Progress| {
        on = on && goes_on(progress.as_ref(), &seen);
        on
    };
    let mut report = tidegate_check::check(&scene, &engine_options(&options)?, &mut keep_going);
    report.stats.millis = now() - begin;
    give(&report)
}

/// Checks a scenario on every target; null if its text has errors, which `check` reports. `progress` as for `check`.
#[wasm_bindgen(unchecked_return_type = "Matrix | null")]
pub fn matrix(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    #[wasm_bindgen(
        unchecked_optional_param_type = "(states: number, frontier: number) => boolean"
    )]
    progress: Option<Function>,
) -> Result<JsValue, JsError> {
    let options: CheckOptions = take(options)?;
    let mut on = true;
    let mut keep_going = |seen: Progress| {
        on = on && goes_on(progress.as_ref(), &seen);
        on
    };
    let scene = scene(text, &options);
    give(&tidegate_check::matrix(&scene, &engine_options(&options)?, &mut keep_going))
}

/// Checks every expectation of a scenario on each of its targets.
#[wasm_bindgen(unchecked_return_type = "Outcome[]")]
pub fn expectations(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
) -> Result<JsValue, JsError> {
    let options: CheckOptions = take(options)?;
    let outcomes =
        expect::expectations(&scene(text, &options), &engine_options(&options)?, &mut |_| true);
    let outcomes: Vec<Outcome> = outcomes
        .into_iter()
        .map(|outcome| Outcome {
            line: outcome.line,
            target: outcome.target,
            passed: outcome.passed,
            wanted: outcome.wanted,
            got: outcome.got,
            witness: outcome.witness,
            machine: outcome.machine,
            machine_agrees: outcome.machine_agrees,
        })
        .collect();
    give(&outcomes)
}

/// Returns a scenario as machine code for the chosen target, or its own; operations without a code are among the problems.
#[wasm_bindgen(unchecked_return_type = "Lowered")]
pub fn lower(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
) -> Result<JsValue, JsError> {
    let options: CheckOptions = take(options)?;
    give(&tidegate_check::lower(&scene(text, &options), &engine_options(&options)?))
}

fn goes_on(progress: Option<&Function>, seen: &Progress) -> bool {
    let Some(progress) = progress else { return true };
    let answer = progress.call2(
        &JsValue::NULL,
        &(seen.states as f64).into(),
        &(seen.frontier as f64).into(),
    );
    // An exception of the caller ends the check, like false.
    answer.is_ok_and(|answer| answer != JsValue::FALSE)
}

pub(crate) fn scene(text: &str, options: &CheckOptions) -> Scene {
    Scene::new(options.file.as_deref().unwrap_or("scenario.tide"), text)
}

/// Parses the options; the error names an unknown value.
pub(crate) fn engine_options(options: &CheckOptions) -> Result<Options, JsError> {
    let unknown = |what: &str, name: &str| JsError::new(&format!("unknown {what} `{name}`"));
    let target = options.target.as_deref();
    let target = target
        .map(|name| TargetId::from_name(name).ok_or_else(|| unknown("target", name)))
        .transpose()?;
    let mut readings = Vec::new();
    for (name, choice) in &options.readings {
        let reading = ReadingId::from_name(name).ok_or_else(|| unknown("reading", name))?;
        readings.push((
            reading,
            reading.choice(choice).ok_or_else(|| unknown(&format!("choice of {name}"), choice))?,
        ));
    }
    let usual = Options::default();
    Ok(Options {
        target,
        readings,
        max_states: options.max_states.map(|states| states as u64),
        ambiguities: options.ambiguities.unwrap_or(usual.ambiguities),
        machine: options.machine.unwrap_or(usual.machine),
        participates_in: options.participates_in,
        certificate: options.certificate,
        ..usual
    })
}

/// Formats a text; undefined if it has errors.
#[wasm_bindgen]
#[must_use]
pub fn format(text: &str) -> Option<String> {
    tidegate_check::lang::format(text).ok()
}
