//! `tidegate needs`: the verdict without each synchronising statement.

use crate::args::{Ledger, Plain};
use crate::exit::{Exit, Failure};
use crate::output::{BOLD, print, print_raw, styled};
use crate::progress::Progress;
use crate::table::{Cell, render};
use crate::{escape, input, json, options};
use tidegate_check::Options;
use tidegate_check::needs::{MOST, Need, needs};

/// Runs the command.
pub(crate) fn run(arguments: &Ledger) -> Result<Exit, Failure> {
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let source = input::read(&arguments.file)?;
    let scene = options::scene(&source, &arguments.judging.launched)?;
    let options = Options { target, ..options::judging(&arguments.judging)? };
    let progress = Progress::new(1);
    let needs = needs(&scene, &options, &mut progress.watch()).ok_or_else(|| {
        Failure::new(format!("{} is not a valid scenario", source.name))
            .help("run `tidegate check` for the diagnostics")
    })?;
    drop(progress);
    if arguments.format == Plain::Json {
        print_raw(&json::pretty(&needs)?)?;
        return Ok(Exit::Ok);
    }
    let target = options.target_of(&scene).get().name;
    let verdict = styled(BOLD, &needs.verdict);
    let mut out = format!("{} on {target}: {verdict}\n\n", escape::line(&source.name));
    match needs.statements.is_empty() {
        true => out.push_str("no statement synchronises\n"),
        false => {
            let rows: Vec<_> = needs.statements.iter().map(|it| row(it, &needs.verdict)).collect();
            out.push_str(&render(&["line", "statement", "without it", "rule"], &rows));
        }
    }
    if needs.left_out > 0 {
        out.push_str(&format!(
            "\nonly the first {MOST} statements were removed, {} are left\n",
            needs.left_out
        ));
    }
    print(&out)?;
    Ok(Exit::Ok)
}

fn row(need: &Need, verdict: &str) -> Vec<Cell> {
    let words: Vec<&str> = need.statement.split_whitespace().collect();
    vec![
        Cell::new(need.line.to_string()),
        Cell::new(escape::line(&words.join(" "))),
        Cell { text: need.verdict.clone(), strong: need.verdict != verdict },
        Cell::new(need.rule.as_deref().unwrap_or_default()),
    ]
}
