//! Shared by several tests: pseudo-random numbers, and judging a text.
#![allow(dead_code, missing_docs, unreachable_pub)] // each test file uses a part of it

pub mod mutants;
pub mod texts;

use tidegate_check::report::{Finding, Report};
use tidegate_check::{Options, Scene, check};

/// Pseudo-random numbers, the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    pub fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Returns the report of a valid text.
pub fn judged(text: &str, options: &Options) -> Report {
    let scene = Scene::new("text.tide", text);
    assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
    check(&scene, options, &mut |_| true)
}

/// Returns the report by the specification only: no other reading, no machine.
pub fn by_text_alone(text: &str) -> Report {
    judged(text, &Options { ambiguities: false, machine: false, ..Options::default() })
}

/// Returns the finding of a rule.
pub fn found<'a>(report: &'a Report, rule: &str) -> Option<&'a Finding> {
    report.findings.iter().find(|finding| finding.rule == rule)
}
