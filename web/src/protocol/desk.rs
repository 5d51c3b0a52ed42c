use super::{About, Exported, Form, Look, Sheet, Shown, Terms, Woven};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the page asks of the engine that it holds itself: what is answered at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// A text, to be stepped through from here on.
    Open {
        /// The text.
        text: String,
        /// What it is judged under.
        terms: Terms,
        /// Keys of steps to perform, as many of them as can be.
        keys: Vec<String>,
        /// How many of them are to stay performed.
        cursor: usize,
        /// Whether they are steps of the text before, which count only where this one is a change of it.
        edited: bool,
        /// Whether they are steps on the machine.
        machine: bool,
    },
    /// The step of a key.
    Perform(String),
    /// One step less.
    Back,
    /// The step that was undone last.
    Forward,
    /// So many of the steps performed and undone.
    GoTo(usize),
    /// Another execution from its beginning: the keys of its steps.
    Load(Vec<String>),
    /// An execution of the machine that the second oracle is: the keys of its steps, as many of them as can be.
    Machine(Vec<String>),
    /// From the machine back to the execution of the text, with all of its steps performed.
    Text,
    /// On in the way of a word, as sheets of schedules ask for it.
    Plan(String),
    /// A panel of the execution.
    Panel(Panel),
    /// The relations of the steps performed, as far as they are looked at.
    Relations(Look),
    /// The text as machine code of the target that it is judged on.
    Code {
        /// The text.
        text: String,
        /// What it is judged under.
        terms: Terms,
    },
    /// The fragment that stands for a state of the page.
    Link {
        /// The text.
        text: String,
        /// What it is judged under.
        terms: Terms,
        /// Keys of the steps performed.
        keys: Vec<String>,
        /// The verdict, as links record it.
        verdict: Option<String>,
        /// What is open.
        panels: String,
    },
    /// The targets that can be chosen.
    Targets,
    /// The open questions that matter to a verdict, as a sheet.
    Readings(Doubts),
    /// The texts that views are made of, as `web/library.mjs` packs them.
    Library(String),
    /// The view of a fragment without its `#`.
    Sheet(String),
    /// A text in another form.
    Export {
        /// The form.
        form: Form,
        /// The text.
        text: String,
        /// What it is judged under.
        terms: Terms,
        /// Keys of the steps performed.
        keys: Vec<String>,
        /// The address of the page with the link.
        address: String,
    },
}

/// What a report says of open questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubts {
    /// The verdict.
    pub verdict: String,
    /// Questions under whose answers it is another: their names, and the verdict under each answer.
    pub open: Vec<(String, BTreeMap<String, String>)>,
    /// Answers that were chosen otherwise than usual, by the names of the questions.
    pub settled: BTreeMap<String, String>,
}

/// What is told of an execution beside its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Panel {
    /// Its barriers, who arrives and who waits; the counters of memory.
    Ledger,
    /// Other schedules.
    Schedules,
}

/// What it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// To [`Ask::Open`].
    Opened(Box<Opened>),
    /// To a change of the execution; nothing where it could not be made.
    Stepped(Option<Box<Shown>>),
    /// To [`Ask::Relations`]; nothing where there are too many operations, or where they are not of the barriers that have
    /// these relations.
    Relations(Option<Box<Woven>>),
    /// To [`Ask::Targets`]: names under headings, newest generation first.
    Targets(Vec<(String, Vec<String>)>),
    /// To [`Ask::Sheet`], [`Ask::Panel`], [`Ask::Code`] and [`Ask::Readings`]; nothing to a fragment that names none, and without an execution.
    Sheet(Option<Box<Sheet>>),
    /// To [`Ask::Export`] and [`Ask::Link`].
    Exported(Exported),
    /// To what is only taken in.
    Taken,
}

/// A text that was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// What it says of itself.
    pub about: About,
    /// What it is judged under: those that were asked for and that there are.
    pub terms: Terms,
    /// Whether it says what it expects.
    pub expects: bool,
    /// Its execution; none where there is nothing to step through.
    pub session: Option<Session>,
}

/// An execution that was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// How many of the steps asked for could be performed.
    pub loaded: usize,
    /// With all of these performed.
    pub whole: Shown,
    /// At the cursor, where that is before their end.
    pub at: Option<Shown>,
}
