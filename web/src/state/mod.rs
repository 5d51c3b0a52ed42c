//! The state of the page: four structs of signals. The adjacent modules change it.

mod beside;
mod checking;
mod chrome;
mod document;
mod execution;
mod judgement;
mod panels;
pub(crate) mod relating;
mod scenarios;
mod sharing;
mod stepping;
mod survey;
mod touring;
mod visiting;
mod working;

pub(crate) use chrome::{Chrome, Dialog, Notice};
pub(crate) use document::{Document, Input};
pub(crate) use execution::Execution;
pub(crate) use judgement::Judgement;
pub(crate) use scenarios::Scenario;
pub(crate) use touring::{STAGES, Stage};
pub(crate) use working::Work;

use crate::browser;
use crate::checker::Checker;
use crate::engine::Terms;
use crate::recording::Recording;
use crate::trace::Trace;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use protocol::{Ask, Statement};
use wasm_bindgen::JsValue;

/// The state of the page. Cheap to copy: every part is a handle.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// What the reader writes and chooses.
    pub document: Document,
    /// What the engine says of it.
    pub judgement: Judgement,
    /// The execution that is stepped through.
    pub execution: Execution,
    /// Everything else that is visible.
    pub chrome: Chrome,
    tools: StoredValue<Tools, LocalStorage>,
}

/// Internal data of the state that no component observes.
#[derive(Default)]
struct Tools {
    /// The compiled engine, for workers.
    module: Option<JsValue>,
    checker: Option<Checker>,
    surveyor: Option<Checker>,
    /// The worker for long jobs.
    job: Option<Checker>,
    /// The original version of the text.
    opened: String,
    /// Whether the report belongs to another scenario.
    turned: bool,
    /// Whether the text is another one than the report's.
    replaced: bool,
    /// Largest number of states of the last check; `None` for the usual one.
    max_states: Option<u64>,
    /// Whether the last change of the text was a key.
    typed: bool,
    /// The timer after which errors of typed text replace its results.
    late: Option<Timeout>,
    /// The timer of the next survey.
    due: Option<Timeout>,
    /// The input open in the engine; `None` if there is nothing to step through.
    stepped: Option<Input>,
    /// Whether that text has expectations.
    expects: bool,
    /// Whether the reader chose the steps of the specification's execution; otherwise the page shows them, and they follow the
    /// verdict.
    chosen: bool,
    /// The recorded execution, shown before the engine has loaded.
    recording: Option<Recording>,
    /// The recorded text, if it is visible, and its colours.
    tints: (String, Vec<u32>),
    /// The statements of the rules in the report.
    statements: Vec<Statement>,
    /// Requests made before the engine has loaded.
    queued: Vec<Ask>,
    /// Steps to load once the text is checked, the number of them to perform, and whether they are on the hardware model.
    pending: Option<(Vec<String>, usize, bool)>,
    /// Number of performed steps of the specification's execution when the machine replaced it.
    left: usize,
    /// The verdict in a link, until compared.
    recorded: Option<String>,
    /// The version in the link.
    version: String,
    /// Whether the scenario came from a link and is unedited: it is then not stored.
    borrowed: bool,
    save: Option<Timeout>,
    /// The timer of playback.
    tick: Option<Timeout>,
    /// The finding whose witness was shown last.
    finding: usize,
    /// Whether the engine has the library.
    shelved: bool,
    /// The fragment of the playground.
    address: String,
}

impl State {
    /// An empty page.
    pub(crate) fn new() -> Self {
        let document = Document::new();
        Self {
            document,
            judgement: Judgement::new(document),
            execution: Execution::new(),
            chrome: Chrome::new(),
            tools: StoredValue::new_local(Tools::default()),
        }
    }

    /// Starts or ends presentation mode.
    pub(crate) fn present(self) {
        let begins = !self.chrome.presented.get_untracked();
        browser::set_presented(begins);
        self.chrome.presented.set(begins);
    }

    /// Returns the state that all components share.
    pub(crate) fn expect() -> Self {
        expect_context()
    }

    /// Returns the terms of the check, untracked.
    fn terms(self) -> Terms {
        self.document.input.with_untracked(|input| input.terms.clone())
    }

    /// Whether the report belongs to another text or target than the current one.
    pub(crate) fn stale(self) -> bool {
        self.judgement.stale.get()
    }

    /// Whether the text is empty.
    pub(crate) fn is_blank(self) -> bool {
        self.document.text.with(|text| text.trim().is_empty())
    }

    /// Whether the report belongs to the current text and target, untracked.
    fn current(self) -> bool {
        !self.judgement.stale.get_untracked()
    }

    /// Returns where a line of compiled code comes from, by its debug information, untracked.
    pub(crate) fn source_of(self, line: Option<u32>) -> Option<String> {
        self.judgement.report.with_untracked(|report| {
            let all = report.iter().flat_map(|report| &report.compiled_from);
            let from = all.into_iter().find(|from| Some(from.line) == line)?;
            Some(format!("{}:{}", from.file, from.source_line))
        })
    }

    /// Returns the line of the last performed step; 0 without one.
    pub(crate) fn current_line(self) -> u32 {
        let last = |trace: &Trace| trace.performed().last().map_or(0, |step| step.line);
        self.execution.trace.with(last)
    }

    /// Returns the line of the current text that the editor marks: the first wait that never returns if no agent can continue,
    /// otherwise the last performed step; 0 without one.
    pub(crate) fn marked_line(self) -> u32 {
        if !self.judgement.valid.get() {
            return 0;
        }
        let stuck = self.execution.trace.with(|trace| {
            trace.view.as_ref().filter(|view| view.state == "stuck")?;
            let blocked = trace.agents().iter().find(|agent| agent.status == "blocked")?;
            blocked.moves.first().map(|step| step.line).filter(|line| *line > 0)
        });
        stuck.unwrap_or_else(|| self.current_line())
    }

    fn tell(self, error: bool, text: impl Into<String>) {
        self.chrome.notice.set(Some(Notice {
            error,
            text: text.into(),
            back: false,
            recorded: None,
        }));
    }
}

/// Runs a closure now and when a signal that it read changes, until the current owner ends. An [`Effect`] would run first
/// after the page is drawn.
fn follow(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    StoredValue::new_local(RenderEffect::new(move |_: Option<()>| run()));
}
