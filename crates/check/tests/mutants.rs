//! Edits offered for mutants of correct scenarios restore the original and do not weaken the program.

use crate::common::mutants::{Case, Outcome, correct, run};

/// A sample of the mutants of `cargo xtask soak mutants`.
#[test]
fn edits_restore_the_original_of_a_mutant() {
    let found = run(&correct(), 1, 7);
    let sum = found.sum();
    let share = |outcome| 100 * sum.of(outcome) / sum.offered;
    assert!(found.scenarios >= 300 && sum.offered >= 100, "{} {sum:?}", found.scenarios);
    assert!(share(Outcome::Restores) >= 80, "{sum:?}");
    let bad = |case: &&Case| matches!(case.outcome, Outcome::Weakens | Outcome::Error);
    let bad = found.cases.iter().filter(bad);
    let bad: Vec<String> =
        bad.map(|it| format!("{}: {}: {}", it.file, it.mutant, it.edit)).collect();
    // Of all mutants, edits weaken fewer than 1 in 100; a sample can contain some of them.
    assert!(sum.of(Outcome::Error) == 0 && 100 * bad.len() <= sum.offered, "{bad:#?}");
}
