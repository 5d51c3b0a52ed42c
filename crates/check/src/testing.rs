//! Helpers of unit tests.

use crate::{Options, Scene, check};
use alloc::string::String;
use alloc::vec::Vec;

/// The sentences of the first finding of a scenario.
pub(crate) fn said(text: &str) -> Vec<String> {
    let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
    let found = report.findings.into_iter().next().expect("a finding");
    [Vec::from([found.message]), found.because].concat()
}
