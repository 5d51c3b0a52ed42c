//! Measures the checker on families of scenarios: `cargo xtask bench [FAMILY…] [--quick] …`.
//!
//! Each row is a scenario in text form, checked as a user would check it, with its goals beside what was measured. Times are
//! medians from text to report. Other model checkers run on the same programs in the same run: Stateright always, Spin if
//! it is installed. A *unit* is the user CPU of a loop of three million multiplications in Python.

mod case;
mod families;
mod measure;
mod peers;
mod table;
mod wasm;

use anyhow::{Context as _, Result, bail};
use case::{Case, Goal};
use clap::Parser;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::Row;

#[derive(Parser)]
#[command(name = "cargo xtask bench", about = "Measure the checker on families of scenarios")]
struct Arguments {
    /// Families, by their letters; all by default
    families: Vec<String>,
    /// Leave out the large cases
    #[arg(long)]
    quick: bool,
    /// Do not run other model checkers
    #[arg(long)]
    alone: bool,
    /// Write the rows as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the table in a Markdown file
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// The command to measure
    #[arg(long, value_name = "PROGRAM", hide = true)]
    tidegate: Option<PathBuf>,
    /// The npm package to measure
    #[arg(long, value_name = "FOLDER", hide = true)]
    package: Option<PathBuf>,
}

#[derive(Serialize)]
struct Results<'a> {
    commit: String,
    /// Seconds of user CPU.
    unit: Option<f64>,
    rows: &'a [Row],
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the chosen cases and prints their rows; false if a verdict is wrong. A missed goal is no failure: the machine
/// may be busy.
fn run(arguments: &Arguments) -> Result<bool> {
    let cases: Vec<Case> = chosen(arguments)?;
    let folder = tempfile::tempdir()?;
    let unit = measure::unit();
    match unit {
        Some(unit) => println!("1 unit = {unit:.3} s of user CPU"),
        None => eprintln!("warning: no python3, so no units are measured"),
    }
    let spin = !arguments.alone && peers::has_spin();
    if !arguments.alone && !spin {
        eprintln!("warning: Spin or a C compiler is not installed, so Spin is not measured");
    }
    let mut rows = Vec::new();
    for case in &cases {
        let (report, millis) = measure::checks(case);
        let mut row = Row::new(case, &report, millis);
        let has_unit_goal = case.goals.iter().any(|goal| matches!(goal, Goal::Units(_)));
        if let (Some(unit), Some(tidegate), true) = (unit, &arguments.tidegate, has_unit_goal) {
            row.units = Some(measure::command(tidegate, folder.path(), &case.text)? / unit);
        }
        if let (Some(counting), false) = (&case.counting, arguments.alone) {
            row.peers = peers::run(counting, spin, folder.path())?;
        }
        row.judge(&case.goals);
        println!("{}", table::terminal(&row));
        rows.push(row);
    }
    if let Some(package) = &arguments.package {
        in_wasm(&cases, &mut rows, package)?;
    }
    let right = rows.iter().all(|row| row.right);
    for row in rows.iter().filter(|row| !row.right) {
        println!("{} {}: wrong verdict {}", row.family, row.size, row.verdict);
    }
    write(arguments, unit, &rows)?;
    Ok(right)
}

fn chosen(arguments: &Arguments) -> Result<Vec<Case>> {
    let mut cases = families::cases();
    for family in &arguments.families {
        if !cases.iter().any(|case| family.eq_ignore_ascii_case(case.family)) {
            bail!("unknown family `{family}`");
        }
    }
    cases.retain(|case| {
        let named = |family: &String| family.eq_ignore_ascii_case(case.family);
        (arguments.families.is_empty() || arguments.families.iter().any(named))
            && !(arguments.quick && case.long)
    });
    Ok(cases)
}

/// Measures the cases that take less than some seconds in the engine for WebAssembly, too.
fn in_wasm(cases: &[Case], rows: &mut [Row], package: &Path) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("no repository")?;
    let short = |(index, case): (usize, &Case)| {
        let usual = case.engine == tidegate_check::Engine::Auto && case.max_states.is_none();
        (rows[index].millis < 5_000.0 && usual).then_some(index)
    };
    let measured: Vec<usize> = cases.iter().enumerate().filter_map(short).collect();
    let measured_cases: Vec<&Case> = measured.iter().map(|&index| &cases[index]).collect();
    for (index, times) in measured.into_iter().zip(wasm::run(&measured_cases, package, root)?) {
        (rows[index].node, rows[index].chromium) = (Some(times.node), times.chromium);
        rows[index].judge(&cases[index].goals);
    }
    Ok(())
}

fn write(arguments: &Arguments, unit: Option<f64>, rows: &[Row]) -> Result<()> {
    if let Some(file) = &arguments.json {
        let commit = std::process::Command::new("git").args(["rev-parse", "HEAD"]).output();
        let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let results = Results { commit: commit.unwrap_or_default(), unit, rows };
        std::fs::write(file, serde_json::to_string_pretty(&results)? + "\n")
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    if let Some(file) = &arguments.document {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let text = with_table(&text, &table::markdown(rows))
            .with_context(|| format!("{} has no `{BEGIN}`, or no `{END}`", file.display()))?;
        std::fs::write(file, text)?;
    }
    Ok(())
}

const BEGIN: &str = "<!-- table -->\n";
const END: &str = "<!-- end of table -->";

/// The text with another table between its marks.
fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_replaced_between_its_marks() {
        let text = format!("before\n{BEGIN}old{END}\nafter\n");
        let new = with_table(&text, "| a |\n").expect("both marks");
        assert_eq!(new, format!("before\n{BEGIN}\n| a |\n\n{END}\nafter\n"));
        assert_eq!(with_table(&new, "| a |\n"), Some(new));
        assert_eq!(with_table("no marks", ""), None);
    }

    #[test]
    fn families_are_chosen_by_their_letters() {
        let parse = |words: &[&str]| Arguments::parse_from([&["bench"], words].concat());
        let quick = chosen(&parse(&["a", "Q", "--quick"])).expect("known families");
        assert!(quick.iter().all(|case| matches!(case.family, "A" | "Q") && !case.long));
        assert!(chosen(&parse(&["Z"])).is_err());
    }
}
