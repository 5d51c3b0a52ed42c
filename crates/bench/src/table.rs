//! The table: a row for each case, with its goals beside what was measured.

use crate::case::{Case, Goal};
use crate::peers::Peer;
use serde::Serialize;
use tidegate_check::report::Report;

/// A measured case.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// The family, one letter.
    pub family: &'static str,
    /// The size.
    pub size: String,
    /// The verdict.
    pub verdict: String,
    /// Whether the verdict is not wrong: it is the expected one, or `unknown`.
    pub right: bool,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// Visited states.
    pub states: u64,
    /// Performed steps.
    pub transitions: u64,
    /// Steps of the witness of the first finding.
    pub witness: Option<usize>,
    /// Median milliseconds of a check in this process.
    pub millis: f64,
    /// Median milliseconds in node and in Chromium.
    pub node: Option<f64>,
    /// See `node`.
    pub chromium: Option<f64>,
    /// User CPU of the whole command, in units.
    pub units: Option<f64>,
    /// Each goal in words, and whether it is met; `None` if it was not measured.
    pub goals: Vec<(String, Option<bool>)>,
    /// Other model checkers.
    pub peers: Vec<Peer>,
}

impl Row {
    /// A row of what a check found and took.
    pub(crate) fn new(case: &Case, report: &Report, millis: f64) -> Self {
        let witness = report.findings.first().map(|finding| finding.witness.len());
        Self {
            family: case.family,
            size: case.size.clone(),
            right: report.verdict == case.verdict || report.verdict == "unknown",
            verdict: report.verdict.clone(),
            exhaustive: report.exhaustive,
            states: report.stats.states,
            transitions: report.stats.transitions,
            witness,
            millis,
            node: None,
            chromium: None,
            units: None,
            goals: Vec::new(),
            peers: Vec::new(),
        }
    }

    /// Compares with the goals.
    pub(crate) fn judge(&mut self, goals: &[Goal]) {
        let wasm = self.chromium.or(self.node);
        self.goals = goals
            .iter()
            .map(|goal| match *goal {
                Goal::Units(most) => (format!("≤ {most} units"), self.units.map(|it| it <= most)),
                Goal::Millis(most) => (format!("≤ {most} ms"), Some(self.millis <= most)),
                Goal::Wasm(most) => (format!("≤ {most} ms in wasm"), wasm.map(|it| it <= most)),
                Goal::States(most) => (format!("≤ {most} states"), Some(self.states <= most)),
                Goal::Witness(most) => {
                    (format!("≤ {most} steps"), self.witness.map(|it| it <= most))
                }
                Goal::Exhaustive => ("exhaustive".to_owned(), Some(self.exhaustive)),
            })
            .collect();
    }

    fn cells(&self) -> [String; 10] {
        let goals: Vec<String> = self
            .goals
            .iter()
            .map(|(goal, met)| match met {
                Some(true) => format!("{goal}: yes"),
                Some(false) => format!("**{goal}: no**"),
                None => format!("{goal}: not measured"),
            })
            .collect();
        let peer = |peer: &Peer| match peer.states {
            Some(states) => {
                format!("{}: {} states, {}", peer.name, grouped(states), time(peer.seconds * 1e3))
            }
            None => format!("{}: > {}", peer.name, time(peer.seconds * 1e3)),
        };
        let verdict = match (self.right, self.verdict.as_str()) {
            (false, verdict) | (true, verdict @ "unknown") => format!("**{verdict}**"),
            (true, verdict) if self.exhaustive => verdict.to_owned(),
            (true, verdict) => format!("{verdict}, not exhaustive"),
        };
        let optional = |millis: Option<f64>| millis.map(time).unwrap_or_default();
        [
            self.family.to_owned(),
            self.size.clone(),
            verdict,
            grouped(self.states),
            time(self.millis),
            optional(self.node),
            optional(self.chromium),
            self.units.map(|units| format!("{units:.2}")).unwrap_or_default(),
            goals.join("; "),
            self.peers.iter().map(peer).collect::<Vec<_>>().join("; "),
        ]
    }
}

const HEAD: [&str; 10] =
    ["", "case", "verdict", "states", "native", "node", "Chromium", "units", "goals", "others"];

/// The table in Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&HEAD.map(str::to_owned)) + &line(&HEAD.map(|_| "---".to_owned()));
    rows.iter().for_each(|row| text.push_str(&line(&row.cells())));
    text
}

/// One row for the terminal, without the goals that are met.
pub(crate) fn terminal(row: &Row) -> String {
    let [family, size, verdict, states, native, _, _, units, ..] = row.cells();
    let missed = row.goals.iter().filter(|(_, met)| *met == Some(false));
    let missed: Vec<&str> = missed.map(|(goal, _)| goal.as_str()).collect();
    let missed =
        if missed.is_empty() { String::new() } else { format!("  not {}", missed.join(", not ")) };
    format!("{family:<2} {size:<38} {verdict:<26} {states:>11} {native:>9} {units:>6}{missed}")
}

/// Thousands, separated.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds with two or three digits that matter.
fn time(millis: f64) -> String {
    match millis {
        _ if millis < 10.0 => format!("{millis:.2} ms"),
        _ if millis < 1_000.0 => format!("{millis:.0} ms"),
        _ => format!("{:.1} s", millis / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_short() {
        assert_eq!([0, 999, 1_000, 5_745_881].map(grouped), ["0", "999", "1,000", "5,745,881"]);
        assert_eq!(
            [0.123, 9.5, 99.6, 1_500.0].map(time),
            ["0.12 ms", "9.50 ms", "100 ms", "1.5 s"]
        );
    }

    #[test]
    fn a_goal_that_was_not_measured_is_not_met() {
        let case = Case::new("A", "one".into(), String::new(), "ok");
        let report = tidegate_check::check(
            &tidegate_check::Scene::new("empty.tide", "target gfx1250\nwave 0 { arrive wg }\n"),
            &tidegate_check::Options::default(),
            &mut |_| true,
        );
        let mut row = Row::new(&case, &report, 1.0);
        row.judge(&[Goal::Units(1.0), Goal::Millis(2.0), Goal::States(0)]);
        let met: Vec<Option<bool>> = row.goals.iter().map(|(_, met)| *met).collect();
        assert_eq!(met, [None, Some(true), Some(false)]);
    }
}
