//! Verdicts as sentences.

use crate::engine::{IDLE, Report};

pub(crate) use protocol::verdict::{description, face};

/// Returns the colour and icon name, and a word, for the compiler's behaviour.
pub(crate) fn compiled(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "ok" => ("ok", "Compiles"),
        "unsupported" => ("unsupported", "Rejects"),
        "crash" => ("ub", "Crashes"),
        "external-call" => ("violation", "Calls a function"),
        _ => ("unknown", "Unknown"),
    }
}

/// Returns the verdict as reports and expectations write it, with the first broken rule: `ub[amd.drop.race]`.
pub(crate) fn named(report: &Report) -> String {
    match report.ground() {
        Some(first) => format!("{}[{}]", report.verdict, first.rule),
        None => report.verdict.clone(),
    }
}

/// Describes the verdict in a sentence.
pub(crate) fn sentence(report: &Report) -> String {
    let reach = match report.ground() {
        Some(first) => first.occurs(report.exhaustive),
        None => "in some schedules".into(),
    };
    match report.verdict.as_str() {
        "ok" if is_alone(report) => "No launch size: only one agent was checked.".into(),
        "ok" if report.limits.iter().any(|limit| limit == IDLE) => {
            "No agent synchronises or accesses shared memory.".into()
        }
        "ok" if warns(report, "launch-size") => {
            "No rule is violated at this launch size: see the warning.".into()
        }
        "ok" if report.findings.iter().any(|found| found.class == "hazard") => {
            "Every wait completes, but there is a hazard.".into()
        }
        "ok" => "No rule is violated and every wait completes, in every schedule.".into(),
        "ub" => format!("The behaviour is undefined {reach}."),
        "violation" if reach == "in some schedules" => {
            "Some schedules violate a requirement.".into()
        }
        "violation" => format!("A requirement is violated {reach}."),
        "race" => format!("Two conflicting accesses are unordered, {reach}."),
        "deadlock" => format!("Deadlock {reach}: a wait never completes."),
        "unsupported" => report.ground().map_or_else(String::new, |first| first.message.clone()),
        _ => match &report.bound {
            Some(why) => {
                let states = count(report.stats.states, "state", "states");
                let proved = report.proved.map(|proved| format!(" Proved: {}.", proved.clause()));
                format!("Inconclusive after {states}: {why}.{}", proved.unwrap_or_default())
            }
            None if report.exhaustive => {
                "Inconclusive: the findings depend on data that the scenario does not give.".into()
            }
            None => "Inconclusive: the search did not finish.".into(),
        },
    }
}

/// Returns the verdict that the page shows: `ok` of a single assumed agent is shown as `launch`.
pub(crate) fn shown(report: &Report) -> &str {
    if is_alone(report) { "launch" } else { &report.verdict }
}

/// Whether the verdict is `ok` only because the scenario launches one assumed agent.
fn is_alone(report: &Report) -> bool {
    report.verdict == "ok" && warns(report, "launch-missing")
}

fn warns(report: &Report, code: &str) -> bool {
    report.diagnostics.iter().any(|it| it.code == code)
}

/// Describes the number of *barrier-participates-in* relations, if they were counted.
pub(crate) fn relations(report: &Report) -> Option<String> {
    let counted = report.participates_in.as_ref()?;
    let executions = count(counted.executions, "execution", "executions");
    let outside = report.outside_interleavings.filter(|outside| *outside > 0).map(|outside| {
        format!(
            " The axioms admit {} more, which no interleaving reaches.",
            count(outside, "execution", "executions")
        )
    });
    let said = match counted.unique {
        true if counted.executions == 1 => {
            "`barrier-participates-in` is uniquely determined.".to_owned()
        }
        true => format!("`barrier-participates-in` is uniquely determined in all {executions}."),
        false => format!(
            "`barrier-participates-in` is ambiguous: in {executions} the same orders of operations admit up to {} relations.",
            counted.most
        ),
    };
    Some(said + outside.as_deref().unwrap_or_default())
}

/// Describes how the verdict was reached; empty if no search ran.
pub(crate) fn reached(report: &Report) -> String {
    if report.verdict == "unsupported" {
        return String::new();
    }
    let how = match report.engine.as_str() {
        "axioms" => " (axioms)",
        _ => "",
    };
    let stats = &report.stats;
    let states = count(stats.states, "state", "states");
    let extent = if report.exhaustive { "Exhaustive" } else { "Incomplete" };
    format!(" · {extent}: {states}{how}")
}

/// Formats a number with its noun, with digits in groups of three.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    format!("{grouped} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(count(1, "state", "states"), "1 state");
        assert_eq!(count(1_234_567, "state", "states"), "1\u{202f}234\u{202f}567 states");
    }
}
