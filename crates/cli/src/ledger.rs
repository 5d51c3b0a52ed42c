//! `tidegate ledger`: phase, arrivals, waits and missing arrivals of each barrier.

use crate::args::{Ledger, Plain};
use crate::exit::{Exit, Failure};
use crate::human::count;
use crate::output::{BOLD, print, print_raw, styled};
use crate::table::{Cell, render};
use crate::{escape, input, json, options};
use tidegate_check::Options;
use tidegate_check::ledger::{self, LedgerAgent, LedgerRow};

/// Runs the command.
pub(crate) fn run(arguments: &Ledger) -> Result<Exit, Failure> {
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let source = input::read(&arguments.file)?.compiled(target, &arguments.judging.launched);
    let scene = options::scene(&source, &arguments.judging.launched)?;
    if !scene.is_valid() {
        return Err(Failure::new(format!("{} is not a valid scenario", source.name))
            .help("run `tidegate check` for the diagnostics"));
    }
    let options = Options { target, ..options::judging(&arguments.judging)? };
    let ledger = ledger::ledger(&scene, &options, &mut |_| true).ok_or_else(|| {
        Failure::new("no ledger: the scenario uses operations that the target does not support or the checker does not model")
            .help("use `tidegate trace` for the counts after each step")
    })?;
    if arguments.format == Plain::Json {
        print_raw(&json::pretty(&ledger)?)?;
        return Ok(Exit::Ok);
    }
    let mut out = format!(
        "{} on {}: {}, after {} step{}\n\n",
        escape::line(&ledger.file),
        ledger.target,
        styled(BOLD, &ledger.verdict),
        ledger.steps,
        if ledger.steps == 1 { "" } else { "s" }
    );
    if ledger.rows.is_empty() {
        out.push_str("no barrier is used\n");
        print(&out)?;
        return Ok(Exit::Ok);
    }
    let rows: Vec<Vec<Cell>> = ledger.rows.iter().map(row).collect();
    out.push_str(&render(&["barrier", "phase", "expected", "missing", "arrivals", "waits"], &rows));
    for row in &ledger.rows {
        if let Some(missing) = &row.missing {
            out.push_str(&format!(
                "\n{}: {}\n",
                styled(BOLD, &escape::line(&row.object)),
                escape::line(missing)
            ));
        }
    }
    print(&out)?;
    Ok(Exit::Ok)
}

fn row(row: &LedgerRow) -> Vec<Cell> {
    let waits = row.waits.iter().any(|agent| agent.blocked);
    let fresh = row.pending == row.expected && row.bytes == 0;
    let missing = if fresh && !waits && row.missing.is_none() {
        // A phase without arrivals and without waits.
        "nothing, no agent waits".to_owned()
    } else {
        let bytes = count(row.bytes.unsigned_abs(), "byte");
        match row.bytes {
            0 => row.pending.to_string(),
            1.. => format!("{}, {bytes}", row.pending),
            _ => format!("{}; {bytes} too many", row.pending),
        }
    };
    let phase = row.phase.map_or("-".to_owned(), |phase| match &*row.kind {
        // PTX numbers phases from 0, and waits use their parity.
        "mbarrier" => format!("{phase} (parity {})", phase & 1),
        _ => (phase + 1).to_string(),
    });
    [
        escape::line(&row.object),
        phase,
        // The first arrival at a CTA barrier sets its thread count.
        if row.expected == 0 && row.phase.is_none() {
            "-".into()
        } else {
            row.expected.to_string()
        },
        missing,
        agents(&row.arrives),
        agents(&row.waits),
    ]
    .map(Cell::new)
    .to_vec()
}

fn agents(agents: &[LedgerAgent]) -> String {
    let one = |agent: &LedgerAgent| {
        let blocked = if agent.blocked { ", blocked" } else { "" };
        format!("{} {} of {}{blocked}", escape::line(&agent.agent), agent.performed, agent.written)
    };
    if agents.is_empty() {
        "none".to_owned()
    } else {
        agents.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}
