//! Reports: what was found, on which target, and how far it was looked.
//!
//! With the feature `serde` the types serialise to the schema `tidegate.report/1`.

mod about;
#[cfg(feature = "serde")]
mod cause;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The schema that a [`Report`] follows.
pub const SCHEMA: &str = "tidegate.report/1";

/// One step of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WitnessStep {
    /// The agent's name.
    pub agent: String,
    /// Line of the operation, from 1; 0 for the end of an agent without a statement.
    pub line: u32,
    /// The operation as written; `end` for the end of an agent.
    pub operation: String,
    /// The stable key of the step, as in share links.
    pub key: String,
}

/// An operation in a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Place {
    /// The agent's name; `copy of` an agent for a copy that it started.
    pub agent: String,
    /// Line, from 1; 0 for the end of an agent without a statement.
    pub line: u32,
    /// Column, from 1; 0 without a statement.
    pub column: u32,
    /// The operation as written; `end` for the end of an agent.
    pub operation: String,
}

/// The value of a field of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Whether something holds.
    Flag(bool),
    /// A name or a word.
    Text(String),
    /// Names.
    Names(Vec<String>),
    /// An operation.
    Place(Place),
    /// Operations.
    Places(Vec<Place>),
    /// Names by a word.
    Groups(BTreeMap<String, Vec<String>>),
}

/// The cause of a finding, as data: a kind with its fields, and the facts that make it so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    /// The kind.
    pub kind: String,
    /// The fields of the kind, by name.
    pub fields: BTreeMap<String, Value>,
    /// The facts that make it so.
    pub facts: Vec<Cause>,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finding {
    /// Identifier of the rule.
    pub rule: String,
    /// Class of the finding.
    pub class: String,
    /// `all` or `some`: the schedules in which it occurs.
    pub schedules: String,
    /// `certain`, or `possible` if it depends on data that the scenario does not give.
    pub certainty: String,
    /// The condition of a possible finding, as a clause.
    pub condition: Option<String>,
    /// The cause, as data.
    #[cfg_attr(feature = "serde", serde(default))]
    pub cause: Cause,
    /// The title: what is wrong, without a full stop.
    pub message: String,
    /// The agent that breaks the rule, if there is one.
    pub agent: Option<String>,
    /// Line of the operation that breaks the rule, if there is one.
    pub line: Option<u32>,
    /// Column of the operation that breaks the rule, if there is one.
    pub column: Option<u32>,
    /// The notes: one fact each, without a full stop.
    pub because: Vec<String>,
    /// The help: an imperative sentence without a full stop.
    pub remedy: Option<String>,
    /// The steps that lead to it, from launch.
    pub witness: Vec<WitnessStep>,
    /// Whether no shorter witness exists; otherwise a shorter one may exist.
    pub shortest: bool,
    /// Other places of the finding.
    pub related: Vec<Related>,
    /// Edits that fix it, if they are known.
    pub fix: Option<Fix>,
}

/// The limit of a scenario without synchronisation and shared accesses.
pub const IDLE: &str = "no agent synchronises or accesses shared memory";

/// The certainty of a finding that depends on data.
pub(crate) const POSSIBLE: &str = "possible";

impl Finding {
    /// Whether it depends on data that the scenario does not give.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.certainty == POSSIBLE
    }

    /// The class as shown: `race`, or `possible race`.
    #[must_use]
    pub fn word(&self) -> String {
        match self.is_possible() {
            true => [POSSIBLE, " ", &self.class].concat(),
            false => self.class.clone(),
        }
    }

    /// The arguments that the host passes where it occurs, if they decide: `n = 3`.
    #[must_use]
    pub fn passed(&self) -> Option<&str> {
        self.decided().map(|(arguments, _)| arguments)
    }

    /// The same, and whether it then occurs in every schedule.
    fn decided(&self) -> Option<(&str, bool)> {
        let is = |fact: &Cause, field| fact.fields.get(field) == Some(&Value::Flag(true));
        let fact = self.cause.facts_of("arguments").find(|fact| is(fact, "decisive"))?;
        match fact.fields.get("arguments")? {
            Value::Text(arguments) => Some((arguments, is(fact, "always"))),
            _ => None,
        }
    }

    /// The schedules in which it occurs, with the arguments of the host that decide. If the search was not `whole`, other
    /// schedules may have it, too.
    #[must_use]
    pub fn occurs(&self, whole: bool) -> String {
        let (some, every) = ("in some schedules", "in every schedule");
        match (&*self.schedules, self.decided()) {
            ("all", _) => every.to_owned(),
            (_, Some((passed, always))) => {
                let when = if always { every } else { some };
                [when, " where the host passes ", passed].concat()
            }
            _ if !whole => "in some schedules (incomplete search)".to_owned(),
            _ => some.to_owned(),
        }
    }
}

/// Another place that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Related {
    /// The agent at this place.
    pub agent: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The relation to the finding.
    pub message: String,
}

/// Edits of the scenario that fix a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fix {
    /// Describes the edits.
    pub message: String,
    /// The edits in the order of the text, without overlaps.
    pub edits: Vec<Edit>,
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edit {
    /// Byte offset of the first replaced character.
    pub offset: u32,
    /// Number of replaced bytes.
    pub length: u32,
    /// Line of the place, from 1.
    pub line: u32,
    /// Column of the place, from 1.
    pub column: u32,
    /// The new text.
    pub replacement: String,
}

/// The judgement of a second oracle.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OracleReport {
    /// Its verdict.
    pub verdict: String,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// The measured behaviour of a compiler on the operations, independent of their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompilerReport {
    /// The version of LLVM.
    pub version: String,
    /// `ok` if it accepts everything, `unsupported` if it rejects something, `crash` if it crashes, `external-call` if
    /// it compiles an unknown intrinsic to a call of an external function.
    pub verdict: String,
    /// Its differences from the specification, one sentence each.
    pub notes: Vec<String>,
}

/// A reading under which the verdict changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ambiguity {
    /// Identifier of the reading.
    pub id: String,
    /// Verdict by choice.
    pub verdicts: BTreeMap<String, String>,
}

/// The number of *barrier-participates-in* relations that the same orders admit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParticipatesIn {
    /// The number of complete executions, distinguished by the order of every object. A deadlock is complete, undefined
    /// behaviour is not.
    pub executions: u64,
    /// Whether each of them has exactly one relation.
    pub unique: bool,
    /// The most that one of them has.
    pub most: u64,
}

/// Why one run of the program decides its verdict. `docs/one-run.md` has the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Certificate {
    /// The run, or one for each choice of the host.
    pub runs: Vec<CertifiedRun>,
}

/// A run of which every execution is another order of the same steps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CertifiedRun {
    /// The number of the host's choice, if it chooses.
    pub choice: Option<u32>,
    /// The barriers.
    pub objects: Vec<CertifiedObject>,
    /// All steps, in order.
    pub steps: Vec<CertifiedStep>,
    /// The touches of the steps on the barriers, in order.
    pub touches: Vec<CertifiedTouch>,
    /// The agents that never continue after these steps, with the operation that blocks them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub blocked: Vec<CertifiedStep>,
}

/// A barrier at launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CertifiedObject {
    /// Its name.
    pub name: String,
    /// Arrivals that complete a phase.
    pub needs: u32,
    /// The number of its first phase in words: 1, of an mbarrier object 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub first: u32,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CertifiedStep {
    /// The agent's name.
    pub agent: String,
    /// Line, from 1; 0 for the end of an agent without a statement.
    pub line: u32,
    /// The operation as written; `end` for the end of an agent.
    pub operation: String,
}

/// What a step does to a barrier. The numbers are 0 where they do not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CertifiedTouch {
    /// The step, from 0.
    pub step: u32,
    /// The barrier, from 0.
    pub object: u32,
    /// `participates`, `waits-next`, `waits-bit`, `waits-own`, `waits-parity`, `waits-token`, `changes-members`, `initialises`,
    /// `resets`, `uses` or `closes`.
    pub kind: String,
    /// The phase in which it participates or on which it depends, from 0.
    pub phase: Option<u32>,
    /// Arrivals and drops.
    pub count: u32,
    /// How many fewer arrivals later phases need.
    pub fewer: u32,
    /// The arrivals that complete a phase from now on, where the step says so.
    pub needs: u32,
    /// Bytes that it expects.
    pub expects: u32,
    /// Bytes that it completes.
    pub completes: u32,
    /// `arrives`: it can complete a phase; `keeps-expected`: it sets the count to the value that it has; `copy`: a copy
    /// performs it; `holds`: its agent continues after the completion; `after-wait`: it must follow a wait for the
    /// previous phase; `after-arrive`: it belongs to its phase only after an arrive.
    pub flags: Vec<String>,
}

/// The cost of the result.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// States visited, all oracles and readings of this report together.
    pub states: u64,
    /// Steps from one state to another in the search for the verdict, without those for other oracles and readings.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: u64,
    /// The number of maximal executions that the engine distinguishes: for `explore` the terminal states, up to the
    /// exchange of equal agents; for `axioms` all executions, including those that end with undefined behaviour. It
    /// differs from the number of `participates_in`.
    pub executions: u64,
    /// Milliseconds; 0 where the caller gave no clock.
    pub millis: f64,
}

/// A diagnostic as reported.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReportDiagnostic {
    /// Stable code.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Length in bytes.
    pub length: u32,
    /// Byte offset of the place.
    pub offset: u32,
    /// The problem.
    pub message: String,
    /// The suggested fix.
    pub suggestion: Option<String>,
    /// The replacement text.
    pub replacement: Option<String>,
}

/// A line of compiled code and the place in the source that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompiledFrom {
    /// The line of the text, from 1.
    pub line: u32,
    /// The file of the source, as the debug information names it.
    pub file: String,
    /// The line of the source, from 1.
    pub source_line: u32,
    /// The column of the source, from 1; 0 if it is not known.
    pub source_column: u32,
}

/// What an incomplete search proves: no undefined behaviour, violation, data race or deadlock occurs in the first steps of
/// any schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Proved {
    /// The number of steps.
    pub steps: u32,
    /// The number of states that these steps reach.
    pub states: u64,
}

impl Proved {
    /// The proof, as a clause.
    #[must_use]
    pub fn clause(&self) -> String {
        let steps = match self.steps {
            1 => "first step".to_owned(),
            steps => format!("first {steps} steps"),
        };
        format!(
            "no undefined behaviour, violation, data race or deadlock occurs in the {steps} of any schedule"
        )
    }
}

/// A search to continue with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Further {
    /// The limit on states to pass.
    pub max_states: u64,
    /// Its work at most, as a multiple of the work of this search.
    pub times: u64,
    /// The steps of [`Proved`] that it is expected to reach, if the number of states grows as before.
    pub steps: Option<u32>,
}

/// The report on one scenario and one target.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The file, as the caller named it.
    pub file: String,
    /// The scenario's title.
    pub title: String,
    /// The target.
    pub target: String,
    /// The verdict, or `invalid`.
    pub verdict: String,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// Why the search is incomplete, as a clause; `None` after a complete search.
    pub bound: Option<String>,
    /// What an incomplete search without a finding proves.
    #[cfg_attr(feature = "serde", serde(default))]
    pub proved: Option<Proved>,
    /// The search to continue with, if a limit on states, memory or work ended this one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub further: Option<Further>,
    /// How the verdict was reached: `fast`, `explore` or `axioms`.
    pub engine: String,
    /// Broken rules, worst first.
    pub findings: Vec<Finding>,
    /// The machine oracle, where the target has one.
    pub machine: Option<OracleReport>,
    /// The compiler oracle, where the target is a processor of it.
    pub compiler: Option<CompilerReport>,
    /// Readings that were chosen otherwise than by default: the choice by the reading.
    pub readings: BTreeMap<String, String>,
    /// Whether every execution ends with a blocked agent, under any rule.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stuck_everywhere: bool,
    /// Readings under which the verdict changes.
    pub ambiguities: Vec<Ambiguity>,
    /// The number of *barrier-participates-in* relations, if it was counted.
    pub participates_in: Option<ParticipatesIn>,
    /// Executions of the axioms that match no interleaving, where they were counted.
    pub outside_interleavings: Option<u64>,
    /// Why one run decides the verdict, if that was asked for and is so.
    #[cfg_attr(feature = "serde", serde(default))]
    pub certificate: Option<Certificate>,
    /// The command that compiled the file, if it was compiled to be judged.
    #[cfg_attr(feature = "serde", serde(default))]
    pub compiled_with: Option<String>,
    /// Where the lines of compiled code in this report come from, by its debug information.
    #[cfg_attr(feature = "serde", serde(default))]
    pub compiled_from: Vec<CompiledFrom>,
    /// The parts that were not checked, each with the reason, without a full stop; or [`IDLE`].
    pub limits: Vec<String>,
    /// The checked parts that represent others with the same behaviour, each as a clause.
    #[cfg_attr(feature = "serde", serde(default))]
    pub represented: Vec<String>,
    /// The cost of the result.
    pub stats: Stats,
    /// Errors and warnings on the scenario.
    pub diagnostics: Vec<ReportDiagnostic>,
}

impl Report {
    /// The report on a file that is not judged, because of these diagnostics.
    #[must_use]
    pub fn invalid(file: &str, diagnostics: Vec<ReportDiagnostic>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            file: file.to_owned(),
            verdict: "invalid".to_owned(),
            engine: "explore".to_owned(),
            diagnostics,
            ..Self::default()
        }
    }

    /// Returns the finding that determines the verdict; `None` if none does.
    #[must_use]
    pub fn ground(&self) -> Option<&Finding> {
        let rests = |finding: &&Finding| match finding.is_possible() {
            true => self.verdict == "unknown",
            false => finding.class == self.verdict,
        };
        self.findings.iter().find(rests)
    }

    /// Whether a finding of the hardware model is one of the specification, too: of the same class, at the same line, in the
    /// same schedules.
    #[must_use]
    pub fn has_alike(&self, of_machine: &Finding) -> bool {
        let place = |one: &Finding| (one.line, one.column);
        let alike = |one: &Finding| {
            (&one.class, &one.schedules) == (&of_machine.class, &of_machine.schedules)
                && one.is_possible() == of_machine.is_possible()
                && one.line.is_some()
                && place(one) == place(of_machine)
        };
        self.findings.iter().any(alike)
    }

    /// The part of the verdict that the hardware model can also give: on AMDGPU without memory, which the hardware
    /// model does not have.
    #[must_use]
    pub fn execution_verdict(&self) -> &str {
        const WORST_FIRST: [&str; 4] = ["unsupported", "ub", "violation", "deadlock"];
        let knows_memory = self.target.starts_with("sm_");
        if knows_memory || !self.findings.iter().any(Finding::concerns_memory) {
            return &self.verdict;
        }
        let execution = || self.findings.iter().filter(|finding| !finding.concerns_memory());
        let met = |class: &&str| execution().any(|finding| finding.class == **class);
        WORST_FIRST.into_iter().find(|class| met(class)).unwrap_or("ok")
    }

    /// Whether the hardware model agrees on execution: the same verdict, and for a deadlock the same schedules. `None`
    /// without a hardware model, or if an incomplete search can still change a verdict.
    #[must_use]
    pub fn machine_agrees(&self) -> Option<bool> {
        let machine = self.machine.as_ref()?;
        let known = |verdict: &str| verdict != "unknown";
        let text = self.execution_verdict();
        if !known(text) || !known(&machine.verdict) {
            return None;
        }
        let stuck = |findings: &[Finding]| {
            let deadlock = findings.iter().find(|finding| finding.class == "deadlock");
            deadlock.map(|finding| finding.schedules.clone())
        };
        let alike = text != "deadlock" || stuck(&self.findings) == stuck(&machine.findings);
        Some(text == machine.verdict && alike)
    }
}

impl Finding {
    /// Whether it is about memory: a race, or accesses that are outstanding.
    fn concerns_memory(&self) -> bool {
        self.class == "race" || self.rule == "amd.barrier.outstanding-memory"
    }
}
