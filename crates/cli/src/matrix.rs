//! `tidegate matrix`: prints the verdict on every target.

use crate::args::{Matrix as Arguments, MatrixFormat};
use crate::exit::{Exit, Failure};
use crate::human::{count, diagnostic};
use crate::output::{BOLD, DIM, print, print_error, print_raw, styled};
use crate::table::{Cell, render};
use crate::{escape, input, json, options};
use tidegate_check::matrix::{MachineVerdict, Matrix, MatrixRow, Reason};

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = input::read(&arguments.file)?;
    let scene = options::scene(&source, &arguments.judging.launched)?;
    let options = options::judging(&arguments.judging)?;
    let Some(matrix) = tidegate_check::matrix(&scene, &options, &mut |_| true) else {
        for one in scene.diagnostics() {
            print_error(&diagnostic(&one, &source.name, &source.text));
        }
        return Ok(Exit::Usage);
    };
    match arguments.format {
        MatrixFormat::Human => print(&human(&matrix))?,
        MatrixFormat::Json => print_raw(&json::pretty(&matrix)?)?,
        MatrixFormat::Csv => print_raw(&csv(&matrix))?,
    }
    let unknown = matrix.rows.iter().any(|row| row.verdict == "unknown");
    Ok(if unknown { Exit::Unknown } else { Exit::Ok })
}

fn human(matrix: &Matrix) -> String {
    let mut out = format!("{}\n", styled(BOLD, &escape::line(&matrix.file)));
    if !matrix.title.is_empty() {
        out.push_str(&format!("  {}\n", escape::line(&matrix.title)));
    }
    let rows: Vec<Vec<Cell>> = matrix.rows.iter().map(cells).collect();
    let head = ["targets", "verdict", "reason", "hardware model", "ambiguous"];
    out.push_str(&format!("\n{}", render(&head, &rows)));
    let targets = matrix.rows.iter().map(|row| row.targets.len() as u64).sum();
    let how = format!(
        "{}, {}, {}; hardware model: public, not measured",
        count(targets, "target"),
        count(matrix.judgements, "check"),
        count(matrix.states, "state")
    );
    out.push_str(&format!("\n{}\n", styled(DIM, &how)));
    out
}

fn cells(row: &MatrixRow) -> Vec<Cell> {
    let verdict = Cell { text: row.verdict.clone(), strong: row.verdict != "ok" };
    let because = row.reason.as_ref().map_or_else(String::new, because);
    let machine = row.machine.as_ref().map_or_else(String::new, machine);
    let ambiguous: Vec<&str> =
        row.ambiguities.iter().map(|ambiguity| ambiguity.id.as_str()).collect();
    vec![
        Cell::new(row.label.clone()),
        verdict,
        Cell::new(because),
        Cell::new(machine),
        Cell::new(ambiguous.join(", ")),
    ]
}

fn because(reason: &Reason) -> String {
    let line = reason.line.map_or_else(String::new, |line| format!(", line {line}"));
    let some = if reason.schedules == "some" { ", in some schedules" } else { "" };
    format!("{}{line}{some}", reason.rule)
}

fn machine(machine: &MachineVerdict) -> String {
    let agrees = match machine.agrees {
        Some(true) => "agrees",
        Some(false) => "differs",
        None => "not comparable",
    };
    format!("{}, {agrees}", machine.verdict)
}

/// Formats one line for each target (RFC 4180).
fn csv(matrix: &Matrix) -> String {
    let mut out =
        "target,family,verdict,exhaustive,rule,line,schedules,machine,machine_rule,machine_agrees,ambiguous\r\n"
            .to_owned();
    for row in &matrix.rows {
        for target in &row.targets {
            let fields = fields(row, target);
            let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
            out.push_str(&format!("{}\r\n", fields.join(",")));
        }
    }
    out
}

fn fields(row: &MatrixRow, target: &str) -> [String; 11] {
    let of = |read: fn(&Reason) -> String| row.reason.as_ref().map_or_else(String::new, read);
    let machine =
        |read: fn(&MachineVerdict) -> String| row.machine.as_ref().map_or_else(String::new, read);
    let ambiguous: Vec<&str> =
        row.ambiguities.iter().map(|ambiguity| ambiguity.id.as_str()).collect();
    [
        target.to_owned(),
        row.family.clone(),
        row.verdict.clone(),
        row.exhaustive.to_string(),
        of(|reason| reason.rule.clone()),
        of(|reason| reason.line.map_or_else(String::new, |line| line.to_string())),
        of(|reason| reason.schedules.clone()),
        machine(|machine| machine.verdict.clone()),
        machine(|machine| machine.reason.as_ref().map_or_else(String::new, |r| r.rule.clone())),
        machine(|machine| machine.agrees.map_or_else(String::new, |agrees| agrees.to_string())),
        ambiguous.join(" "),
    ]
}

fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_if_necessary() {
        assert_eq!(quoted("ok"), "ok");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
