//! The state of the page as one struct of signals. The adjacent modules change it.

mod beside;
mod checking;
mod panels;
mod relating;
mod scenarios;
mod sharing;
mod stepping;
mod survey;
mod touring;
mod visiting;
mod working;

pub(crate) use relating::Relating;
pub(crate) use scenarios::{Scenario, called};

pub(crate) use touring::{STAGES, Stage};
pub(crate) use working::Work;

use crate::browser;
use crate::checker::Checker;
use crate::engine::{About, Report, ReportDiagnostic, Terms};
use crate::fold::{self, Lanes};
use crate::library::Library;
use crate::rails::{self, Rails};
use crate::recording::Recording;
use crate::trace::Trace;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Ask, Statement, Survey};
use std::collections::BTreeSet;
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// The state of the page. Cheap to copy: every part is a handle.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// The open scenarios.
    pub scenarios: RwSignal<Vec<Scenario>>,
    /// The number of the visible one; 0 if there is none yet.
    pub scenario: RwSignal<u32>,
    /// Number of scenarios opened so far.
    pub opened: RwSignal<u32>,
    /// The text in the editor.
    pub text: RwSignal<String>,
    /// The chosen target, if it overrides the text's.
    pub target: RwSignal<Option<String>>,
    /// Chosen readings that override the text's, each as `ID=CHOICE`.
    pub readings: RwSignal<Vec<String>>,
    /// The report on the last valid text.
    pub report: RwSignal<Option<Arc<Report>>>,
    /// Title and notes of the last valid text.
    pub about: RwSignal<About>,
    /// The available targets, under headings; empty before the engine has loaded.
    pub targets: RwSignal<Vec<(String, Vec<String>)>>,
    /// The target of the report.
    pub judged_on: Memo<String>,
    /// Whether the text is a scenario.
    pub valid: RwSignal<bool>,
    /// Number of received reports; shows when the page has caught up with the text.
    pub judged: RwSignal<u32>,
    /// Number of requested reports: one for each change of text or target.
    pub asked: RwSignal<u32>,
    /// The number of the request that the report answers.
    pub answered: RwSignal<u32>,
    /// Whether a check is running.
    pub running: RwSignal<bool>,
    /// The errors and warnings of the report's text.
    pub diagnostics: RwSignal<Vec<ReportDiagnostic>>,
    /// The number of states of a long check so far.
    pub long: RwSignal<Option<u64>>,
    /// The execution.
    pub trace: RwSignal<Trace>,
    /// Updated when the panels next to the lanes must follow the execution.
    followed: RwSignal<u32>,
    /// Updated when the cells below the lanes must follow.
    trailed: RwSignal<u32>,
    /// A notice of the steps that a change of the text kept, if it kept only some.
    pub kept: RwSignal<Option<String>>,
    /// A notice.
    pub notice: RwSignal<Option<Notice>>,
    /// The open dialog.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The library, loaded after the first paint.
    pub library: RwSignal<Arc<Library>>,
    /// The tab below the text.
    pub tab: RwSignal<Tab>,
    /// Whether the schedules panel is open.
    pub schedules: RwSignal<bool>,
    /// The view of the state next to the lanes.
    pub beside: RwSignal<Beside>,
    /// Results of the survey of this or an older text.
    pub survey: RwSignal<Option<Arc<Survey>>>,
    /// The request whose report the survey belongs to.
    pub surveyed: RwSignal<u32>,
    /// The relations tab.
    pub relating: Relating,
    /// Whether the engine has loaded.
    pub engine: RwSignal<bool>,
    /// The view shown instead of the playground: its fragment without the `#`.
    pub view: RwSignal<Option<String>>,
    /// The long job: its progress and result.
    pub work: RwSignal<Work>,
    /// Number of times that the address selected a view.
    pub view_changed: RwSignal<u32>,
    /// Whether the editor bundle is mounted instead of the text area.
    pub editor: RwSignal<bool>,
    /// The lanes of the execution.
    pub lanes: Memo<Lanes>,
    /// Bands that the reader folded or unfolded.
    pub turned: RwSignal<BTreeSet<String>>,
    /// The barriers beside the lanes, if there are many.
    pub rails: Memo<Rails>,
    /// Arrays of barriers that the reader folded or unfolded.
    turned_rails: RwSignal<BTreeSet<String>>,
    /// The stage of the first visit, if it is open.
    pub tour: RwSignal<Option<usize>>,
    /// Whether the execution is playing.
    pub playing: RwSignal<bool>,
    /// Whether presentation mode is on.
    pub presented: RwSignal<bool>,
    /// Number of commands of the schedules panel; tells panels to update.
    planned: RwSignal<u32>,
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
    /// The timer of the next survey.
    due: Option<Timeout>,
    /// The text and terms open in the engine; `None` if there is nothing to step through.
    stepped: Option<(String, Terms)>,
    /// Whether that text has expectations.
    expects: bool,
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
    /// Whether to load the witness of the first finding once the text is checked.
    witness: bool,
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

/// A notice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// Whether it is an error.
    pub error: bool,
    /// Its text.
    pub text: String,
    /// Whether it offers to reopen the last closed scenario.
    pub back: bool,
    /// The verdict in a link, if it differs from the current one.
    pub recorded: Option<String>,
}

/// The tab below the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The findings.
    Why,
    /// Relations of operations.
    Relations,
    /// The verdict on every target, and machine code.
    Targets,
    /// The readings that affect the verdict.
    Readings,
}

/// A view of the state of the execution, next to the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// Barriers and their counts; memory operations in flight.
    Objects,
    /// Agents, and what they wait for.
    Agents,
    /// Who arrives at and waits for each barrier.
    Ledger,
}

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// The list of keys.
    Keys,
    /// The signs of the execution.
    Legend,
    /// Commands, targets, pages and examples by their names.
    Palette,
    /// The ways to share.
    Share,
    /// A long job.
    Work,
}

impl State {
    /// An empty page.
    pub(crate) fn new() -> Self {
        let report: RwSignal<Option<Arc<Report>>> = RwSignal::new(None);
        let trace = RwSignal::new(Trace::default());
        let (turned, turned_rails) =
            (RwSignal::new(BTreeSet::new()), RwSignal::new(BTreeSet::new()));
        Self {
            scenarios: RwSignal::new(Vec::new()),
            scenario: RwSignal::new(0),
            opened: RwSignal::new(0),
            text: RwSignal::new(String::new()),
            target: RwSignal::new(None),
            readings: RwSignal::new(Vec::new()),
            report,
            judged_on: Memo::new(move |_| {
                report.with(|it| it.as_ref().map(|it| it.target.clone()).unwrap_or_default())
            }),
            about: RwSignal::new(About::default()),
            targets: RwSignal::new(Vec::new()),
            valid: RwSignal::new(true),
            judged: RwSignal::new(0),
            asked: RwSignal::new(0),
            answered: RwSignal::new(0),
            running: RwSignal::new(false),
            diagnostics: RwSignal::new(Vec::new()),
            long: RwSignal::new(None),
            trace,
            followed: RwSignal::new(0),
            trailed: RwSignal::new(0),
            kept: RwSignal::new(None),
            notice: RwSignal::new(None),
            dialog: RwSignal::new(None),
            library: RwSignal::new(Arc::default()),
            tab: RwSignal::new(Tab::Why),
            schedules: RwSignal::new(false),
            beside: RwSignal::new(Beside::Objects),
            survey: RwSignal::new(None),
            surveyed: RwSignal::new(0),
            relating: Relating::new(),
            engine: RwSignal::new(false),
            view: RwSignal::new(None),
            view_changed: RwSignal::new(0),
            work: RwSignal::new(Work::default()),
            editor: RwSignal::new(false),
            lanes: Memo::new(move |_| {
                trace.with(|trace| {
                    let names = trace.agents().iter().map(|agent| agent.name.as_str());
                    turned.with(|turned| fold::lay(names, turned))
                })
            }),
            turned,
            rails: Memo::new(move |_| {
                trace.with(|trace| {
                    let objects = trace.view.as_ref().map_or(&[][..], |view| &view.objects);
                    let names = objects.iter().map(|object| object.name.as_str());
                    turned_rails.with(|turned| rails::lay(names, turned))
                })
            }),
            turned_rails,
            tour: RwSignal::new(None),
            playing: RwSignal::new(false),
            presented: RwSignal::new(false),
            planned: RwSignal::new(0),
            tools: StoredValue::new_local(Tools::default()),
        }
    }

    /// Starts or ends presentation mode.
    pub(crate) fn present(self) {
        let begins = !self.presented.get_untracked();
        browser::set_presented(begins);
        self.presented.set(begins);
    }

    /// Returns the state that all components share.
    pub(crate) fn expect() -> Self {
        expect_context()
    }

    /// Returns the terms of the check, untracked.
    fn terms(self) -> Terms {
        Terms { target: self.target.get_untracked(), readings: self.readings.get_untracked() }
    }

    /// Whether the report belongs to another text or target than the current one.
    pub(crate) fn stale(self) -> bool {
        self.asked.get() != self.answered.get()
    }

    /// Whether the report belongs to the current text and target, untracked.
    fn current(self) -> bool {
        self.asked.get_untracked() == self.answered.get_untracked()
    }

    /// Returns the line of the last performed step; 0 without one.
    pub(crate) fn current_line(self) -> u32 {
        let last = |trace: &Trace| trace.performed().last().map_or(0, |step| step.line);
        self.trace.with(last)
    }

    /// Returns the line of the last performed step that is a line of the current text; 0 without one.
    pub(crate) fn marked_line(self) -> u32 {
        if self.valid.get() { self.current_line() } else { 0 }
    }

    fn tell(self, error: bool, text: impl Into<String>) {
        self.notice.set(Some(Notice { error, text: text.into(), back: false, recorded: None }));
    }
}
