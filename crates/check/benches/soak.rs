//! Long random comparisons: `cargo xtask soak mutants [--sample N] [--seed S] [--json] [--list] [FILE…]`.
//!
//! `mutants` runs mutants of every correct scenario: at most N of each, chosen by the seed. `--list` shows each offered edit
//! with what it leads to, marks a first reason that does not name the changed operation with `*`, and a mutant without an
//! edit whose original depends on a reading or has another finding with `?`; `--json` prints the
//! table as one JSON object; FILE is a part of the name of a scenario.

#[path = "../tests/common/mod.rs"]
mod common;

use common::mutants;

use mutants::{Found, Outcome, Row};
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let has = |name: &str| words.iter().any(|word| word == name);
    let number = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    if words.first().map(String::as_str) != Some("mutants") {
        eprintln!("error: `cargo xtask soak` takes the name of a comparison: `mutants`");
        return ExitCode::FAILURE;
    }
    let files: Vec<&String> = words[1..]
        .iter()
        .filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    let mut texts = mutants::correct();
    texts.retain(|(name, _)| {
        files.is_empty() || files.iter().any(|file| name.contains(file.as_str()))
    });
    let most = number("--sample").map_or(usize::MAX, |most| most as usize);
    let found = mutants::run(&texts, most, number("--seed").unwrap_or(1));
    if has("--list") {
        list(&found);
    }
    if has("--json") {
        json(&found)
    } else {
        table(&found)
    }
    ExitCode::SUCCESS
}

fn list(found: &Found) {
    for case in &found.cases {
        println!(
            "{:?}{} {}: {} [{}]\n    {}\n    {}",
            case.outcome,
            if case.named { "" } else { "*" },
            case.file,
            case.mutant.replace('\n', " / "),
            case.rule,
            case.edit,
            case.reason
        );
    }
    for case in &found.without {
        println!(
            "None{}{} {}: {} [{}]\n    {}",
            if case.doubt { "?" } else { "" },
            if case.named { "" } else { "*" },
            case.file,
            case.mutant.replace('\n', " / "),
            case.rule,
            case.reason
        );
    }
}

fn table(found: &Found) {
    println!(
        "{:<9} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "",
        "run",
        "ok",
        "unknown",
        "broken",
        "offered",
        "restores",
        "other",
        "weakens",
        "error",
        "none",
        "doubt",
        "named",
        "later"
    );
    let rows = found.rows.iter().map(|(kind, row)| (format!("{kind:?}"), *row));
    for (kind, row) in rows.chain([("all".to_owned(), found.sum())]) {
        let of = |outcome| row.of(outcome);
        println!(
            "{:<9} {:>6} {:>6} {:>8} {:>7} {:>8} {:>9} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}",
            kind,
            row.run,
            row.ok,
            row.unknown,
            row.broken(),
            row.offered,
            of(Outcome::Restores),
            of(Outcome::Other),
            of(Outcome::Weakens),
            of(Outcome::Error),
            row.broken() - row.offered,
            row.doubt,
            row.named,
            format!("{}/{}", row.later_bad, row.later)
        );
    }
    let sum = found.sum();
    let share = |part: usize| 100 * part / sum.offered.max(1);
    let of_broken = |part: usize| 100 * part / sum.broken().max(1);
    println!(
        "{} scenarios; of 100 broken mutants {} get an edit, and {} first reasons name the change; of 100 first edits {} restore the original, {} weaken, {} lead to an error; slowest check {:?}",
        found.scenarios,
        of_broken(sum.offered),
        of_broken(sum.named),
        share(sum.of(Outcome::Restores)),
        share(sum.of(Outcome::Weakens)),
        share(sum.of(Outcome::Error)),
        found.slowest
    );
}

fn json(found: &Found) {
    let row = |kind: &str, row: &Row| {
        format!(
            "{{\"kind\":\"{kind}\",\"run\":{},\"ok\":{},\"unknown\":{},\"broken\":{},\"named\":{},\"offered\":{},\"restores\":{},\"other\":{},\"weakens\":{},\"error\":{}}}",
            row.run,
            row.ok,
            row.unknown,
            row.broken(),
            row.named,
            row.offered,
            row.of(Outcome::Restores),
            row.of(Outcome::Other),
            row.of(Outcome::Weakens),
            row.of(Outcome::Error)
        )
    };
    let mut rows: Vec<String> =
        found.rows.iter().map(|(kind, one)| row(&format!("{kind:?}"), one)).collect();
    rows.push(row("all", &found.sum()));
    println!(
        "{{\"schema\":\"tidegate.mutants/1\",\"scenarios\":{},\"rows\":[{}]}}",
        found.scenarios,
        rows.join(",")
    );
}
