//! The text area over the same text in colour, with line numbers and marks, until the editor bundle has loaded.

use crate::browser;
use crate::dom::*;
use crate::editing;
use crate::engine::ReportDiagnostic;
use crate::state::State;
use crate::tint::{Piece, pieces};
use crate::verdict::face;
use leptos::prelude::*;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlTextAreaElement};

/// Number of lines from which the text is shown without colour.
const COLOURED: usize = 4_000;

/// A visible line; its key is its whole appearance.
#[derive(PartialEq, Eq, Hash)]
struct Line {
    pieces: Vec<Piece>,
    mark: &'static str,
}

/// The editor, below another element.
pub(crate) fn editor(over: impl Show) -> El {
    let state = State::expect();
    let host = div("editor__code").on("written", move |_| state.edit(editing::text()));
    let place = host.element();
    section("panel editor")
        .toggle("editor--stale", move || state.stale())
        .attr("aria-label", "Scenario")
        .bind("data-editor", move || if state.editor.get() { "whole" } else { "plain" })
        .with((over, div("editor__place").with((move || plain(state, &place), host))))
}

/// The text area and its coloured text; nothing once the editor bundle is mounted.
fn plain(state: State, place: &HtmlElement) -> Option<El> {
    if state.editor.get() {
        return None;
    }
    let current = Memo::new(move |_| state.marked_line());
    let lines = move || {
        let current = current.get();
        state.text.with(|text| {
            let tints = state.tints(text);
            state.diagnostics.with(|problems| lines(text, &tints, problems, current))
        })
    };
    let (area, field) = area(state);
    if !browser::fixed() {
        await_editor(state, place.clone(), field);
    }
    Some(
        div("editor__scroll").attr("role", "presentation").with(
            div("editor__sheet")
                .with((div("editor__lines").attr("aria-hidden", "true").with(keyed(lines)), area)),
        ),
    )
}

/// The text area, which the text follows and which follows the text.
fn area(state: State) -> (El, HtmlTextAreaElement) {
    let area = textarea("editor__text")
        .attr("id", "scenario")
        .attr("aria-label", "Scenario text")
        .attr("spellcheck", "false")
        .attr("autocomplete", "off")
        .attr("autocapitalize", "off")
        .attr("readonly", browser::fixed())
        .attr("wrap", "off");
    let field: HtmlTextAreaElement = area.element().unchecked_into();
    let writing = Rc::new(Cell::new(false));
    let (ours, written, mut undoable) = (writing.clone(), field.clone(), false);
    effect(Box::new(move || {
        let text = state.text.get();
        ours.set(true);
        browser::write(&written, &text, std::mem::replace(&mut undoable, true));
        ours.set(false);
    }));
    let area = area.on("input", move |event: Event| {
        if !writing.get() {
            state.edit(value_of(&event));
        }
    });
    (area, field)
}

/// Mounts the editor bundle instead of the text area once the engine has loaded. If the bundle cannot be loaded, the text
/// area stays.
fn await_editor(state: State, host: HtmlElement, area: HtmlTextAreaElement) {
    let mut waiting = Some((host, area, state.text.get_untracked()));
    effect(Box::new(move || {
        let Some((host, area, first)) = waiting.take_if(|_| state.engine.get()) else { return };
        leptos::task::spawn_local(async move {
            if editing::mount(&host, &area, &first).await.is_ok() {
                state.editor.set(true);
                follow(state);
            }
        });
    }));
}

/// Makes the editor follow the text, its problems and the current step.
fn follow(state: State) {
    let owner = Owner::new();
    owner.with(|| {
        effect(Box::new(move || state.text.with(|text| editing::write(text))));
        effect(Box::new(move || mark(state)));
        let current = Memo::new(move |_| state.marked_line());
        effect(Box::new(move || editing::step(current.get())));
    });
    // The subscription lasts as long as the page.
    std::mem::forget(owner);
}

/// Shows the problems of the text and the lines of findings.
fn mark(state: State) {
    state.diagnostics.with(|problems| {
        for problem in problems {
            let (start, end) = state.units(problem.offset as usize, problem.length as usize);
            let (hint, replacement) = (&problem.suggestion, &problem.replacement);
            let (hint, replacement) = (hint.as_deref(), replacement.as_deref());
            editing::problem(start, end, &problem.severity, &problem.message, hint, replacement);
        }
    });
    if let Some(report) = state.report.get().filter(|_| state.valid.get()) {
        for finding in &report.findings {
            let line = finding.line.unwrap_or_default();
            editing::fault(line, face(&finding.class).tone, &finding.message);
        }
    }
    editing::mark();
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
    let expects = line.pieces.first().is_some_and(|first| first.text.starts_with("expect"));
    div("line").class("line--expect", expects).attr("data-mark", line.mark).with((pieces, "\n"))
}

fn tinted(piece: &Piece) -> El {
    span(&format!("t-{}", piece.tint)).class("t-marked", piece.marked).with(&*piece.text)
}

/// Splits a text into lines with their marks.
fn lines(text: &str, mut tints: &[u32], problems: &[ReportDiagnostic], current: u32) -> Vec<Entry> {
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
            Entry::of(Line { pieces, mark }, line)
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
