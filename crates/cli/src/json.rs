//! Reports as JSON, schema `tidegate.report/1`.

use crate::exit::Failure;
use tidegate_check::report::Report;

/// One object for one report, an array for several.
pub(crate) fn reports(reports: &[Report]) -> Result<String, Failure> {
    match reports {
        [report] => pretty(report),
        _ => pretty(&reports),
    }
}

/// A value as indented JSON with a final line feed.
pub(crate) fn pretty(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(unwritable)
}

/// A value as JSON on one line, with a final line feed.
pub(crate) fn line(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(unwritable)
}

fn unwritable(error: serde_json::Error) -> Failure {
    Failure::new(format!("cannot write the report as JSON: {error}"))
}
