//! What the page knows, as one struct of signals. What can be done to it is in the modules beside this one.

mod beside;
mod checking;
mod panels;
mod relating;
mod scenarios;
mod sharing;
mod stepping;
mod survey;
mod visiting;
mod working;

pub(crate) use relating::Relating;
pub(crate) use scenarios::{Scenario, called};

pub(crate) use working::Work;

use crate::browser;
use crate::checker::Checker;
use crate::engine::{About, Report, ReportDiagnostic, Terms};
use crate::fold::{self, Lanes};
use crate::library::Library;
use crate::recording::Recording;
use crate::track::Track;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Ask, Statement, Survey};
use std::collections::BTreeSet;
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// The state of the page. Cheap to copy: every part is a handle.
#[derive(Clone, Copy)]
pub(crate) struct State {
    /// The scenarios that are open side by side.
    pub scenarios: RwSignal<Vec<Scenario>>,
    /// The number of the one that is shown; 0 before there is one.
    pub scenario: RwSignal<u32>,
    /// How many times a scenario was opened.
    pub opened: RwSignal<u32>,
    /// The text in the editor.
    pub text: RwSignal<String>,
    /// The target, where one was chosen over the text's own.
    pub target: RwSignal<Option<String>>,
    /// Readings chosen over the text's own, each as `ID=CHOICE`.
    pub readings: RwSignal<Vec<String>>,
    /// The report on the last valid text.
    pub report: RwSignal<Option<Arc<Report>>>,
    /// Title and notes of the last valid text.
    pub about: RwSignal<About>,
    /// The targets that can be chosen, under headings; empty before the engine is there.
    pub targets: RwSignal<Vec<(String, Vec<String>)>>,
    /// The target of the report.
    pub judged_on: Memo<String>,
    /// Whether the text is a scenario.
    pub valid: RwSignal<bool>,
    /// How many reports were taken in: tells when the page has caught up with the text.
    pub judged: RwSignal<u32>,
    /// How many times a report was asked for: with every change of text or target.
    pub asked: RwSignal<u32>,
    /// The asking that the report answers.
    pub answered: RwSignal<u32>,
    /// Whether a check is under way.
    pub running: RwSignal<bool>,
    /// What is wrong with the text of the report.
    pub diagnostics: RwSignal<Vec<ReportDiagnostic>>,
    /// A check that takes long: how many states it visited.
    pub long: RwSignal<Option<u64>>,
    /// The execution.
    pub track: RwSignal<Track>,
    /// What the panels beside the lanes follow in its place.
    followed: RwSignal<u32>,
    /// What the cells below the lanes follow.
    trailed: RwSignal<u32>,
    /// How many of the steps a change of the text left, where it left some of them.
    pub kept: RwSignal<Option<String>>,
    /// Something to tell once.
    pub notice: RwSignal<Option<Notice>>,
    /// The dialog that is open.
    pub dialog: RwSignal<Option<Dialog>>,
    /// What is loaded after the first paint.
    pub library: RwSignal<Arc<Library>>,
    /// What is shown below the text.
    pub tab: RwSignal<Tab>,
    /// Whether other schedules are shown.
    pub schedules: RwSignal<bool>,
    /// Whether the ledger is shown.
    pub ledger: RwSignal<bool>,
    /// What is known besides the report, of this or of an older text.
    pub survey: RwSignal<Option<Arc<Survey>>>,
    /// The asking of the report that the survey is about.
    pub surveyed: RwSignal<u32>,
    /// What is looked at among relations.
    pub relating: Relating,
    /// Whether the engine is there.
    pub engine: RwSignal<bool>,
    /// The view that is shown in the place of the playground: its fragment without the `#`.
    pub view: RwSignal<Option<String>>,
    /// What takes a while: how far it is, and what came of it.
    pub work: RwSignal<Work>,
    /// How many times the address led to a view.
    pub view_changed: RwSignal<u32>,
    /// Whether the editor proper is there, in the place of the text area.
    pub editor: RwSignal<bool>,
    /// The lanes of the execution.
    pub lanes: Memo<Lanes>,
    /// Bands of lanes that the reader folded or unfolded.
    pub turned: RwSignal<BTreeSet<String>>,
    /// Whether the execution goes on by itself.
    pub playing: RwSignal<bool>,
    /// Whether the page is shown larger, with only what is to be seen.
    pub presented: RwSignal<bool>,
    /// How often the execution was asked to go on in a way: tells when panels have something new to say.
    planned: RwSignal<u32>,
    tools: StoredValue<Tools, LocalStorage>,
}

/// What the state needs to do its work and nobody watches.
#[derive(Default)]
struct Tools {
    /// The compiled engine, for workers.
    module: Option<JsValue>,
    checker: Option<Checker>,
    surveyor: Option<Checker>,
    /// The worker of what takes a while.
    job: Option<Checker>,
    /// The text as it was opened.
    opened: String,
    /// Whether the report is of another scenario.
    turned: bool,
    /// When the next survey is due.
    due: Option<Timeout>,
    /// The text that the engine has open, and what it is judged under; none where there is nothing to step through.
    stepped: Option<(String, Terms)>,
    /// Whether that text says what it expects.
    expects: bool,
    /// The execution that is shown before the engine is there.
    recording: Option<Recording>,
    /// The text that was recorded, where it is shown, and its colours.
    tints: (String, Vec<u32>),
    /// What the rules say that the report names.
    statements: Vec<Statement>,
    /// What the reader asked for before the engine was there.
    queued: Vec<Ask>,
    /// Steps to load once the text is judged, how many of them to perform, and whether they are steps on the machine.
    pending: Option<(Vec<String>, usize, bool)>,
    /// How many steps of the text were performed when the machine took its place.
    left: usize,
    /// Whether the witness of the first finding is to be loaded once the text is judged.
    witness: bool,
    /// The verdict that a link recorded, until it was compared.
    recorded: Option<String>,
    /// The version that recorded it.
    version: String,
    /// Whether what is shown came from a link and was not edited since: then it is not kept.
    borrowed: bool,
    save: Option<Timeout>,
    /// When the execution goes on by itself.
    tick: Option<Timeout>,
    /// The finding whose witness was shown last.
    finding: usize,
    /// Whether the engine has the library.
    shelved: bool,
    /// The fragment that stands for what the playground shows.
    address: String,
}

/// Something to tell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// Whether something went wrong.
    pub error: bool,
    /// What.
    pub text: String,
    /// Whether the scenario that was closed last can be opened again.
    pub back: bool,
    /// The verdict that a link recorded, where another one is given now.
    pub recorded: Option<String>,
}

/// What is shown below the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    /// What was found, and why.
    Why,
    /// How operations are related, and why.
    Relations,
    /// The verdict on every target, and machine code.
    Targets,
    /// The open questions that matter.
    Readings,
}

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// The list of keys.
    Keys,
    /// Commands, targets and pages by their names.
    Palette,
    /// The ways to share.
    Share,
    /// What takes a while.
    Work,
}

impl State {
    /// An empty page.
    pub(crate) fn new() -> Self {
        let report: RwSignal<Option<Arc<Report>>> = RwSignal::new(None);
        let (track, turned) = (RwSignal::new(Track::default()), RwSignal::new(BTreeSet::new()));
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
            track,
            followed: RwSignal::new(0),
            trailed: RwSignal::new(0),
            kept: RwSignal::new(None),
            notice: RwSignal::new(None),
            dialog: RwSignal::new(None),
            library: RwSignal::new(Arc::default()),
            tab: RwSignal::new(Tab::Why),
            schedules: RwSignal::new(false),
            ledger: RwSignal::new(true),
            survey: RwSignal::new(None),
            surveyed: RwSignal::new(0),
            relating: Relating::new(),
            engine: RwSignal::new(false),
            view: RwSignal::new(None),
            view_changed: RwSignal::new(0),
            work: RwSignal::new(Work::default()),
            editor: RwSignal::new(false),
            lanes: Memo::new(move |_| {
                track.with(|track| {
                    let names = track.agents().iter().map(|agent| agent.name.as_str());
                    turned.with(|turned| fold::lay(names, turned))
                })
            }),
            turned,
            playing: RwSignal::new(false),
            presented: RwSignal::new(false),
            planned: RwSignal::new(0),
            tools: StoredValue::new_local(Tools::default()),
        }
    }

    /// Begins or ends to present.
    pub(crate) fn present(self) {
        let begins = !self.presented.get_untracked();
        browser::set_presented(begins);
        self.presented.set(begins);
    }

    /// The state that the components below the page share.
    pub(crate) fn expect() -> Self {
        expect_context()
    }

    /// What the text is to be judged under, without watching.
    fn terms(self) -> Terms {
        Terms { target: self.target.get_untracked(), readings: self.readings.get_untracked() }
    }

    /// Whether the report is about another text or target than what is shown.
    pub(crate) fn stale(self) -> bool {
        self.asked.get() != self.answered.get()
    }

    /// Whether the report is about what is shown, without watching.
    fn current(self) -> bool {
        self.asked.get_untracked() == self.answered.get_untracked()
    }

    /// The line of the last step performed; 0 without one.
    pub(crate) fn current_line(self) -> u32 {
        let last = |track: &Track| track.performed().last().map_or(0, |step| step.line);
        self.track.with(last)
    }

    /// The line of the last step performed that is a line of the present text; 0 without one.
    pub(crate) fn marked_line(self) -> u32 {
        if self.valid.get() { self.current_line() } else { 0 }
    }

    fn tell(self, error: bool, text: impl Into<String>) {
        self.notice.set(Some(Notice { error, text: text.into(), back: false, recorded: None }));
    }
}
