//! Reports for people: the verdict, each finding with its place and its reasons, and how far was looked.

use crate::escape;
use crate::output::{BOLD, DIM, style_of, styled, verdict};
use crate::snippet::{Message, Place, statement};
use tidegate_check::report::{Finding, Report, ReportDiagnostic};

/// What is shown of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Show {
    /// The verdict and findings of the text.
    pub(crate) spec: bool,
    /// The verdict and findings of the machine.
    pub(crate) machine: bool,
    /// That relations were asked for and not counted.
    pub(crate) uncounted: bool,
}

/// The report on a scenario of this text.
pub(crate) fn report(report: &Report, text: &str, show: Show) -> String {
    let mut out = head(report, show);
    for diagnostic in &report.diagnostics {
        out.push_str(&self::diagnostic(diagnostic, &report.file, text));
    }
    if report.verdict == "invalid" {
        return out;
    }
    if show.spec {
        for (index, finding) in report.findings.iter().enumerate() {
            out.push_str(&self::finding(finding, report, text, Some(index + 1), report.exhaustive));
        }
    }
    if show.machine {
        machine(report, text, show, &mut out);
        compiler(report, show, &mut out);
    }
    tail(report, show, &mut out);
    out
}

/// File, target, verdict and title.
fn head(report: &Report, show: Show) -> String {
    let word = match &report.machine {
        Some(machine) if !show.spec => &machine.verdict,
        _ => &report.verdict,
    };
    let target =
        if report.target.is_empty() { String::new() } else { format!(" on {}", report.target) };
    let mut out =
        format!("{}{target}: {}\n", styled(BOLD, &escape::line(&report.file)), verdict(word));
    if !report.title.is_empty() {
        out.push_str(&format!("  {}\n", escape::line(&report.title)));
    }
    out
}

/// What is wrong with the text, at its place.
pub(crate) fn diagnostic(diagnostic: &ReportDiagnostic, file: &str, text: &str) -> String {
    let start = diagnostic.offset as usize;
    let place =
        Place { file, text, range: start..start.saturating_add(diagnostic.length as usize) };
    let message = Message {
        word: &diagnostic.severity,
        id: &diagnostic.code,
        title: &diagnostic.message,
        place: (diagnostic.line > 0).then_some(place),
        label: None,
        footer: diagnostic.suggestion.iter().map(|says| ("help", says.clone())).collect(),
    };
    format!("\n{}", message.render())
}

/// A finding; `number` is its place in the list, where it can be traced.
pub(crate) fn finding(
    finding: &Finding,
    report: &Report,
    text: &str,
    number: Option<usize>,
    exhaustive: bool,
) -> String {
    let range = finding.line.and_then(|line| statement(text, line, finding.column.unwrap_or(1)));
    let mut footer: Vec<_> = finding.because.iter().map(|says| ("because", says.clone())).collect();
    footer.extend(finding.remedy.iter().map(|says| ("remedy", says.clone())));
    let tried = finding.fix.as_ref().filter(|fix| finding.remedy.as_ref() != Some(&fix.message));
    footer.extend(tried.map(|fix| ("mended by", fix.message.clone())));
    footer
        .extend(finding.condition.iter().map(|needs| ("possible", format!("only where {needs}"))));
    // Of a possible one the condition says where it is met.
    if !finding.is_possible() {
        footer.push(("schedules", schedules(finding, exhaustive)));
    }
    if let Some(number) = number.filter(|_| !finding.witness.is_empty()) {
        footer.push(("witness", witness(finding, report, number)));
    }
    let message = Message {
        word: &finding.word(),
        id: &finding.rule,
        title: &finding.message,
        place: range.map(|range| Place { file: &report.file, text, range }),
        label: finding.agent.as_deref(),
        footer,
    };
    format!("\n{}", message.render())
}

/// In which schedules it is met; not everything is known where not every execution was seen.
fn schedules(finding: &Finding, exhaustive: bool) -> String {
    match (finding.schedules.as_str(), finding.passed()) {
        ("all", _) => "met in every schedule".into(),
        (_, Some(passed)) => {
            format!("met where {passed}, and not in every schedule of every argument")
        }
        _ if !exhaustive => "met in some schedules; not every execution was seen".into(),
        _ => "met in some schedules, not in all".into(),
    }
}

/// How long the witness is and how to see it.
fn witness(finding: &Finding, report: &Report, number: usize) -> String {
    let steps = count(finding.witness.len() as u64, "step");
    let shortest = if finding.shortest { "none is shorter" } else { "a shorter one may exist" };
    format!(
        "{steps}, {shortest}: tidegate trace {} --finding {number} --target {}{}",
        escape::line(&report.file),
        report.target,
        report
            .readings
            .iter()
            .map(|(id, choice)| format!(" --reading {id}={choice}"))
            .collect::<String>()
    )
}

/// The verdict of the machine, whether it agrees with the text, and its findings.
fn machine(report: &Report, text: &str, show: Show, out: &mut String) {
    let Some(machine) = &report.machine else { return };
    let bound = if machine.exhaustive { "" } else { ", a bound was hit" };
    let against = if show.spec { against(report) } else { String::new() };
    out.push_str(&format!(
        "\nmachine: {}{bound}{against} {}\n",
        verdict(&machine.verdict),
        styled(DIM, "(as publicly modelled, not measured by us)")
    ));
    // Those of the text come first.
    for (number, finding) in (report.findings.len() + 1..).zip(&machine.findings) {
        if show.spec {
            let style = style_of(&finding.class);
            out.push_str(&format!(
                "  {style}{}{style:#} {}: {}; {}\n",
                finding.class,
                finding.rule,
                escape::line(finding.message.trim_end_matches('.')),
                schedules(finding, machine.exhaustive)
            ));
            if !finding.witness.is_empty() {
                out.push_str(&format!("    {}\n", witness(finding, report, number)));
            }
        } else {
            out.push_str(&self::finding(finding, report, text, Some(number), machine.exhaustive));
        }
    }
}

/// How the machine's verdict stands to that of the text.
pub(crate) fn against(report: &Report) -> String {
    let deadlock = report.findings.iter().find(|finding| finding.class == "deadlock");
    let text = report.execution_verdict();
    let of = if text == report.verdict { "" } else { " of execution; it knows no memory" };
    let where_stuck = match deadlock {
        Some(finding) if text == "deadlock" && finding.schedules == "all" => " in every schedule",
        Some(_) if text == "deadlock" => " in some schedules only",
        _ => "",
    };
    match report.machine_agrees() {
        Some(true) => format!(", agrees with the text{of}"),
        Some(false) => {
            format!(", differs: the text says {}{where_stuck}{of}", verdict(text))
        }
        None => String::new(),
    }
}

/// What the compiler does, where that is not what the text says.
fn compiler(report: &Report, show: Show, out: &mut String) {
    let Some(compiler) = report.compiler.as_ref().filter(|compiler| !compiler.notes.is_empty())
    else {
        return;
    };
    if show.spec {
        out.push_str(&format!(
            "\ncompiler: {} {}\n",
            verdict(&compiler.verdict),
            styled(DIM, &format!("(LLVM {}, measured)", compiler.version))
        ));
        for note in &compiler.notes {
            out.push_str(&format!("  {}\n", escape::line(note)));
        }
    }
}

/// Readings that change the verdict, what was counted, and how the verdict was reached.
fn tail(report: &Report, show: Show, out: &mut String) {
    if show.spec {
        for ambiguity in &report.ambiguities {
            let verdicts: Vec<_> = ambiguity
                .verdicts
                .iter()
                .map(|(choice, word)| format!("{} if {choice}", verdict(word)))
                .collect();
            out.push_str(&format!(
                "\nambiguous: {}: {}\n",
                styled(BOLD, &ambiguity.id),
                verdicts.join(", ")
            ));
        }
        if show.uncounted && report.participates_in.is_none() && report.verdict != "invalid" {
            out.push_str("\nparticipates-in: not counted: no execution runs to its end, or there are too many\n");
        }
        if let Some(counted) = &report.participates_in {
            let say = if counted.unique {
                "unique".into()
            } else {
                format!("multiple, up to {}", counted.most)
            };
            out.push_str(&format!(
                "\nparticipates-in: {say}, in {}\n",
                count(counted.executions, "execution")
            ));
        }
    }
    if show.spec
        && let Some(outside) = report.outside_interleavings.filter(|&outside| outside > 0)
    {
        let number = count(outside, "execution");
        out.push_str(&format!("\noutside interleavings: {number} by the axioms\n"));
    }
    if show.spec {
        for limit in &report.limits {
            out.push_str(&format!("\nnot looked at: {}\n", escape::line(limit)));
        }
    }
    let how = match report.engine.as_str() {
        "fast" => "one execution, which stands for all",
        "axioms" => "candidate executions, judged by the axioms",
        _ => "exploration",
    };
    let far = match &report.bound {
        None if report.exhaustive => "every execution covered".to_owned(),
        None => "a bound was hit before every execution was seen".to_owned(),
        Some(bound) => format!("not every execution was seen: {bound}"),
    };
    let unit = if report.engine == "axioms" { "step" } else { "state" };
    out.push_str(&format!(
        "\n{}\n",
        styled(DIM, &format!("reached by {how}; {far}; {}", count(report.stats.states, unit)))
    ));
}

/// A number and its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
