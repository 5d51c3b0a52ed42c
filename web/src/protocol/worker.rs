use super::{DocumentPage, SentReport, Statement, Terms};
use serde::{Deserialize, Serialize};
use tidegate_check::expect::Outcome;

/// A request about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Its verdict.
    Check,
    /// Additional results: its expectations, and on request the verdict on every target.
    Survey {
        /// Whether to check every target.
        matrix: bool,
    },
    /// A long job, whose result is a page.
    Job(Job),
    /// Its verdict as a row of a table, for `asking.js`.
    Row,
}

/// A long job on request, whose result is a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Job {
    /// The smallest scenario with the first finding.
    Shrink,
    /// The differences from another scenario: its text, or a link to it.
    Compare(String),
    /// The differences from the verdict in a link.
    Recorded(String),
    /// The effects of relaxing each rule.
    Without,
    /// The verdict without each synchronising statement.
    Needs,
    /// The run that proves the verdict, phase by phase.
    Certificate,
}

/// A request to the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Number of the request; answers repeat it, so that stale ones are recognised.
    pub seq: u32,
    /// The text.
    pub text: String,
    /// The terms of the check.
    pub terms: Terms,
    /// The question.
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
    /// The expected result.
    pub wanted: String,
    /// The actual result.
    pub got: String,
}

impl From<Outcome> for Held {
    fn from(outcome: Outcome) -> Self {
        let Outcome { line, target, passed, wanted, got, .. } = outcome;
        Self { line, target, passed, wanted, got }
    }
}

/// The result of a survey.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// The results of the expectations.
    pub held: Vec<Held>,
    /// The verdict on every target, if requested.
    pub matrix: Option<DocumentPage>,
}

/// A result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Found {
    /// To [`Question::Check`]: the report, and the statements of its rules.
    Report(Box<SentReport>, Vec<Statement>),
    /// To [`Question::Survey`].
    Survey(Box<Survey>),
    /// To [`Question::Job`].
    DocumentPage(Box<DocumentPage>),
    /// To [`Question::Row`]: the target, the verdict, the rule, and what is wrong.
    Row([String; 4]),
}

/// A message from the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The worker is ready for a request.
    Ready,
    /// A check is in progress.
    Progress {
        /// The request.
        seq: u32,
        /// Visited states.
        states: u64,
        /// States not yet visited.
        frontier: u64,
    },
    /// A request has a result.
    Done {
        /// The request.
        seq: u32,
        /// The result.
        found: Found,
        /// Whether the result is partial and the search continues.
        more: bool,
    },
}
