//! Comparisons in full of which each run of the tests makes a small number.

use crate::context::Context;
use crate::{bench, process};
use anyhow::{Result, bail};

/// A comparison, and how it is run with words given on to it.
type Comparison = (&'static str, fn(&Context, &[String]) -> Result<()>);

const COMPARISONS: [Comparison; 3] =
    [("mutants", mutants), ("random", random), ("enumeration", enumeration)];

/// Runs the comparison that the first word names; without words all of them.
pub(crate) fn run(context: &Context, words: &[String]) -> Result<()> {
    let Some((name, rest)) = words.split_first() else {
        return COMPARISONS.iter().try_for_each(|(name, comparison)| {
            eprintln!("--- {name}");
            comparison(context, &[])
        });
    };
    match COMPARISONS.iter().find(|(known, _)| known == name) {
        Some((_, comparison)) => comparison(context, rest),
        None => bail!(
            "no comparison is named `{name}`; there are: {}",
            COMPARISONS.map(|(known, _)| known).join(", ")
        ),
    }
}

/// Edits that are offered, for every mutant of every correct scenario.
fn mutants(context: &Context, words: &[String]) -> Result<()> {
    let words: Vec<String> = [&["mutants".to_owned()], words].concat();
    bench::soak(context, &words)
}

/// Every test that takes random programs, with all of them; words choose tests.
fn random(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.env("TIDEGATE_RANDOM", "full").args(["test", "--release", "--no-fail-fast"]);
    for package in ["tidegate-lang", "tidegate-model", "tidegate-check"] {
        cargo.args(["--package", package]);
    }
    process::run(cargo.args(["--lib", "--tests", "--"]).args(words))
}

/// Exploration and axioms on every small program.
fn enumeration(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.env("TIDEGATE_ENUMERATION", "full").args(["test", "--release"]);
    cargo.args(["--package", "tidegate-check", "--lib", "--", "--nocapture", "small_programs"]);
    process::run(cargo.args(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_there_are_said() {
        let context = Context::at("".into(), "".into());
        let error = run(&context, &["mutant".to_owned()]).expect_err("no such comparison");
        assert!(format!("{error:#}").contains("mutants, random, enumeration"));
    }
}
