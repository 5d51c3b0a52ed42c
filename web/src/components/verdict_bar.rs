//! The verdict, and how it was reached.

use super::finding::ReplayOrShow;
use super::icon::Icon;
use super::prose::Prose;
use super::{aria, press};
use crate::browser;
use crate::engine::{CompilerReport, Report};
use crate::state::State;
use crate::trace::Trace;
use crate::verdict::{self, count, face};
use leptos::prelude::*;

/// Largest number of states of a search in the page: they fit in the memory that a browser gives to a module.
const MOST_STATES: u64 = 100_000_000;

/// The verdict bar; hidden while a view is shown instead of the playground.
#[component]
pub(crate) fn VerdictBar() -> impl IntoView {
    let state = State::expect();
    let verdict =
        Memo::new(move |_| match (state.judgement.valid.get(), state.judgement.report.get()) {
            (true, Some(_)) if state.is_blank() => "empty".to_owned(),
            (true, Some(report)) => verdict::shown(&report).to_owned(),
            (true, None) => "checking".to_owned(),
            (false, _) => "invalid".to_owned(),
        });
    let valid = move || {
        state.judgement.report.get().filter(|_| state.judgement.valid.get() && !state.is_blank())
    };
    let rule = move || valid().map(|report| verdict::named(&report));
    let link = move || Some(format!("#rules/{}", valid()?.ground()?.rule));
    let has_witness = Memo::new(move |_| {
        valid().is_some_and(|report| report.ground().is_some_and(|it| !it.witness.is_empty()))
    });
    let is_busy = move || state.stale() && state.judgement.running.get();
    let tone = move || face(&verdict.get()).tone;
    let why = move || match state.is_blank() {
        true => "Write a scenario or open an example.".into(),
        false => why(state),
    };
    view! {
        <section
            class="verdict"
            class:verdict--stale=move || {
                state.stale()
                    && (state.judgement.report.with(Option::is_some) || !state.judgement.running.get())
            }
            hidden=move || state.chrome.view.with(Option::is_some)
            aria-busy=move || aria(is_busy())
            aria-label="Verdict"
            data-tone=tone
            data-verdict=move || verdict.get()
            data-engine=move || if state.chrome.engine.get() { "ready" } else { "away" }
            data-judged=move || state.judgement.judged.get().to_string()
        >
            <span class="verdict__icon">{move || view! { <Icon name=tone()/> }.into_any()}</span>
            <div class="verdict__words" role="status" aria-atomic="true">
                <p class="verdict__word">
                    {move || face(&verdict.get()).word}
                    " "
                    <a class="verdict__rule" href=link><code>{move || rule()}</code></a>
                </p>
                <p class="verdict__checking">
                    {move || if is_busy() { "Checking" } else { "Not checked" }}
                </p>
                <p class="verdict__why">{move || view! { <span><Prose text=why()/></span> }.into_any()}</p>
            </div>
            {move || has_witness.get().then(|| view! { <ShowWitness/> }.into_any())}
            <div class="verdict__side"><Side/></div>
        </section>
    }
}

/// The button that loads the witness of the first finding.
#[component]
fn ShowWitness() -> impl IntoView {
    let state = State::expect();
    let shown = Memo::new(move |_| {
        let report = state.judgement.report.get();
        let first = report.as_ref().and_then(|it| it.findings.first());
        first.is_some_and(|first| state.is_shown(first, false))
    });
    view! {
        <button
            class="button button--main verdict__show"
            type="button"
            title="Show the witness, or play it from launch (w)"
            aria-disabled=move || aria(state.stale())
            on:click=press(move || state.demonstrate_first())
        >
            <ReplayOrShow shown/>
        </button>
    }
}

/// Returns the verdict in a sentence, or the first problem of the text.
fn why(state: State) -> String {
    if state.judgement.valid.get() {
        return match state.judgement.report.get() {
            Some(report) => verdict::sentence(&report),
            None => state.recorded().map_or_else(
                || "The first check is running.".into(),
                |recorded| {
                    format!("Verdict recorded in the link: {recorded}. The check is running.")
                },
            ),
        };
    }
    state.judgement.diagnostics.with(|all| {
        match all.iter().find(|problem| problem.severity == "error") {
            Some(problem) if problem.line > 0 => {
                format!("Line {}: {}", problem.line, problem.message)
            }
            Some(problem) => problem.message.clone(),
            None => "The scenario has errors.".into(),
        }
    })
}

/// The right side: a long check with its cancel button, otherwise how the verdict was reached.
#[component]
fn Side() -> impl IntoView {
    let state = State::expect();
    // Only the count changes during a check: the pressed button must keep its element.
    let is_long = Memo::new(move |_| state.judgement.long.get().is_some());
    // The time also counts where the check counts no states, as while it evaluates a kernel.
    let states = move || match state.judgement.long.get().unwrap_or_default() {
        (0, 0) => "Checking…".to_owned(),
        (0, seconds) => format!("Checking · {seconds} s"),
        (known, seconds) => {
            format!("Checking · {} so far, {seconds} s", count(known, "state", "states"))
        }
    };
    view! {
        {move || match (is_long.get(), state.judgement.valid.get(), state.judgement.report.get()) {
        (true, ..) => view! {
            <p class="verdict__run">{move || states()}</p>
            <button class="button" type="button" on:click=press(move || state.cancel())>"Cancel"</button>
        }.into_any(),
        // No check of this text has finished or is running.
        (false, true, _)
            if state.stale() && !state.judgement.running.get() && state.chrome.engine.get() =>
        view! {
            <button class="button" type="button" on:click=press(move || state.ask())>"Check"</button>
        }.into_any(),
        (false, true, Some(_)) if state.is_blank() => ().into_any(),
        (false, true, Some(report)) => facts(state, &report).into_any(),
        (false, valid, report) => (!valid && report.is_some()).then(|| {
            view! { <p class="verdict__run">"Showing results for the last valid version"</p> }.into_any()
        }).into_any(),
    }}
    }
}

/// The verdict of each oracle and whether they agree; readings, target and engine.
fn facts(state: State, report: &Report) -> AnyView {
    let machine = report.machine.as_ref().map(|machine| {
        let title = "Hardware model (public, not measured)";
        let verdict = machine.verdict.clone();
        view! { <Oracle name="hardware model" title verdict/> {agreement(state, report)} }
            .into_any()
    });
    let depends = report.ambiguities.iter().map(|open| ("depends on", open.id.clone()));
    let under = report.readings.iter().map(|(id, choice)| ("under", format!("{id}={choice}")));
    let question = |(relation, name)| view! { <Question relation name/> }.into_any();
    let questions = depends.chain(under).map(question).collect_view();
    let verdict = verdict::shown(report).to_owned();
    view! {
        <ul class="chips" aria-label="Verdicts by oracle">
            <Oracle name="spec" title="The specification" verdict/>
            {machine}
            {report.compiler.as_ref().map(compiler)}
            {questions}
        </ul>
        <p class="verdict__how">
            <code>{report.target.clone()}</code>
            {verdict::reached(report)}
            {proof(state, report)}
        </p>
        {further(state, report)}
    }
    .into_any()
}

/// A button that searches further than the limit that ended the search, with the time that this may take here.
fn further(state: State, report: &Report) -> Option<AnyView> {
    let further = report.further?;
    if further.max_states > MOST_STATES {
        let text =
            format!("Search further with `tidegate check --max-states {}`", further.max_states);
        return Some(view! { <p class="verdict__run"><Prose text/></p> }.into_any());
    }
    let seconds = (report.stats.millis * further.times as f64 / 1000.0).ceil() as u64;
    let time = if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds / 60) };
    let says = format!("Up to {} times the work, about {time} here", further.times);
    Some(
        view! {
            <p class="verdict__further">
                <span>{says}</span>
                <button
                    class="button button--small"
                    type="button"
                    aria-disabled=move || aria(state.stale())
                    on:click=press(move || state.ask_within(Some(further.max_states)))
                >
                    "Search further"
                </button>
            </p>
        }
        .into_any(),
    )
}

/// Whether the specification and the hardware model agree, as a button that shows the model.
fn agreement(state: State, report: &Report) -> AnyView {
    let (word, title) = match report.machine_agrees() {
        Some(true) => ("agree", "The specification and the hardware model agree"),
        Some(false) => {
            ("differ", "The specification and the hardware model differ: step through the model")
        }
        None => ("open", "The search reached its limit: either verdict may change"),
    };
    // The hardware model has no memory, so it cannot report a race.
    let is_race = word == "agree" && report.execution_verdict() != report.verdict;
    let label = if is_race { "memory order not checked" } else { word };
    view! {
        <li>
            <button
                class="oracles__word"
                type="button"
                data-agree=word
                title=title
                aria-pressed=move || aria(state.execution.trace.with(Trace::of_machine))
                on:click=press(move || state.look_at_machine())
            >
                {label}
            </button>
        </li>
    }
    .into_any()
}

/// Which operations the compiler accepts.
fn compiler(compiler: &CompilerReport) -> AnyView {
    let title = format!(
        "Measured with LLVM {}: which operations it accepts. {}",
        compiler.version,
        compiler.notes.join(" ")
    );
    let (tone, word) = verdict::compiled(&compiler.verdict);
    view! {
        <li class="chip" data-tone=tone title=title data-compiler=compiler.verdict.clone()>
            <span class="chip__name">"compiler"</span>
            <Icon name=tone/>
            {word}
        </li>
    }
    .into_any()
}

/// That one run proves the verdict, with its certificate.
fn proof(state: State, report: &Report) -> Option<AnyView> {
    if report.engine != "fast" || !report.exhaustive || report.verdict == "unsupported" {
        return None;
    }
    let words = "proved by one run";
    let word = match browser::embedded() {
        true => view! { <span>{words}</span> }.into_any(),
        false => view! {
            <button
                class="verdict__proof"
                type="button"
                title="All schedules are equivalent: show the certificate"
                on:click=press(move || state.begin_work("certificate"))
            >
                {words}
            </button>
        }
        .into_any(),
    };
    Some(view! { " · " {word} }.into_any())
}

/// A reading that affects the verdict, and a link to it.
#[component]
fn Question(relation: &'static str, name: String) -> impl IntoView {
    let state = State::expect();
    match browser::embedded() {
        true => view! {
            <li class="chip"><span class="chip__name">{relation}</span>{name}</li>
        }
        .into_any(),
        false => view! {
            <li>
                <button
                    class="chip chip--open"
                    type="button"
                    on:click=press(move || state.show_tab(super::readings::PANEL.word))
                >
                    <span class="chip__name">{relation}</span>
                    {name}
                </button>
            </li>
        }
        .into_any(),
    }
}

/// The verdict of one oracle.
#[component]
fn Oracle(name: &'static str, title: &'static str, verdict: String) -> impl IntoView {
    let face = face(&verdict);
    view! {
        <li class="chip" data-tone=face.tone title=title>
            <span class="chip__name">{name}</span>
            <Icon name=face.tone/>
            {face.word}
        </li>
    }
}
