//! Counts tests from the output of test runners.

/// The numbers of tests that passed, failed and were not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Tests that were not run.
    pub(crate) skipped: u64,
}

impl Tally {
    /// The sum of two tallies.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Counts every summary line in the output of a test runner.
    pub(crate) fn read(output: &str) -> Self {
        output.lines().filter_map(summary).fold(Self::default(), Self::plus)
    }
}

/// The tally of a line, if it is a summary of nextest (`Summary [ 0.1s] 3 tests run: 3 passed, 1 skipped`), of cargo's
/// own runner (`test result: ok. 3 passed; 0 failed; 1 ignored; …`) or of our scripts (`3 passed, 0 failed`).
fn summary(line: &str) -> Option<Tally> {
    let line = without_colour(line);
    let line = line.trim();
    let counts = if let Some(rest) = line.strip_prefix("test result:") {
        rest.split_once(". ")?.1
    } else if line.starts_with("Summary [") {
        line.split_once("run: ")?.1
    } else if line.starts_with(|first: char| first.is_ascii_digit()) && line.contains(" passed, ") {
        line
    } else {
        return None;
    };
    let mut tally = Tally::default();
    for (count, word) in counts.split([',', ';']).filter_map(pair) {
        match word {
            "passed" => tally.passed += count,
            "failed" | "timed" | "exec" => tally.failed += count,
            "skipped" | "ignored" => tally.skipped += count,
            _ => {}
        }
    }
    Some(tally)
}

fn pair(part: &str) -> Option<(u64, &str)> {
    let mut words = part.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?))
}

/// The line without terminal colour sequences.
fn without_colour(line: &str) -> String {
    let mut plain = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, passed: u64, failed: u64, skipped: u64) {
        assert_eq!(Tally::read(output), Tally { passed, failed, skipped });
    }

    #[test]
    fn nextest() {
        check("     Summary [   0.005s] 3 tests run: 3 passed, 0 skipped", 3, 0, 0);
        check(
            "     Summary [   0.005s] 9 tests run: 3 passed (1 slow), 4 failed, 2 timed out, 5 skipped",
            3,
            6,
            5,
        );
        check(
            "\u{1b}[31;1m     Summary\u{1b}[0m [ 1.5s] \u{1b}[1m2\u{1b}[0m tests run: \u{1b}[1m1\u{1b}[0m passed, \u{1b}[1m1\u{1b}[0m failed, 0 skipped",
            1,
            1,
            0,
        );
    }

    #[test]
    fn cargo_sums_over_binaries() {
        let one = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let two = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        check(&[one, "noise\n", two].concat(), 4, 2, 1);
    }

    #[test]
    fn scripts() {
        check("loads ok\n12 passed, 1 failed\n", 12, 1, 0);
        check("passed, failed\nthe test passed, 3 failed\n", 0, 0, 0);
    }
}
