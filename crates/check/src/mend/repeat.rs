//! Tests of mbarriers that are waits only if they are repeated.

use super::search::Search;
use super::units::Unit;
use crate::tell::help::edit;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The likelihood that a test whose result nothing reads must be repeated until it is true.
const UNREPEATED: i32 = 30;
/// The maximum number of tests that one edit repeats.
const MOST_TESTS: usize = 32;

impl Search<'_> {
    /// Repeats tests that have no predicate for their result, all of them in one edit.
    pub(super) fn repeats(&mut self) {
        let text = self.scene.text();
        let tests = self.units.all.iter().filter(|unit| unit.class == 'w' && is_unread(unit));
        let tests: Vec<&Unit> = tests.take(MOST_TESTS).collect();
        let Some(first) = tests.first() else { return };
        let labels = (1..).map(|n| if n == 1 { "again".into() } else { format!("again{n}") });
        let labels = labels.filter(|label: &String| !text.contains(label.as_str()));
        let repeated = |(unit, label): (&&Unit, String)| {
            let with_result = unit.words.replacen('[', "p, [", 1);
            self.instead(&unit.range, &format!("{label}: {with_result}; @!p bra {label}"))
        };
        let edits = tests.iter().zip(labels).map(repeated).collect();
        let others: Vec<u32> = tests.iter().skip(1).map(|unit| unit.line).collect();
        let message = edit::repeat(first.said(), &others);
        self.add(UNREPEATED, message, edit::tested_once(first.said(), others.len()), edits);
    }
}

/// Whether a statement tests a phase and nothing reads the result.
fn is_unread(unit: &Unit) -> bool {
    let mut words = unit.words.split_whitespace();
    let tests = words.next().is_some_and(|it| {
        it.starts_with("mbarrier.try_wait") || it.starts_with("mbarrier.test_wait")
    });
    tests && words.next().is_some_and(|operand| operand.starts_with('['))
}
