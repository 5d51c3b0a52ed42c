//! Edits offered for mutants of correct scenarios restore the original and do not weaken the program.

use crate::common::mutants::{Outcome, correct, run};

/// A sample of the mutants of `cargo xtask soak mutants`.
#[test]
fn edits_restore_the_original_of_a_mutant() {
    let found = run(&correct(), 1, 7);
    let sum = found.sum();
    let share = |outcome| 100 * sum.of(outcome) / sum.offered;
    assert!(found.scenarios >= 300 && sum.offered >= 100, "{} {sum:?}", found.scenarios);
    assert!(share(Outcome::Restores) >= 80, "{sum:?}");
    assert!(sum.of(Outcome::Weakens) == 0 && sum.of(Outcome::Error) == 0, "{sum:?}");
}
