//! The worker: receives requests, checks them and answers.

use crate::pages::{targets, work};
use crate::{front, judge};
use gloo::events::EventListener;
use js_sys::{Date, Uint8Array};
use protocol::{Answer, Found, Held, Question, Request, Survey, pack, statements, unpack};
use tidegate_check::lang::compiled::Language;
use tidegate_check::model::rule::RuleId;
use tidegate_check::report::{Finding, Report};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, Event, MessageEvent};

/// Interval of progress reports, in milliseconds.
const PROGRESS_EVERY: f64 = 80.0;

/// Time after which the results of a short search are sent while a long check runs, in milliseconds.
const LONG: f64 = 300.0;

/// Starts listening.
pub(crate) fn run() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let answers = scope.clone();
    let listener = EventListener::new(&scope, "message", move |event: &Event| {
        let message = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
        if let Some(request) = message.and_then(read) {
            let answers = answers.clone();
            spawn_local(async move {
                if Language::of(&request.text).is_some() && !front::is_loaded() {
                    front::load().await;
                }
                answer(&answers, &request);
            });
        }
    });
    listener.forget();
    post(&scope, &Answer::Ready);
}

/// Answers a request and reports progress. The page cancels by terminating the worker.
fn answer(scope: &DedicatedWorkerGlobalScope, request: &Request) {
    let (seq, start) = (request.seq, Date::now());
    let (text, terms) = (request.text.as_str(), &request.terms);
    // While a longer search runs, the page shows the findings of the usual one.
    let waits = request.question == Question::Check && terms.max_states.is_none();
    let (mut reported_at, mut waited) = (start, waits);
    let mut tell = |progress: judge::Progress| {
        let now = Date::now();
        if waited && now - start >= LONG {
            waited = false;
            let found = judge::glimpse(text, terms);
            found.into_iter().for_each(|it| done(scope, seq, reported(it, start), true));
        }
        if now - reported_at >= PROGRESS_EVERY {
            reported_at = now;
            post(
                scope,
                &Answer::Progress { seq, states: progress.states, frontier: progress.frontier },
            );
        }
        true
    };
    let found = match &request.question {
        Question::Check => {
            let report = judge::check(text, terms, &mut tell);
            reported(report, start)
        }
        Question::Row => Found::Row(judge::row(text, terms, &mut tell)),
        Question::Job(job) => Found::DocumentPage(Box::new(work(job, text, terms, &mut tell))),
        Question::Survey { matrix } => {
            let held = judge::expectations(text, terms, &mut tell);
            let matrix = matrix.then(|| judge::matrix(text, terms, &mut tell)).flatten();
            let matrix = matrix.map(|matrix| {
                targets::cells(&matrix, judge::target(text, terms), judge::is_alone(text))
            });
            let held = held.into_iter().map(Held::from).collect();
            Found::Survey(Box::new(Survey { held, matrix }))
        }
    };
    done(scope, seq, found, false);
}

/// Sets the time since the start of the search in a report.
fn reported(mut report: Report, start: f64) -> Found {
    report.stats.millis = Date::now() - start;
    // Every correct producer starts with such a wait. It is worth a remark only as a cause of something else.
    if report.verdict == "ok" {
        report.findings.retain(|it| it.rule != RuleId::PtxMbarrierFirstParity.get().id);
    }
    refer(&mut report.findings);
    let statements = statements(&report);
    Found::Report(Box::new(report.into()), statements)
}

/// Replaces what a finding says with the rule of an earlier one that says the same.
fn refer(findings: &mut [Finding]) {
    for at in 1..findings.len() {
        let (before, own) = findings.split_at_mut(at);
        let own = &mut own[0];
        if let Some(same) = before.iter().find(|it| it.message == own.message) {
            own.message = ["as under `", &same.rule, "`"].concat();
            own.because.clear();
            (own.remedy, own.fix) = (None, None);
        }
    }
}

fn done(scope: &DedicatedWorkerGlobalScope, seq: u32, found: Found, more: bool) {
    post(scope, &Answer::Done { seq, found, more });
}

fn post(scope: &DedicatedWorkerGlobalScope, answer: &Answer) {
    // Sending fails only if the page is gone.
    let _ = scope.post_message(&Uint8Array::from(pack(answer).as_slice()));
}

fn read(message: JsValue) -> Option<Request> {
    unpack(&message.dyn_into::<Uint8Array>().ok()?.to_vec())
}
