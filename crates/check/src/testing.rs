//! Helpers of unit tests.

use crate::report::{Finding, Value};
use crate::{Options, Scene, check};
use alloc::string::String;
use alloc::vec::Vec;

/// The sentences of the first finding of a scenario.
pub(crate) fn said(text: &str) -> Vec<String> {
    let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
    let found = report.findings.into_iter().next().expect("a finding");
    [Vec::from([found.message]), found.because].concat()
}

/// The kinds of the facts of a finding.
pub(crate) fn kinds(finding: &Finding) -> Vec<&str> {
    finding.cause.facts.iter().map(|fact| fact.kind.as_str()).collect()
}

/// The edits that fix a finding: the lines, and the new texts.
pub(crate) fn edits(finding: &Finding) -> Vec<(u32, &str)> {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
    edits.map(|edit| (edit.line, edit.replacement.as_str())).collect()
}

/// The lines of the operations of a cause and its facts.
pub(crate) fn lines(finding: &Finding) -> Vec<u32> {
    finding.cause.places().iter().map(|place| place.line).collect()
}

/// The lines of a field.
pub(crate) fn lines_of(value: &Value) -> Vec<u32> {
    match value {
        Value::Place(place) => alloc::vec![place.line],
        Value::Places(places) => places.iter().map(|place| place.line).collect(),
        _ => Vec::new(),
    }
}
