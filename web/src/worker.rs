//! The worker: takes requests, checks them, answers.

use crate::engine;
use crate::message::{Answer, Found, Held, Question, Request, Survey, pack, unpack};
use gloo::events::EventListener;
use js_sys::Date;
use wasm_bindgen::JsCast;
use web_sys::{DedicatedWorkerGlobalScope, Event, MessageEvent};

/// Milliseconds between two reports of progress.
const PROGRESS_EVERY: f64 = 80.0;

/// Starts listening.
pub(crate) fn run() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let answers = scope.clone();
    let listener = EventListener::new(&scope, "message", move |event: &Event| {
        let message = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
        if let Some(request) = message.and_then(unpack::<Request>) {
            answer(&answers, &request);
        }
    });
    listener.forget();
    post(&scope, &Answer::Ready);
}

/// Answers, telling now and then how far it is. To be cancelled, the worker is terminated.
fn answer(scope: &DedicatedWorkerGlobalScope, request: &Request) {
    let (seq, start) = (request.seq, Date::now());
    let mut told = start;
    let (text, terms) = (request.text.as_str(), &request.terms);
    let mut tell = |progress: engine::Progress| {
        let now = Date::now();
        if now - told >= PROGRESS_EVERY {
            told = now;
            post(
                scope,
                &Answer::Progress { seq, states: progress.states, frontier: progress.frontier },
            );
        }
        true
    };
    let found = match request.question {
        Question::Check => {
            let mut report = engine::check(text, terms, &mut tell);
            report.stats.millis = Date::now() - start;
            Found::Report(Box::new(report))
        }
        Question::Survey { matrix } => {
            let held = engine::expectations(text, terms, &mut tell);
            let matrix = matrix.then(|| engine::matrix(text, terms, &mut tell)).flatten();
            let held = held.into_iter().map(Held::from).collect();
            Found::Survey(Box::new(Survey { held, matrix }))
        }
    };
    post(scope, &Answer::Done { seq, found });
}

fn post(scope: &DedicatedWorkerGlobalScope, answer: &Answer) {
    // A worker whose page is gone has nobody to tell.
    let _ = scope.post_message(&pack(answer));
}
