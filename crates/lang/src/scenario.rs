//! What a text says: the parsed scenario, and the program that it compiles to.

use crate::diagnostic::{Diagnostic, Span};
use crate::lower::code::Code;
use crate::tree::Tree;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Program;
use tidegate_model::reading::ReadingId;
use tidegate_model::rule::RuleId;
use tidegate_model::target::TargetId;
use tidegate_model::verdict::{Schedules, Verdict};

/// Which oracle an expectation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oracle {
    /// The text of the specification.
    Spec,
    /// The machine as publicly modelled.
    Machine,
}

/// What an `expect` line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `expect VERDICT RULE…` or `expect machine VERDICT RULE…`.
    Verdict {
        /// Whose verdict.
        oracle: Oracle,
        /// The verdict.
        verdict: Verdict,
        /// Identifiers that must be among the findings, as written.
        rules: Vec<String>,
    },
    /// `expect compiler ok|unsupported|crash|external-call`: what the compiler oracle says.
    Compiler(String),
    /// `expect ambiguous ID`, the identifier as written.
    Ambiguous(String),
    /// `expect participates-in unique|multiple`.
    ParticipatesIn {
        /// Whether exactly one relation is expected.
        unique: bool,
    },
    /// `expect schedules all|some`, of a deadlock.
    Schedules(Schedules),
}

/// One `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Where it stands.
    pub span: Span,
    /// The targets it is about, ranges and sets already expanded; empty: the scenario's own.
    pub targets: Vec<TargetId>,
    /// What it asks for.
    pub expected: Expected,
}

/// The parts of a scenario that other crates need; its statements stay inside this crate.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// `title`.
    pub title: Option<String>,
    /// `note`, each.
    pub notes: Vec<String>,
    /// Whether its verdict is to be hidden until the reader has chosen one.
    pub lesson: bool,
    /// `target`.
    pub target: Option<TargetId>,
    /// `reading ID=OPTION`, each, with its place.
    pub readings: Vec<(ReadingId, u8, Span)>,
    /// The names of the kernels in the text, in its order.
    pub entries: Vec<String>,
    /// `expect`, each.
    pub expectations: Vec<Expectation>,
    /// What is wrong with the text. The scenario can be judged when none of them is an error.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) tree: Tree,
    pub(crate) code: Code,
}

/// Where a node of a body comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Source {
    /// Its place in the text.
    pub span: Span,
    /// The statement as written, white space folded (`init ready, 2`); `end` for the end of an agent.
    pub text: String,
    /// What data must say for its accesses to happen, or to touch what they are taken to; empty where they are certain.
    pub needs: Vec<Need>,
}

/// Something that data decide.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Need {
    /// Its place in the text.
    pub span: Span,
    /// As written.
    pub text: String,
    /// For a condition whether it must hold; none for an element of which data say which it is.
    pub holds: Option<bool>,
}

/// Something that the type of OpenCL's named barriers does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restricted {
    /// The rule.
    pub rule: RuleId,
    /// Its place.
    pub span: Span,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// A scenario made into a program, with what is needed to speak about it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// For each agent its name as shown: `wave 0`, or `workgroup 1 wave 0` where there are several workgroups.
    pub agent_names: Vec<String>,
    /// For each agent and each node of its body, where the node comes from. Agents of one body can stand in different
    /// blocks of the text.
    pub sources: Vec<alloc::rc::Rc<[Source]>>,
    /// Names of the plain barrier objects by index, and of named barriers that the scenario declares.
    pub plain_names: Vec<String>,
    /// Names of the mbarrier objects of a CTA, elements of arrays one by one (`full[0]`).
    pub mbarrier_names: Vec<String>,
    /// Declared names of named barriers: ID and name.
    pub named_names: Vec<(i64, String)>,
    /// Names of the declared memories by index.
    pub buffer_names: Vec<String>,
    /// Names of the named barriers of OpenCL, by number of their declaration.
    pub barrier_names: Vec<String>,
    /// What the type of those named barriers does not allow, wherever it stands in the text.
    pub restricted: Vec<Restricted>,
    /// Where no text says what the host passes to a kernel: for each way of the first choice of every body what it is,
    /// such as `n = 3`. Each stands for all values with which the bodies are the same.
    pub passed: Vec<String>,
    /// What is to be said of them.
    pub warnings: Vec<Diagnostic>,
}
