//! The page's connection to the worker: one request runs, at most one is queued, and a newer request replaces it.

use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use js_sys::Uint8Array;
use protocol::{Answer, Found, Question, Request, Terms, pack, unpack};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// How long an obsolete check may continue, in milliseconds.
const PATIENCE: u32 = 40;
/// Number of consecutive worker failures after which no new worker is started.
const FAILURES: u8 = 3;
/// Time after which a check counts as long, in milliseconds.
const LONG: u32 = 300;
/// Time between two reports of the time of a long check, in milliseconds.
const SECOND: u32 = 1000;

/// An event of the newest request.
pub(crate) enum Heard {
    /// The check is long; the number of states so far, and its time in seconds.
    Long(u64, u32),
    /// A result, and whether it is complete.
    Found(Found, bool),
    /// The worker failed.
    Broken,
}

/// Sends requests to the worker. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Checker(Rc<RefCell<Inner>>);

struct Inner {
    engine: Option<JsValue>,
    worker: Option<(Worker, [EventListener; 2])>,
    ready: bool,
    running: Option<Request>,
    waiting: Option<Request>,
    seq: u32,
    long: bool,
    /// The time of the newest request so far, in seconds.
    seconds: u32,
    failures: u8,
    patience: Option<Timeout>,
    reveal: Option<Timeout>,
    hear: Rc<dyn Fn(Heard)>,
}

impl Checker {
    /// Answers nothing before the engine has loaded. `hear` receives only events of the newest request.
    pub(crate) fn new(hear: impl Fn(Heard) + 'static) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            engine: None,
            worker: None,
            ready: false,
            running: None,
            waiting: None,
            seq: 0,
            long: false,
            seconds: 0,
            failures: 0,
            patience: None,
            reveal: None,
            hear: Rc::new(hear),
        })))
    }

    /// Starts a worker, which takes the queued request. Call this when the engine has loaded.
    pub(crate) fn begin(&self, engine: JsValue) {
        self.0.borrow_mut().engine = Some(engine);
        self.respawn();
    }

    /// Sends a request about a text and drops earlier ones.
    pub(crate) fn ask(&self, question: Question, text: String, terms: Terms) {
        let mut inner = self.0.borrow_mut();
        inner.seq += 1;
        inner.long = false;
        inner.seconds = 0;
        inner.waiting = Some(Request { seq: inner.seq, text, terms, question });
        let (slow, stale) = (self.clone(), self.clone());
        inner.reveal = Some(Timeout::new(LONG, move || slow.reveal()));
        inner.patience =
            inner.running.is_some().then(|| Timeout::new(PATIENCE, move || stale.respawn()));
        inner.send();
    }

    /// Replaces the listener.
    pub(crate) fn hear(&self, hear: impl Fn(Heard) + 'static) {
        self.0.borrow_mut().hear = Rc::new(hear);
    }

    /// Cancels the newest request.
    pub(crate) fn cancel(&self) {
        {
            let mut inner = self.0.borrow_mut();
            inner.waiting = None;
            inner.settle();
        }
        self.respawn();
    }

    /// Replaces the worker. Its current request is lost; the queued one is sent to the new worker.
    fn respawn(&self) {
        let mut inner = self.0.borrow_mut();
        if let Some((worker, _)) = inner.worker.take() {
            worker.terminate();
        }
        inner.ready = false;
        inner.running = None;
        inner.patience = None;
        let engine = inner.engine.clone().filter(|_| inner.failures < FAILURES);
        inner.worker = engine.and_then(|engine| spawn(self, &engine));
    }

    /// Reports a long check, and again after each second.
    fn reveal(&self) {
        let (hear, seconds) = {
            let mut inner = self.0.borrow_mut();
            inner.seconds += u32::from(inner.long);
            inner.long = true;
            let slow = self.clone();
            inner.reveal = Some(Timeout::new(SECOND, move || slow.reveal()));
            (inner.hear.clone(), inner.seconds)
        };
        hear(Heard::Long(0, seconds));
    }

    fn receive(&self, answer: Answer) {
        let (hear, heard) = {
            let mut inner = self.0.borrow_mut();
            let heard = inner.take(answer);
            inner.send();
            (inner.hear.clone(), heard)
        };
        if let Some(heard) = heard {
            hear(heard);
        }
    }

    fn fail(&self) {
        let (hear, newest) = {
            let mut inner = self.0.borrow_mut();
            inner.failures += 1;
            let newest = inner.waiting.is_none() || inner.failures == FAILURES;
            if newest {
                inner.settle();
            }
            (inner.hear.clone(), newest)
        };
        self.respawn();
        if newest {
            hear(Heard::Broken);
        }
    }
}

impl Inner {
    /// Sends the queued request if the worker is idle.
    fn send(&mut self) {
        let Some((worker, _)) = &self.worker else { return };
        if !self.ready || self.running.is_some() {
            return;
        }
        if let Some(request) = self.waiting.take() {
            let sent = worker.post_message(&Uint8Array::from(pack(&request).as_slice()));
            self.running = sent.is_ok().then_some(request);
        }
    }

    /// Interprets an answer for the newest request; `None` if it belongs to an older one.
    fn take(&mut self, answer: Answer) -> Option<Heard> {
        match answer {
            Answer::Ready => {
                self.ready = true;
                None
            }
            Answer::Progress { seq, states, .. } => {
                (seq == self.seq && self.long).then_some(Heard::Long(states, self.seconds))
            }
            Answer::Done { seq, found, more: true } => {
                (seq == self.seq).then_some(Heard::Found(found, false))
            }
            Answer::Done { seq, found, .. } => {
                self.running = None;
                self.patience = None;
                self.failures = 0;
                let newest = seq == self.seq;
                if newest {
                    self.settle();
                }
                newest.then_some(Heard::Found(found, true))
            }
        }
    }

    /// Marks the newest request as done.
    fn settle(&mut self) {
        self.reveal = None;
        self.long = false;
    }
}

/// A worker that runs the engine.
fn spawn(checker: &Checker, engine: &JsValue) -> Option<(Worker, [EventListener; 2])> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options("./worker.js", &options).ok()?;
    worker.post_message(engine).ok()?;
    let (answers, failures) = (checker.clone(), checker.clone());
    let message = EventListener::new(&worker, "message", move |event: &Event| {
        let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
        if let Some(answer) = data.and_then(read) {
            answers.receive(answer);
        }
    });
    let error = EventListener::new(&worker, "error", move |_| failures.fail());
    Some((worker, [message, error]))
}

fn read(message: JsValue) -> Option<Answer> {
    unpack(&message.dyn_into::<Uint8Array>().ok()?.to_vec())
}
