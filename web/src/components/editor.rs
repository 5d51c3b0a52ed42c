//! The editor: a text area over the same text in colour, with numbers and marks.

use crate::browser;
use crate::dom::*;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use crate::tint::{Piece, pieces, tints};
use leptos::prelude::*;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlTextAreaElement};

/// From how many lines on the text is shown without colour.
const COLOURED: usize = 4_000;

/// A line as shown; its key is all that it looks like.
#[derive(PartialEq, Eq, Hash)]
struct Line {
    pieces: Vec<Piece>,
    mark: &'static str,
}

/// The editor.
pub(super) fn editor() -> El {
    let state = State::expect();
    let current = Memo::new(move |_| if state.valid.get() { state.current_line() } else { 0 });
    let lines = move || {
        let current = current.get();
        state.text.with(|text| state.diagnostics.with(|problems| lines(text, problems, current)))
    };
    section("panel editor")
        .toggle("editor--stale", move || state.stale())
        .attr("aria-label", "Scenario")
        .with(div("editor__scroll").attr("role", "presentation").with(div("editor__sheet").with((
            div("editor__lines").attr("aria-hidden", "true").with(keyed(lines)),
            area(state),
        ))))
}

/// The text area; it follows the text, and the text follows it.
fn area(state: State) -> El {
    let area = textarea("editor__text")
        .attr("id", "scenario")
        .attr("aria-label", "Scenario text")
        .attr("spellcheck", "false")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("wrap", "off");
    let field: HtmlTextAreaElement = area.element().unchecked_into();
    let writing = Rc::new(Cell::new(false));
    let (ours, mut undoable) = (writing.clone(), false);
    effect(Box::new(move || {
        let text = state.text.get();
        ours.set(true);
        browser::write(&field, &text, std::mem::replace(&mut undoable, true));
        ours.set(false);
    }));
    area.on("input", move |event: Event| {
        if !writing.get() {
            state.edit(value_of(&event));
        }
    })
}

fn line(line: Line) -> El {
    let piece = |piece: &Piece| {
        let mut shown = Group::new();
        match piece.tint.is_empty() && !piece.marked {
            true => shown.add(&*piece.text),
            false => shown.add(tinted(piece)),
        }
        shown
    };
    let pieces = all(line.pieces.iter().map(piece));
    div("line").attr("data-mark", line.mark).with((pieces, "\n"))
}

fn tinted(piece: &Piece) -> El {
    span(&format!("t-{}", piece.tint)).class("t-marked", piece.marked).with(&*piece.text)
}

/// The lines of a text with what is to be marked in them.
fn lines(text: &str, problems: &[ReportDiagnostic], current: u32) -> Vec<Entry> {
    let plain = text.lines().count() > COLOURED;
    let tints = if plain { Vec::new() } else { tints(text) };
    let mut start = 0;
    text.split('\n')
        .enumerate()
        .map(|(index, content)| {
            let number = index as u32 + 1;
            let here: Vec<&ReportDiagnostic> =
                problems.iter().filter(|problem| problem.line == number).collect();
            let mark = mark(&here, number == current);
            let ranges: Vec<Range<usize>> =
                here.iter().map(|problem| range(problem, content)).collect();
            let pieces = match plain {
                true => vec![Piece { text: content.to_owned(), tint: "", marked: false }],
                false => pieces(content, start, &tints, &ranges),
            };
            start += content.len() + 1;
            Entry::of(Line { pieces, mark }, line)
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
