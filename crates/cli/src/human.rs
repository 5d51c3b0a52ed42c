//! Reports in human format: the verdict, each finding with its position and notes, and the extent of the search.

use crate::escape;
use crate::output::{BOLD, DIM, style_of, styled, verdict};
use crate::snippet::{Message, Place, statement};
use tidegate_check::report::{CompiledFrom, Finding, IDLE, Report, ReportDiagnostic};

/// The parts of a report to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Show<'a> {
    /// Verdict and findings of the specification.
    pub(crate) spec: bool,
    /// Verdict and findings of the hardware model.
    pub(crate) machine: bool,
    /// A note if the requested relations were not counted.
    pub(crate) uncounted: bool,
    /// The certificate, or that there is none.
    pub(crate) certified: bool,
    /// The arguments that launch the kernel in the same way, each after a blank.
    pub(crate) launched: &'a str,
}

/// Formats the report on the scenario `text`.
pub(crate) fn report(report: &Report, text: &str, show: Show<'_>) -> String {
    let mut out = head(report, show);
    for diagnostic in &report.diagnostics {
        out.push_str(&self::diagnostic(diagnostic, &report.file, text));
    }
    if report.verdict == "invalid" {
        return out;
    }
    if show.spec {
        for (index, finding) in report.findings.iter().enumerate() {
            out.push_str(&self::finding(
                finding,
                report,
                text,
                (index + 1, report.exhaustive),
                show,
            ));
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
fn head(report: &Report, show: Show<'_>) -> String {
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
    if let Some(command) = &report.compiled_with {
        out.push_str(&format!("  compiled with: {}\n", escape::line(command)));
    }
    out
}

/// Formats a diagnostic of the scenario.
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

/// Formats a finding; `number` is its number for `tidegate trace`.
fn finding(
    finding: &Finding,
    report: &Report,
    text: &str,
    (number, exhaustive): (usize, bool),
    show: Show<'_>,
) -> String {
    let range = finding.line.and_then(|line| statement(text, line, finding.column.unwrap_or(1)));
    let mut footer: Vec<_> = finding.because.iter().map(|says| ("note", says.clone())).collect();
    // An edit can have the words of the help, and a condition after them.
    let edit = finding.fix.as_ref().map(|fix| fix.message.as_str());
    let repeats = |help: &str| edit.is_some_and(|edit| edit.starts_with(help));
    let help = finding.remedy.as_deref().filter(|help| !repeats(help));
    footer.extend(help.into_iter().chain(edit).map(|says| ("help", says.to_owned())));
    footer.extend(finding.condition.iter().map(|needs| ("possible", format!("only if {needs}"))));
    let of_line = |from: &&CompiledFrom| Some(from.line) == finding.line;
    footer.extend(report.compiled_from.iter().find(of_line).map(|from| ("source", place(from))));
    // The condition of a possible finding describes its schedules.
    if !finding.is_possible() {
        footer.push(("schedules", finding.occurs(exhaustive)));
    }
    if !finding.witness.is_empty() {
        footer.push(("witness", witness(finding, report, number, show)));
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

/// A place in a source as compilers write it.
fn place(from: &CompiledFrom) -> String {
    let column = match from.source_column {
        0 => String::new(),
        column => format!(":{column}"),
    };
    format!("{}:{}{column}", escape::line(&from.file), from.source_line)
}

/// Length of the witness, and the command that shows it.
fn witness(finding: &Finding, report: &Report, number: usize, show: Show<'_>) -> String {
    let steps = count(finding.witness.len() as u64, "step");
    let shortest = if finding.shortest { "shortest" } else { "a shorter one may exist" };
    format!(
        "{steps} ({shortest}): tidegate trace {} --finding {number} --target {}{}{}",
        escape::line(&report.file),
        report.target,
        show.launched,
        report
            .readings
            .iter()
            .map(|(id, choice)| format!(" --reading {id}={choice}"))
            .collect::<String>()
    )
}

/// Formats the verdict and the findings of the hardware model, and whether it agrees with the specification.
fn machine(report: &Report, text: &str, show: Show<'_>, out: &mut String) {
    let Some(machine) = &report.machine else { return };
    let bound = if machine.exhaustive { "" } else { " (incomplete search)" };
    let against = if show.spec { against(report) } else { String::new() };
    out.push_str(&format!(
        "\nhardware model {}: {}{bound}{against}\n",
        styled(DIM, "(public, not measured)"),
        verdict(&machine.verdict)
    ));
    // Findings of the specification have the first numbers.
    for (number, finding) in (report.findings.len() + 1..).zip(&machine.findings) {
        if show.spec {
            let style = style_of(&finding.class);
            out.push_str(&format!(
                "  {style}{}{style:#}[{}]: {}, {}\n",
                finding.class,
                finding.rule,
                escape::line(&finding.message),
                finding.occurs(machine.exhaustive)
            ));
            if !finding.witness.is_empty() {
                out.push_str(&format!("    {}\n", witness(finding, report, number, show)));
            }
        } else {
            out.push_str(&self::finding(finding, report, text, (number, machine.exhaustive), show));
        }
    }
}

/// Compares the verdict of the hardware model with that of the specification.
fn against(report: &Report) -> String {
    let deadlock = report.findings.iter().find(|finding| finding.class == "deadlock");
    let text = report.execution_verdict();
    let of = if text == report.verdict { "" } else { " (the hardware model has no memory)" };
    let where_stuck = match deadlock {
        Some(finding) if text == "deadlock" && finding.schedules == "all" => " in every schedule",
        Some(_) if text == "deadlock" => " in some schedules",
        _ => "",
    };
    match report.machine_agrees() {
        Some(true) => format!(", agrees with the specification{of}"),
        Some(false) => {
            format!(", differs from the specification's {}{where_stuck}{of}", verdict(text))
        }
        None => String::new(),
    }
}

/// Formats the behaviour of the compiler if it differs from the specification.
fn compiler(report: &Report, show: Show<'_>, out: &mut String) {
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

/// Formats the readings that change the verdict, the counts, and the extent of the search.
fn tail(report: &Report, show: Show<'_>, out: &mut String) {
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
            out.push_str("\nparticipates-in: not counted: no execution completes, or there are too many executions\n");
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
        out.push_str(&format!("\noutside interleavings: {number} (by the axioms)\n"));
    }
    if show.certified {
        certificate(report, out);
    }
    if show.spec {
        for limit in &report.limits {
            let what = if limit == IDLE { "note" } else { "not checked" };
            out.push_str(&format!("\n{what}: {}\n", escape::line(limit)));
        }
    }
    for clause in &report.represented {
        out.push_str(&format!("\nnote: {}\n", escape::line(clause)));
    }
    out.push_str(&format!("\n{}\n", styled(DIM, &extent(report))));
    if show.spec {
        out.push_str(&proof(report));
    }
}

/// Formats what an incomplete search proves, and the option that continues it.
fn proof(report: &Report) -> String {
    let mut lines = String::new();
    if let Some(proved) = &report.proved {
        lines.push_str(&format!("proved: {}\n", proved.clause()));
    }
    if let Some(further) = &report.further {
        let reaches = match further.steps {
            Some(steps) => format!(", and reaches about {}", count(steps.into(), "step")),
            None => String::new(),
        };
        lines.push_str(&format!(
            "help: search further with `--max-states {}`: this takes up to {} times the work{reaches}\n",
            further.max_states, further.times
        ));
    }
    lines
}

/// Formats the certificate: for each phase of each barrier, who participates and who waits for it.
fn certificate(report: &Report, out: &mut String) {
    let Some(certificate) = &report.certificate else {
        if report.verdict != "invalid" {
            out.push_str(
                "\ncertificate: none: the conditions on one run do not decide this verdict\n",
            );
        }
        return;
    };
    for run in &certificate.runs {
        let steps = count(run.steps.len() as u64, "step");
        let choice = run.choice.map(|choice| format!(" for choice {choice} of the host"));
        out.push_str(&format!(
            "\ncertificate: every execution{} is a reordering of these {steps}\n",
            choice.unwrap_or_default()
        ));
        for line in run.lines() {
            out.push_str(&format!("  {}\n", escape::line(&line)));
        }
    }
}

/// The extent of the search.
fn extent(report: &Report) -> String {
    let unit = if report.engine == "axioms" { "step" } else { "state" };
    let counted = count(report.stats.states, unit);
    match (&report.bound, report.engine.as_str()) {
        (Some(bound), _) => format!("incomplete: {bound} ({counted})"),
        (None, _) if !report.exhaustive => {
            format!("incomplete: the search reached its limit ({counted})")
        }
        (None, "fast") => format!("exhaustive: all interleavings are equivalent ({counted})"),
        (None, "axioms") => format!("exhaustive by the axioms ({counted})"),
        (None, _) => format!("exhaustive ({counted})"),
    }
}

/// A number with its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
