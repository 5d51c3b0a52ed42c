//! The editor: a text area over the same text in colour, with numbers and marks.

use super::keyed::{Entry, keyed};
use crate::browser;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use crate::tint::{Piece, pieces, tints};
use leptos::html;
use leptos::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// From how many lines on the text is shown without colour.
const COLOURED: usize = 4_000;

/// A line as shown; its key is all that it looks like, and how many lines like it stand above it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Line {
    pieces: Vec<Piece>,
    mark: &'static str,
    again: usize,
}

/// The editor.
#[component]
pub(crate) fn Editor() -> impl IntoView {
    let state = State::expect();
    let current = Memo::new(move |_| if state.valid.get() { state.current_line() } else { 0 });
    let lines = move || {
        let (current, text) = (current.get(), state.text.get());
        let lines = state.diagnostics.with(|problems| lines(&text, problems, current));
        lines.into_iter().map(|shown| Entry::new(&shown.clone(), move || line(shown))).collect()
    };
    let area = NodeRef::<html::Textarea>::new();
    let writing = Rc::new(Cell::new(false));
    let ours = writing.clone();
    Effect::new(move |written: Option<bool>| {
        let text = state.text.get();
        let Some(area) = area.get() else { return false };
        ours.set(true);
        browser::write(&area, &text, written == Some(true));
        ours.set(false);
        true
    });
    let typed = move |event| {
        if !writing.get() {
            state.edit(event_target_value(&event));
        }
    };
    any! {
        <section class="panel editor" class:editor--stale=move || state.stale() aria-label="Scenario">
            <div class="editor__scroll" role="presentation">
                <div class="editor__sheet">
                    <div class="editor__lines" aria-hidden="true">
                        {keyed(lines)}
                    </div>
                    <textarea
                        id="scenario"
                        class="editor__text"
                        aria-label="Scenario text"
                        spellcheck="false"
                        autocomplete="off"
                        autocapitalize="off"
                        wrap="off"
                        node_ref=area
                        on:input=typed
                    ></textarea>
                </div>
            </div>
        </section>
    }
}

fn line(line: Line) -> AnyView {
    let piece = |piece: Piece| {
        if piece.tint.is_empty() && !piece.marked {
            return piece.text.into_any();
        }
        any! { <span class=format!("t-{}", piece.tint) class:t-marked=piece.marked>{piece.text}</span> }.into_any()
    };
    any! { <div class="line" data-mark=line.mark>{line.pieces.into_iter().map(piece).collect_view()}"\n"</div> }
}

/// The lines of a text with what is to be marked in them.
fn lines(text: &str, problems: &[ReportDiagnostic], current: u32) -> Vec<Line> {
    let plain = text.lines().count() > COLOURED;
    let tints = if plain { Vec::new() } else { tints(text) };
    let mut start = 0;
    let mut seen: HashMap<(&str, &'static str), usize> = HashMap::new();
    text.split('\n')
        .enumerate()
        .map(|(index, content)| {
            let number = index as u32 + 1;
            let here: Vec<&ReportDiagnostic> =
                problems.iter().filter(|problem| problem.line == number).collect();
            let mark = mark(&here, number == current);
            let again = seen.entry((content, mark)).or_default();
            *again += 1;
            let ranges: Vec<Range<usize>> =
                here.iter().map(|problem| range(problem, content)).collect();
            let pieces = match plain {
                true => vec![Piece { text: content.to_owned(), tint: "", marked: false }],
                false => pieces(content, start, &tints, &ranges),
            };
            start += content.len() + 1;
            Line { pieces, mark, again: *again }
        })
        .collect()
}

fn mark(problems: &[&ReportDiagnostic], current: bool) -> &'static str {
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

/// The characters that a diagnostic is about, at least one.
fn range(problem: &ReportDiagnostic, line: &str) -> Range<usize> {
    let start = (problem.column as usize).saturating_sub(1);
    let bytes: usize = line.chars().take(start).map(char::len_utf8).sum();
    let end = line.len().min(bytes + problem.length as usize);
    let length = line.get(bytes..end).map_or(1, |part| part.chars().count());
    start..start + length.max(1)
}
