//! The text area over the same text in colour, with line numbers and marks, until the editor bundle has loaded.

use super::effect;
use super::keyed::{Each, key_of};
use crate::browser;
use crate::editing;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use crate::tint::{Piece, pieces};
use crate::verdict::face;
use leptos::html::{Div, Textarea};
use leptos::prelude::*;
use std::ops::Range;
use web_sys::Event;

/// Number of lines from which the text is shown without colour.
const COLOURED: usize = 4_000;

/// A visible line; its key is its whole appearance.
#[derive(Clone, Hash)]
struct Line {
    pieces: Vec<Piece>,
    mark: &'static str,
}

/// The editor.
#[component]
pub(crate) fn Editor(
    /// What is above it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let state = State::expect();
    let host = NodeRef::<Div>::new();
    view! {
        <section
            class="panel editor"
            class:editor--stale=move || state.stale()
            aria-label="Scenario"
            data-editor=move || if state.chrome.editor.get() { "whole" } else { "plain" }
        >
            {children.map(|children| children())}
            <div class="editor__place">
                {move || (!state.chrome.editor.get()).then(|| view! { <Plain host/> }.into_any())}
                <div
                    node_ref=host
                    class="editor__code"
                    on:written=move |_: Event| state.edit(editing::text())
                ></div>
            </div>
        </section>
    }
}

/// The text area and its coloured text.
#[component]
fn Plain(
    /// The place of the editor bundle.
    host: NodeRef<Div>,
) -> impl IntoView {
    let state = State::expect();
    let current = Memo::new(move |_| state.marked_line());
    let lines = move || {
        let current = current.get();
        state.document.text.with(|text| {
            let tints = state.tints(text);
            state.judgement.diagnostics.with(|problems| lines(text, &tints, problems, current))
        })
    };
    let area = NodeRef::<Textarea>::new();
    let is_writing = StoredValue::new(false);
    let mut was_written = false;
    effect(move || {
        let text = state.document.text.get();
        let Some(area) = area.get() else { return };
        is_writing.set_value(true);
        browser::write(&area, &text, std::mem::replace(&mut was_written, true));
        is_writing.set_value(false);
    });
    if !browser::fixed() {
        await_editor(state, host, area);
    }
    view! {
        <div class="editor__scroll" role="presentation">
            <div class="editor__sheet">
                <div class="editor__lines" aria-hidden="true">
                    <Each each=lines key=key_of children=line/>
                </div>
                <textarea
                    node_ref=area
                    class="editor__text"
                    id="scenario"
                    aria-label="Scenario text"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    readonly=browser::fixed()
                    wrap="off"
                    on:input=move |event| {
                        if !is_writing.get_value() {
                            state.edit(event_target_value(&event));
                        }
                    }
                ></textarea>
            </div>
        </div>
    }
}

/// Mounts the editor bundle instead of the text area once the engine has loaded. If the bundle cannot be loaded, the text
/// area stays.
fn await_editor(state: State, host: NodeRef<Div>, area: NodeRef<Textarea>) {
    let mut first = Some(state.document.text.get_untracked());
    effect(move || {
        let (true, Some(host), Some(area)) = (state.chrome.engine.get(), host.get(), area.get())
        else {
            return;
        };
        let Some(first) = first.take() else { return };
        leptos::task::spawn_local(async move {
            if editing::mount(&host, &area, &first).await.is_ok() {
                state.chrome.editor.set(true);
                follow(state);
            }
        });
    });
}

/// Makes the editor follow the text, its problems and the current step.
fn follow(state: State) {
    let owner = Owner::new();
    owner.with(|| {
        effect(move || state.document.text.with(|text| editing::write(text)));
        effect(move || mark(state));
        let current = Memo::new(move |_| state.marked_line());
        effect(move || editing::step(current.get()));
    });
    // The subscription lasts as long as the page.
    std::mem::forget(owner);
}

/// Shows the problems of the text and the lines of findings.
fn mark(state: State) {
    state.judgement.diagnostics.with(|problems| {
        for problem in problems {
            let (start, end) = state.units(problem.offset as usize, problem.length as usize);
            let (hint, replacement) = (&problem.suggestion, &problem.replacement);
            let (hint, replacement) = (hint.as_deref(), replacement.as_deref());
            editing::problem(start, end, &problem.severity, &problem.message, hint, replacement);
        }
    });
    if let Some(report) = state.judgement.report.get().filter(|_| state.judgement.valid.get()) {
        for finding in &report.findings {
            let line = finding.line.unwrap_or_default();
            editing::fault(line, face(&finding.class).tone, &finding.message);
        }
    }
    editing::mark();
}

fn line(line: Line) -> AnyView {
    let expects = line.pieces.first().is_some_and(|first| first.text.starts_with("expect"));
    let piece = |piece: Piece| match piece.tint.is_empty() && !piece.marked {
        true => piece.text.into_any(),
        false => {
            let class = format!("t-{}", piece.tint);
            view! { <span class=class class:t-marked=piece.marked>{piece.text}</span> }.into_any()
        }
    };
    view! {
        <div class="line" class:line--expect=expects data-mark=line.mark>
            {line.pieces.into_iter().map(piece).collect_view()}
            "\n"
        </div>
    }
    .into_any()
}

/// Splits a text into lines with their marks.
fn lines(text: &str, mut tints: &[u32], problems: &[ReportDiagnostic], current: u32) -> Vec<Line> {
    let plain = text.lines().count() > COLOURED;
    let mut start = 0;
    text.split('\n')
        .enumerate()
        .map(|(index, content)| {
            let number = index as u32 + 1;
            let here: Vec<&ReportDiagnostic> =
                problems.iter().filter(|problem| problem.line == number).collect();
            let mark = mark_of(&here, number == current);
            let ranges: Vec<Range<usize>> =
                here.iter().map(|problem| range(problem, content)).collect();
            let pieces = match plain {
                true => vec![Piece { text: content.to_owned(), tint: "", marked: false }],
                false => pieces(content, start, &mut tints, &ranges),
            };
            start += content.encode_utf16().count() as u32 + 1;
            Line { pieces, mark }
        })
        .collect()
}

fn mark_of(problems: &[&ReportDiagnostic], current: bool) -> &'static str {
    if problems.iter().any(|problem| problem.severity == "error") {
        "error"
    } else if !problems.is_empty() {
        "warning"
    } else if current {
        "current"
    } else {
        ""
    }
}

/// Returns the characters that a diagnostic covers, at least one.
fn range(problem: &ReportDiagnostic, line: &str) -> Range<usize> {
    let start = (problem.column as usize).saturating_sub(1);
    let bytes: usize = line.chars().take(start).map(char::len_utf8).sum();
    let end = line.len().min(bytes + problem.length as usize);
    let length = line.get(bytes..end).map_or(1, |part| part.chars().count());
    start..start + length.max(1)
}
