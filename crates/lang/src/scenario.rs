//! The parsed scenario, and the program that it compiles to.

use crate::compiled::classes::LineClasses;
use crate::compiled::debug::DebugLines;
use crate::diagnostic::{Diagnostic, Span};
use crate::lower::code::Code;
use crate::source::{Assumed, Restricted, Source};
use crate::tree::Tree;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Program;
use tidegate_model::reading::ReadingId;
use tidegate_model::target::TargetId;
use tidegate_model::verdict::{Schedules, Verdict};

/// The oracle that an expectation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oracle {
    /// The specification.
    Spec,
    /// The public hardware model.
    Machine,
}

/// The content of an `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `expect VERDICT RULE…` or `expect machine VERDICT RULE…`.
    Verdict {
        /// The oracle.
        oracle: Oracle,
        /// The verdict.
        verdict: Verdict,
        /// Identifiers that must be among the findings, as written.
        rules: Vec<String>,
    },
    /// `expect compiler ok|unsupported|crash|external-call`: the result of the compiler oracle.
    Compiler(String),
    /// `expect ambiguous ID`, the identifier as written.
    Ambiguous(String),
    /// `expect participates-in unique|multiple`.
    ParticipatesIn {
        /// Whether exactly one relation is expected.
        unique: bool,
    },
    /// `expect schedules all|some`, for a deadlock.
    Schedules(Schedules),
}

/// One `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Its position.
    pub span: Span,
    /// Its targets, with ranges and sets expanded; empty for the scenario's own target.
    pub targets: Vec<TargetId>,
    /// The expected result.
    pub expected: Expected,
}

/// The parts of a scenario that other crates need; its statements are private to this crate.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// `title`.
    pub title: Option<String>,
    /// Each `note`.
    pub notes: Vec<String>,
    /// Whether its verdict is hidden until the reader has chosen one.
    pub lesson: bool,
    /// `target`.
    pub target: Option<TargetId>,
    /// Each `reading ID=OPTION`, with its position.
    pub readings: Vec<(ReadingId, u8, Span)>,
    /// The names of the kernels in the text, in its order.
    pub entries: Vec<String>,
    /// `expect`, each.
    pub expectations: Vec<Expectation>,
    /// The diagnostics. The scenario can be checked if none of them is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// Where the lines of compiled code come from; empty without debug information.
    pub debug: DebugLines,
    /// What the lines of compiled code do.
    pub classes: LineClasses,
    /// The program of compiled code, or why it has none; such a scenario has no statements.
    pub(crate) program: Option<Result<Compiled, Vec<Diagnostic>>>,
    /// What the statements evaluate to, where reading them already asked.
    pub(crate) evaluated: Option<Rc<Result<Compiled, Vec<Diagnostic>>>>,
    /// Whether it is a kernel in OpenCL C that is read as compiled code.
    pub(crate) opencl: bool,
    pub(crate) tree: Tree,
    pub(crate) code: Code,
}

/// A compiled scenario, with the names and sources that messages need.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// For each agent its displayed name: `wave 0`, or `workgroup 1 wave 0` if there are several workgroups.
    pub agent_names: Vec<String>,
    /// For each agent and each node of its body, the source of the node. Agents with one body can be in different
    /// blocks of the text.
    pub sources: Vec<Rc<[Source]>>,
    /// Names of the plain barrier objects by index, and of named barriers that the scenario declares.
    pub plain_names: Vec<String>,
    /// Names of the mbarrier objects of a CTA, with one name for each array element (`full[0]`).
    pub mbarrier_names: Vec<String>,
    /// Declared names of named barriers: ID and name.
    pub named_names: Vec<(i64, String)>,
    /// Names of the declared memories by index.
    pub buffer_names: Vec<String>,
    /// Names of the named barriers of OpenCL, by number of their declaration.
    pub barrier_names: Vec<String>,
    /// Violations of the restrictions on their type, anywhere in the text.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub restricted: Vec<Restricted>,
    /// If the text does not give the values that the host passes to a kernel: for each outcome of the first choice of
    /// every body, the values, such as `n = 3`. Each represents all values with the same bodies.
    pub passed: Vec<String>,
    /// The parts of the launch of compiled code that nothing gives.
    pub assumed: Assumed,
    /// Whether all work-items of compiled OpenCL code call as many barriers, whatever data decide.
    pub alike: bool,
    /// How many instructions of compiled code were evaluated, also if the program is not that of the code; steps of statements
    /// count as the number of instructions that take as long.
    pub steps: u64,
    /// Warnings about them.
    pub warnings: Vec<Diagnostic>,
}
