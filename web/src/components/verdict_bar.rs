//! The verdict, and how it was reached.

use super::finding::replay_or_show;
use super::icon::icon;
use super::prose::prose;
use crate::browser;
use crate::dom::*;
use crate::engine::Report;
use crate::state::{State, Tab};
use crate::trace::Trace;
use crate::verdict::{self, count, description, face};
use leptos::prelude::*;

/// The verdict bar.
pub(crate) fn verdict_bar() -> El {
    let state = State::expect();
    let empty = move || state.text.with(|text| text.trim().is_empty());
    let verdict = Memo::new(move |_| match (state.valid.get(), state.report.get()) {
        (true, Some(_)) if empty() => "empty".to_owned(),
        (true, Some(report)) => verdict::shown(&report).to_owned(),
        (true, None) => "checking".to_owned(),
        (false, _) => "invalid".to_owned(),
    });
    let valid = move || state.report.get().filter(|_| state.valid.get() && !empty());
    let rule = move || valid().map(|report| verdict::named(&report));
    let link = move || {
        let first = valid()?.ground()?.rule.clone();
        Some(format!("#rules/{first}"))
    };
    let has_witness =
        move || valid().and_then(|report| Some(!report.ground()?.witness.is_empty())) == Some(true);
    let has_witness = Memo::new(move |_| has_witness());
    let long = Memo::new(move |_| state.long.get().is_some());
    let busy = move || state.stale() && state.running.get();
    let tone = move || face(&verdict.get()).tone;
    section("verdict")
        .toggle("verdict--stale", move || state.stale() && state.report.with(Option::is_some))
        .says("aria-busy", busy)
        .attr("aria-label", "Verdict")
        .bind("data-tone", tone)
        .bind("data-verdict", move || verdict.get())
        .with((
            span("verdict__icon").with(move || icon(tone())),
            div("verdict__words").attr("role", "status").attr("aria-atomic", "true").with((
                p("verdict__word").with((
                    move || face(&verdict.get()).word,
                    " ",
                    el("a", "verdict__rule").bind("href", link).with(code("").with(rule)),
                )),
                p("verdict__checking")
                    .with(move || if busy() { "Checking" } else { "Not checked" }),
                p("verdict__why").with(move || {
                    let why = match empty() {
                        true => "Write a scenario or open an example.".into(),
                        false => why(state),
                    };
                    span("").with(prose(&why))
                }),
            )),
            move || has_witness.get().then(|| show(state)),
            // Only the count changes during a check: the pressed button must keep its element.
            div("verdict__side").with(move || side(state, long.get())),
        ))
        .bind("data-engine", move || if state.engine.get() { "ready" } else { "away" })
        .bind("data-judged", move || state.judged.get().to_string())
}

/// A small badge of a verdict or a finding's class.
pub(super) fn badge(verdict: &str) -> El {
    let face = face(verdict);
    let badge = span("badge").attr("data-tone", face.tone).attr("data-verdict", verdict);
    badge.attr("title", description(verdict)).with((icon(face.tone), face.word))
}

/// The button that loads the witness of the first finding.
fn show(state: State) -> El {
    let shown = Memo::new(move |_| {
        let report = state.report.get();
        let first = report.as_ref().and_then(|it| it.findings.first());
        first.is_some_and(|first| state.is_shown(first, false))
    });
    button("button button--main verdict__show")
        .attr("title", "Show the witness, or play it from launch (w)")
        .says("aria-disabled", move || state.stale())
        .press(move || state.demonstrate_first())
        .with(move || replay_or_show(shown.get()))
}

/// Returns the verdict in a sentence, or the first problem of the text.
fn why(state: State) -> String {
    if state.valid.get() {
        return match state.report.get() {
            Some(report) => verdict::sentence(&report),
            None => state.recorded().map_or_else(
                || "The first check is running.".into(),
                |recorded| {
                    format!("Verdict recorded in the link: {recorded}. The check is running.")
                },
            ),
        };
    }
    state.diagnostics.with(|all| match all.iter().find(|problem| problem.severity == "error") {
        Some(problem) if problem.line > 0 => format!("Line {}: {}", problem.line, problem.message),
        Some(problem) => problem.message.clone(),
        None => "The scenario has errors.".into(),
    })
}

/// The right side: a long check with its cancel button, otherwise how the verdict was reached.
fn side(state: State, long: bool) -> Vec<El> {
    if long {
        let states = move || count(state.long.get().unwrap_or(0), "state", "states");
        return vec![
            p("verdict__run").with(("Checking · ", states, " so far")),
            button("button").press(move || state.cancel()).with("Cancel"),
        ];
    }
    match (state.valid.get(), state.report.get()) {
        (true, Some(report)) => facts(state, &report),
        (false, Some(_)) => {
            vec![p("verdict__run").with("Showing results for the last valid version")]
        }
        _ => Vec::new(),
    }
}

/// The verdict of each oracle and whether they agree; readings, target and engine.
fn facts(state: State, report: &Report) -> Vec<El> {
    let machine = report.machine.as_ref().map(|machine| {
        let title = "Hardware model (public, not measured)";
        let (word, title_of_word) = match report.machine_agrees() {
            Some(true) => ("agree", "The specification and the hardware model agree"),
            Some(false) => (
                "differ",
                "The specification and the hardware model differ: step through the model",
            ),
            None => ("open", "The search reached its limit: either verdict may change"),
        };
        // The hardware model has no memory, so it cannot report a race.
        let race = word == "agree" && report.execution_verdict() != report.verdict;
        let label = if race { "The hardware model does not check memory ordering" } else { word };
        let relation = button("oracles__word")
            .attr("data-agree", word)
            .attr("title", title_of_word)
            .says("aria-pressed", move || state.trace.with(Trace::of_machine))
            .press(move || state.look_at_machine())
            .with(label);
        let relation = li("").with(relation);
        (oracle("hardware model", title, &machine.verdict), relation)
    });
    let compiler = report.compiler.as_ref().map(|compiler| {
        let title = format!(
            "Measured with LLVM {}: which operations it accepts. {}",
            compiler.version,
            compiler.notes.join(" ")
        );
        let (tone, word) = verdict::compiled(&compiler.verdict);
        let chip = li("chip")
            .attr("data-tone", tone)
            .attr("title", title)
            .attr("data-compiler", &compiler.verdict);
        chip.with((span("chip__name").with("compiler"), icon(tone), word))
    });
    let ambiguities = report.ambiguities.iter().map(|open| &open.id);
    let target = code("").with(&*report.target);
    vec![
        ul("chips").attr("aria-label", "Verdicts by oracle").with((
            oracle("spec", "The specification", verdict::shown(report)),
            machine,
            compiler,
            all(ambiguities.map(|id| question(state, "depends on", id))),
            all(report
                .readings
                .iter()
                .map(|(id, choice)| question(state, "under", &format!("{id}={choice}")))),
        )),
        p("verdict__how").with((target, verdict::reached(report), proof(state, report))),
    ]
}

/// That one run proves the verdict, with its certificate.
fn proof(state: State, report: &Report) -> Option<impl Show + use<>> {
    if report.engine != "fast" || !report.exhaustive || report.verdict == "unsupported" {
        return None;
    }
    let words = "proved by one run";
    let word = match browser::embedded() {
        true => span("").with(words),
        false => button("verdict__proof")
            .attr("title", "All schedules are equivalent: show the certificate")
            .press(move || state.begin_work("certificate"))
            .with(words),
    };
    Some((" · ", word))
}

/// A reading that affects the verdict, and a link to it.
fn question(state: State, relation: &'static str, name: &str) -> El {
    let named = (span("chip__name").with(relation), name);
    if browser::embedded() {
        return li("chip").with(named);
    }
    li("").with(button("chip chip--open").press(move || state.show_tab(Tab::Readings)).with(named))
}

/// The verdict of one oracle.
fn oracle(name: &str, title: &'static str, verdict: &str) -> El {
    let face = face(verdict);
    let chip = li("chip").attr("data-tone", face.tone).attr("title", title);
    chip.with((span("chip__name").with(name), icon(face.tone), face.word))
}
