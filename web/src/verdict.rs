//! Verdicts in words.

use crate::engine::{Finding, Report};

pub(crate) use protocol::verdict::{face, told};

/// What a compiler does with a scenario: the name of its colours and of its icon, and a word.
pub(crate) fn compiled(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "ok" => ("ok", "Compiles"),
        "unsupported" => ("unsupported", "Rejects"),
        "crash" => ("ub", "Crashes"),
        "external-call" => ("violation", "Calls a function"),
        _ => ("unknown", "Unknown"),
    }
}

/// The verdict as reports and expectations write it, with the rule that it rests on: `ub[amd.drop.race]`.
pub(crate) fn named(report: &Report) -> String {
    match report.ground() {
        Some(first) => format!("{}[{}]", report.verdict, first.rule),
        None => report.verdict.clone(),
    }
}

/// The verdict in a sentence.
pub(crate) fn sentence(report: &Report) -> String {
    let reach = match report.ground() {
        Some(first) => schedules(first, report.exhaustive),
        None => "in some schedules".into(),
    };
    match report.verdict.as_str() {
        "ok" if is_alone(report) => {
            "One alone keeps every rule and meets nobody: the warning below the text offers a launch.".into()
        }
        "ok" if warns(report, "launch-size") => {
            "The launch as it is keeps every rule: read the warning below the text.".into()
        }
        "ok" if report.findings.iter().any(|found| found.class == "hazard") => {
            "No wait is left for ever, but read the hazard below.".into()
        }
        "ok" => "Every schedule keeps every rule, and no wait is left for ever.".into(),
        "ub" => format!("The behaviour is undefined {reach}."),
        "violation" => format!("A stated requirement is broken {reach}."),
        "race" => format!("Two conflicting accesses are not ordered {reach}."),
        "deadlock" => {
            let mut said = format!("{reach} a wait never completes.");
            said.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
            said
        }
        "unsupported" => format!("{} does not have all that this scenario uses.", report.target),
        _ => match &report.bound {
            Some(why) => format!("Not everything was seen: {why}."),
            None if report.exhaustive => {
                "What is found is possible: it needs data that no text says.".into()
            }
            None => "Not everything was seen.".into(),
        },
    }
}

/// The verdict as the page shows it: of one alone it is no all-clear.
pub(crate) fn shown(report: &Report) -> &str {
    if is_alone(report) { "launch" } else { &report.verdict }
}

/// Whether all is well because nobody else is launched, which the text does not say.
fn is_alone(report: &Report) -> bool {
    report.verdict == "ok" && warns(report, "launch-missing")
}

fn warns(report: &Report, code: &str) -> bool {
    report.diagnostics.iter().any(|it| it.code == code)
}

/// How many *barrier-participates-in* relations there are, where that was counted.
pub(crate) fn relations(report: &Report) -> Option<String> {
    let counted = report.participates_in.as_ref()?;
    let executions = count(counted.executions, "execution", "executions");
    let outside = report.outside_interleavings.filter(|outside| *outside > 0).map(|outside| {
        format!(
            " The axioms admit {} beside, which no interleaving reaches.",
            count(outside, "execution", "executions")
        )
    });
    let said = match counted.unique {
        true if counted.executions == 1 => {
            "Unique: the orders of operations admit one `barrier-participates-in`.".to_owned()
        }
        true => format!(
            "Unique: in each of {executions} the orders of operations admit one `barrier-participates-in`."
        ),
        false => format!(
            "Multiple: in {executions} the same orders of operations admit up to {} `barrier-participates-in` relations.",
            counted.most
        ),
    };
    Some(said + outside.as_deref().unwrap_or_default())
}

/// In which schedules a finding is met, or where the host passes what; of all of them nothing is known where not the
/// `whole` was seen.
pub(crate) fn schedules(finding: &Finding, whole: bool) -> String {
    match (finding.schedules.as_str(), finding.passed()) {
        ("all", _) => "in every schedule".into(),
        (_, Some(passed)) => ["where ", passed].concat(),
        _ if !whole => "in a schedule that was seen, and not all were".into(),
        _ => "in some schedules".into(),
    }
}

/// How a verdict was reached; nothing where there was nothing to search.
pub(crate) fn reached(report: &Report) -> String {
    if report.verdict == "unsupported" {
        return String::new();
    }
    let how = match report.engine.as_str() {
        "fast" => "one schedule stands for all",
        "explore" => "explored",
        other => other,
    };
    let stats = &report.stats;
    let states = count(stats.states, "state", "states");
    let extent = if report.exhaustive { "all seen" } else { "not all seen" };
    format!(" · {how} · {states} · {extent}")
}

/// A number with its noun, thousands apart.
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
