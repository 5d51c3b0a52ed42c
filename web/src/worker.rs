//! The worker: takes requests, checks them, answers.

use crate::engine;
use crate::message::{Answer, Request, pack, unpack};
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

/// Checks, telling now and then how far it is. To be cancelled, the worker is terminated.
fn answer(scope: &DedicatedWorkerGlobalScope, request: &Request) {
    let (seq, start) = (request.seq, Date::now());
    let mut told = start;
    let mut report = engine::check(&request.text, request.target.as_deref(), &mut |progress| {
        let now = Date::now();
        if now - told >= PROGRESS_EVERY {
            told = now;
            post(
                scope,
                &Answer::Progress { seq, states: progress.states, frontier: progress.frontier },
            );
        }
        true
    });
    report.stats.millis = Date::now() - start;
    post(scope, &Answer::Done { seq, report: Box::new(report) });
}

fn post(scope: &DedicatedWorkerGlobalScope, answer: &Answer) {
    // A worker whose page is gone has nobody to tell.
    let _ = scope.post_message(&pack(answer));
}
