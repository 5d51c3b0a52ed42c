use super::{About, DocumentPage, Exported, Form, Look, RelationView, Shown, Terms};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request to the engine in the page, which answers immediately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// Opens a text for stepping.
    Open {
        /// The text.
        text: String,
        /// The terms of the check.
        terms: Terms,
        /// Keys of steps to perform, as far as possible.
        keys: Vec<String>,
        /// Number of steps that stay performed.
        cursor: usize,
        /// Whether the steps belong to the previous text; they apply only if this text is a change of it.
        edited: bool,
        /// Whether the steps are on the hardware model.
        machine: bool,
    },
    /// Performs the step with a key.
    Perform(String),
    /// Undoes a step.
    Back,
    /// Redoes the last undone step.
    Forward,
    /// Moves the cursor to a number of steps.
    GoTo(usize),
    /// Loads another execution: the keys of its steps.
    Load(Vec<String>),
    /// Loads an execution on the hardware model: the keys of its steps, as far as possible.
    Machine(Vec<String>),
    /// Returns from the hardware model to the specification's execution, with all steps performed.
    Text,
    /// Performs a command of the schedules panel.
    Plan(String),
    /// Returns a panel of the execution.
    Panel(Panel),
    /// Returns the relations of the performed steps.
    Relations(Look),
    /// Returns the text as machine code of its target.
    Code {
        /// The text.
        text: String,
        /// The terms of the check.
        terms: Terms,
    },
    /// Encodes the state of the page as a fragment.
    Link {
        /// The text.
        text: String,
        /// The terms of the check.
        terms: Terms,
        /// Keys of the performed steps.
        keys: Vec<String>,
        /// The verdict, in the form of links.
        verdict: Option<String>,
        /// The open panels.
        panels: String,
    },
    /// Returns the available targets.
    Targets,
    /// Returns everything that the palette finds in the views.
    Places,
    /// Returns the readings that affect a verdict.
    Readings(Doubts),
    /// Provides the texts of the views, as `web/library.mjs` packs them.
    Library(String),
    /// Returns the view of a fragment without its `#`.
    DocumentPage(String),
    /// Returns a text in another form.
    Export {
        /// The form.
        form: Form,
        /// The text.
        text: String,
        /// The terms of the check.
        terms: Terms,
        /// Keys of the performed steps.
        keys: Vec<String>,
        /// The address of the page with the link.
        address: String,
    },
}

/// The readings in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubts {
    /// The verdict.
    pub verdict: String,
    /// Readings that change the verdict: their names, and the verdict under each choice.
    pub open: Vec<(String, BTreeMap<String, String>)>,
    /// Non-default choices, by the name of the reading.
    pub settled: BTreeMap<String, String>,
}

/// A panel of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Panel {
    /// Its barriers with their agents, and the memory counters.
    Ledger,
    /// Other schedules.
    Schedules,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Ask::Open`].
    Opened(Box<Opened>),
    /// To a change of the execution; `None` if it was not possible.
    Stepped(Option<Box<Shown>>),
    /// To [`Ask::Relations`]; `None` if there are too many operations or the barriers have no relations.
    Relations(Option<Box<RelationView>>),
    /// To [`Ask::Targets`]: names under headings, newest generation first.
    Targets(Vec<(String, Vec<String>)>),
    /// To [`Ask::Places`]: the name and the fragment of each place.
    Places(Vec<(String, String)>),
    /// To [`Ask::DocumentPage`], [`Ask::Panel`], [`Ask::Code`] and [`Ask::Readings`]; `None` for an unknown fragment or without an execution.
    DocumentPage(Option<Box<DocumentPage>>),
    /// To [`Ask::Export`] and [`Ask::Link`].
    Exported(Exported),
    /// To a request without a result.
    Taken,
}

/// An opened text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// Its title and notes.
    pub about: About,
    /// The known terms among those requested.
    pub terms: Terms,
    /// The launch of a kernel.
    pub launch: Option<Launch>,
    /// Whether it has expectations.
    pub expects: bool,
    /// Whether it is compiled code that was not read, because the front ends have not loaded.
    pub unread: bool,
    /// Its execution; `None` if there is nothing to step through.
    pub execution: Option<Execution>,
}

/// The launch of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Its sizes, and whether the text gives them.
    pub says: String,
    /// The words of a header line `launch` that gives them.
    pub words: String,
    /// The words of one with more workgroups, if only one workgroup or cluster is assumed and they may race.
    pub more: Option<String>,
}

/// An opened execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Number of requested steps that were performed.
    pub loaded: usize,
    /// The execution with all of these performed.
    pub whole: Shown,
    /// The execution at the cursor, if that is before the end.
    pub at: Option<Shown>,
}
