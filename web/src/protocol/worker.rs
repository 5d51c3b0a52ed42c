use super::{Sheet, Statement, Terms};
use serde::{Deserialize, Serialize};
use tidegate_check::expect::Outcome;
use tidegate_check::report::Report;

/// What is asked of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Its verdict.
    Check,
    /// What else is worth knowing of it: its expectations, and the verdict on every target if that is looked at.
    Survey {
        /// Whether the verdicts on every target are looked at.
        matrix: bool,
    },
    /// What takes a while and is told in a sheet.
    Job(Job),
}

/// What is asked for now and then, takes a while, and is told in a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Job {
    /// The smallest scenario with the first finding.
    Shrink,
    /// What is different from another scenario: its text, or a link to it.
    Compare(String),
    /// What is different from the verdict that a link recorded.
    Recorded(String),
    /// What becomes possible without a rule.
    Without,
}

/// A question on a text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Number of the request; answers carry it, so that stale ones are known.
    pub seq: u32,
    /// The text.
    pub text: String,
    /// What it is to be judged under.
    pub terms: Terms,
    /// What is asked.
    pub question: Question,
}

/// One expectation on one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Line of the expectation.
    pub line: u32,
    /// The target.
    pub target: String,
    /// Whether it holds.
    pub passed: bool,
    /// What it asks for.
    pub wanted: String,
    /// What was found.
    pub got: String,
}

impl From<Outcome> for Held {
    fn from(outcome: Outcome) -> Self {
        let Outcome { line, target, passed, wanted, got, .. } = outcome;
        Self { line, target, passed, wanted, got }
    }
}

/// What a survey found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// What became of the expectations.
    pub held: Vec<Held>,
    /// The verdict on every target, if it was asked for.
    pub matrix: Option<Sheet>,
}

/// The answer to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Found {
    /// To [`Question::Check`]: the report, and what the rules say that it names.
    Report(Box<Report>, Vec<Statement>),
    /// To [`Question::Survey`].
    Survey(Box<Survey>),
    /// To [`Question::Job`].
    Sheet(Box<Sheet>),
}

/// What the worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// It can take a request.
    Ready,
    /// A check is under way.
    Progress {
        /// The request.
        seq: u32,
        /// States visited.
        states: u64,
        /// States still to be visited.
        frontier: u64,
    },
    /// A request is answered.
    Done {
        /// The request.
        seq: u32,
        /// What was found.
        found: Found,
        /// Whether that is what was found until now, and the search goes on.
        more: bool,
    },
}
