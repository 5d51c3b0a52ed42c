//! Edits that are offered for mutants of correct scenarios restore what was changed, and do not weaken the program.

use crate::common::mutants::{Outcome, correct, run};

/// A sample of what `cargo xtask soak mutants` runs.
#[test]
fn edits_restore_what_was_changed() {
    let found = run(&correct(), 1, 7);
    let sum = found.sum();
    let share = |outcome| 100 * sum.of(outcome) / sum.offered;
    assert!(found.scenarios >= 300 && sum.offered >= 100, "{} {sum:?}", found.scenarios);
    assert!(share(Outcome::Restores) >= 75, "{sum:?}");
    assert!(share(Outcome::Weakens) <= 3 && sum.of(Outcome::Error) == 0, "{sum:?}");
}
