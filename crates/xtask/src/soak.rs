//! The full comparisons of which each test run does a small part.

use crate::context::Context;
use crate::{bench, process};
use anyhow::{Result, bail};

/// A comparison, and the function that runs it with the remaining arguments.
type Comparison = (&'static str, fn(&Context, &[String]) -> Result<()>);

const COMPARISONS: [Comparison; 4] =
    [("mutants", mutants), ("random", random), ("enumeration", enumeration), ("routes", routes)];

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
            "unknown comparison `{name}`; the comparisons are: {}",
            COMPARISONS.map(|(known, _)| known).join(", ")
        ),
    }
}

/// Offered edits for every mutant of every correct scenario.
fn mutants(context: &Context, words: &[String]) -> Result<()> {
    let words: Vec<String> = [&["mutants".to_owned()], words].concat();
    bench::soak(context, &words)
}

/// Every test with random programs, on all of them, or with `--times N` on N times as many; words select tests.
fn random(context: &Context, words: &[String]) -> Result<()> {
    let (times, words) = match words {
        [option, times, rest @ ..] if option == "--times" => (times.as_str(), rest),
        _ => ("1", words),
    };
    let mut cargo = context.cargo();
    cargo.env("TIDEGATE_TIMES", times);
    cargo.env("TIDEGATE_RANDOM", "full").args(["test", "--release", "--no-fail-fast"]);
    for package in ["tidegate-lang", "tidegate-model", "tidegate-check"] {
        cargo.args(["--package", package]);
    }
    process::run(cargo.args(["--lib", "--tests", "--"]).args(words))
}

/// Exploration and axioms on all small programs.
fn enumeration(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.env("TIDEGATE_ENUMERATION", "full").args(["test", "--release"]);
    cargo.args(["--package", "tidegate-check", "--lib", "--", "--nocapture", "small_programs"]);
    process::run(cargo.args(words))
}

/// Every kernel of `tests/routes`, and each without a barrier that it needs, on every route.
fn routes(context: &Context, words: &[String]) -> Result<()> {
    let mut cargo = context.cargo();
    cargo.env("TIDEGATE_ROUTES", "full").args(["test", "--release", "--package", "tidegate"]);
    cargo.args(["--test", "all", "--", "--ignored", "--nocapture", "assembler::routes"]);
    process::run(cargo.args(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_reported() {
        let context = Context::at("".into(), "".into());
        let error = run(&context, &["mutant".to_owned()]).expect_err("no such comparison");
        assert!(format!("{error:#}").contains("mutants, random, enumeration"));
    }
}
