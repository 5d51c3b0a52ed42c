//! Measures the time of each test, which the test runner prints on request.

use std::process::Command;

/// The option that makes the runner print the time after each test. It is unstable; the standard runner accepts it if
/// an environment variable allows it. Nothing is recompiled.
pub(super) fn asked(cargo: &mut Command) -> &mut Command {
    if cfg!(unix) {
        cargo.args(["--config", r#"target."cfg(all())".runner=["env","RUSTC_BOOTSTRAP=1"]"#]);
    }
    cargo
}

/// The arguments after `--` that belong to [`asked`].
pub(super) fn words() -> &'static [&'static str] {
    if cfg!(unix) { &["-Zunstable-options", "--report-time"] } else { &[] }
}

/// Returns the slowest tests in the output of runners: the name of each and its seconds, the slowest first.
pub(super) fn slowest(output: &str, most: usize) -> Vec<(&str, f64)> {
    let mut all: Vec<(&str, f64)> = output.lines().filter_map(time).collect();
    all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    all.truncate(most);
    all
}

/// `test edges::every_kind ... ok <0.123s>`.
fn time(line: &str) -> Option<(&str, f64)> {
    let (name, rest) = line.trim().strip_prefix("test ")?.split_once(" ... ")?;
    let (_, time) = rest.rsplit_once('<')?;
    Some((name, time.strip_suffix("s>")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_tests_are_listed() {
        let output = "running 4 tests\ntest a::b ... ok <0.250s>\ntest c ... FAILED <3.000s>\n\
                      test d - should panic ... ok <1.5s>\ntest e ... ignored\n\
                      test result: ok. 3 passed; 0 failed; finished in 1.9s\n";
        assert_eq!(slowest(output, 2), [("c", 3.0), ("d - should panic", 1.5)]);
        assert_eq!(slowest(output, 9).len(), 3);
    }
}
