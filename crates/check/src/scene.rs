//! A scenario's text, parsed and compiled once, cheap to clone.

pub(crate) mod host;
pub(crate) mod proxies;

use crate::reader;
use crate::report::ReportDiagnostic;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_explore::WORK;
use tidegate_lang::diagnostic::{Diagnostic, Severity};
use tidegate_lang::launching::Launching;
use tidegate_lang::scenario::{Compiled, Expectation, Scenario};
use tidegate_lang::source::{Assumed, Restricted, Source};
use tidegate_model::axioms::rules::CAN_BE_LEFT_OUT;
use tidegate_model::context::Context;
use tidegate_model::instance::InstanceId;
use tidegate_model::mem::operation::{BufferId, Range};
use tidegate_model::operation::Object;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::support;
use tidegate_model::target::TargetId;

/// A scenario ready to be judged and stepped.
#[derive(Clone, Debug)]
pub struct Scene(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    file: String,
    text: String,
    launching: Launching,
    /// Whether a compiler made the code from the text, so that another text needs the compiler again.
    elsewhere: bool,
    scenario: Scenario,
    compiled: Option<Compiled>,
    context: Option<Rc<Context>>,
    diagnostics: Vec<Diagnostic>,
}

impl Scene {
    /// Reads a text. Never fails: what is wrong with it is among [`Scene::diagnostics`].
    ///
    /// ```
    /// use tidegate_check::Scene;
    ///
    /// let scene = Scene::new("typo.tide", "target gfx1250\nwave 0 { arive wg }\n");
    /// assert!(!scene.is_valid());
    /// assert_eq!(scene.diagnostics()[0].replacement.as_deref(), Some("arrive"));
    /// ```
    #[must_use]
    pub fn new(file: &str, text: &str) -> Self {
        Self::launched(file, text, &Launching::default())
    }

    /// Reads a text whose kernel is launched as the caller chooses. The choices win over the text.
    ///
    /// ```
    /// use tidegate_check::{Launching, Scene};
    ///
    /// let mut launching = Launching::default();
    /// launching.add_launch("groups=1 threads=64").unwrap();
    /// launching.add_argument("n=16").unwrap();
    /// let kernel = "kernel void k(global int *a, int n) { a[get_global_id(0)] = n; }";
    /// let scene = Scene::launched("k.cl", kernel, &launching);
    /// assert_eq!(scene.context().unwrap().program.launch.lanes, 64);
    /// ```
    #[must_use]
    pub fn launched(file: &str, text: &str, launching: &Launching) -> Self {
        Self::of(
            file,
            text,
            launching,
            tidegate_lang::parse_with(text, launching, reader::read),
            false,
        )
    }

    /// Reads code that a compiler made from a text. Positions, steps and findings are those of the text, where the code has debug
    /// information. `None` if the code is in no known language.
    #[must_use]
    pub fn compiled_elsewhere(
        file: &str,
        text: &str,
        code: &str,
        launching: &Launching,
    ) -> Option<Self> {
        let scenario = tidegate_lang::parse_compiled(code, text, launching, reader::read)?;
        Some(Self::of(file, text, launching, scenario, true))
    }

    fn of(
        file: &str,
        text: &str,
        launching: &Launching,
        scenario: Scenario,
        elsewhere: bool,
    ) -> Self {
        let (compiled, diagnostics) = match tidegate_lang::compile(&scenario) {
            Ok(mut compiled) => {
                proxies::follow(&mut compiled);
                let found = scenario.diagnostics.iter().chain(&compiled.warnings).cloned();
                let found = found.collect();
                (Some(compiled), found)
            }
            Err(diagnostics) => (None, diagnostics),
        };
        let context = compiled
            .as_ref()
            .map(|compiled| Rc::new(Context::new(Rc::new(compiled.program.clone()))));
        Self(Rc::new(Inner {
            file: file.to_owned(),
            text: text.to_owned(),
            launching: launching.clone(),
            elsewhere,
            scenario,
            compiled,
            context,
            diagnostics,
        }))
    }

    /// Another text of the same file, launched in the same way.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        let launching = &self.0.launching;
        let scenario = tidegate_lang::parse_like(&self.0.scenario, text, launching, reader::read);
        Self::of(self.file(), text, launching, scenario, false)
    }

    /// The scenario with the choices of the caller as header lines. `None` if the text already has such lines.
    #[must_use]
    pub fn self_contained(&self) -> Option<Self> {
        if self.0.launching == Launching::default() {
            return Some(self.clone());
        }
        let scene = Self::new(self.file(), &self.0.launching.within(self.text()));
        (scene.is_valid() || !self.is_valid()).then_some(scene)
    }

    /// Whether an edit of the text can be tried here, without another compiler.
    #[must_use]
    pub fn can_be_edited(&self) -> bool {
        !self.0.elsewhere
    }

    /// Where a line of compiled code comes from, by its debug information.
    #[must_use]
    pub fn compiled_from(&self, line: u32) -> Option<tidegate_lang::CompiledFrom<'_>> {
        if self.0.elsewhere { None } else { self.0.scenario.debug.at(line) }
    }

    /// What the lines of compiled code do; empty for other texts.
    #[must_use]
    pub fn line_classes(&self) -> &[(u32, tidegate_lang::LineClass)] {
        if self.0.elsewhere { &[] } else { &self.0.scenario.classes }
    }

    /// Whether its program is from compiled code.
    pub(crate) fn is_compiled(&self) -> bool {
        !self.0.scenario.classes.is_empty()
    }

    /// The names of the kernels in the text, in its order.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.0.scenario.entries
    }

    /// The same text with another program, made from it.
    pub(crate) fn with_program(&self, compiled: Compiled) -> Self {
        let context = Rc::new(Context::new(Rc::new(compiled.program.clone())));
        Self(Rc::new(Inner {
            file: self.0.file.clone(),
            text: self.0.text.clone(),
            launching: self.0.launching.clone(),
            elsewhere: self.0.elsewhere,
            scenario: self.0.scenario.clone(),
            compiled: Some(compiled),
            context: Some(context),
            diagnostics: self.0.diagnostics.clone(),
        }))
    }

    /// The program in which a sub-group of OpenCL is one agent, or why there is none.
    pub(crate) fn sub_groups(&self) -> Result<Compiled, Vec<Diagnostic>> {
        let inner = &self.0;
        tidegate_lang::compile_sub_groups(&inner.scenario, &inner.text, &inner.launching)
    }

    /// The arguments of each choice of the host; empty without a choice.
    pub(crate) fn passed(&self) -> &[String] {
        self.0.compiled.as_ref().map_or(&[], |compiled| &compiled.passed)
    }

    /// The parts of the launch of compiled code that nothing gives; `None` if there is no program.
    #[must_use]
    pub fn assumed(&self) -> Option<&Assumed> {
        self.0.compiled.as_ref().map(|compiled| &compiled.assumed)
    }

    /// The shortest choice of arguments by the host that performs most of the text.
    pub(crate) fn fullest_choice(&self) -> Option<usize> {
        host::fullest(self.0.compiled.as_ref()?)
    }

    /// How many instructions of compiled code were evaluated.
    pub(crate) fn steps(&self) -> u64 {
        self.0.compiled.as_ref().map_or(0, |compiled| compiled.steps)
    }

    /// The file, as the caller named it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The title, or an empty string.
    #[must_use]
    pub fn title(&self) -> &str {
        self.0.scenario.title.as_deref().unwrap_or_default()
    }

    /// The notes, as Markdown.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.0.scenario.notes
    }

    /// The target that the scenario names.
    #[must_use]
    pub fn target(&self) -> Option<TargetId> {
        self.0.scenario.target
    }

    /// The readings that the scenario chooses; the defaults for the others.
    #[must_use]
    pub fn readings(&self) -> Readings {
        let chosen = self.0.scenario.readings.iter();
        chosen.fold(Readings::default(), |readings, &(id, choice, _)| readings.with(id, choice))
    }

    /// The expectations.
    #[must_use]
    pub fn expectations(&self) -> &[Expectation] {
        &self.0.scenario.expectations
    }

    /// Whether it can be judged.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.0.context.is_some()
    }

    /// Why a well-formed scenario cannot be judged: the limit that it exceeds, as a sentence without its full stop.
    #[must_use]
    pub fn exceeds(&self) -> Option<&str> {
        let errors = || self.0.diagnostics.iter().filter(|found| found.is_error());
        let limited = errors().all(|found| LIMITS.contains(&found.code));
        errors().next().filter(|_| limited).map(|found| found.message.as_str())
    }

    /// Errors and warnings on the scenario.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<ReportDiagnostic> {
        self.0.diagnostics.iter().map(report).collect()
    }

    /// The analysed program.
    #[must_use]
    pub fn context(&self) -> Option<Rc<Context>> {
        self.0.context.clone()
    }

    /// Whether any operation is on memory: an access, a copy, a fence or a mark.
    #[must_use]
    pub fn accesses_memory(&self) -> bool {
        use tidegate_model::operation::Action;
        use tidegate_model::ptx::action::Action as Ptx;
        let is = |action| matches!(action, Action::Memory(_) | Action::Ptx(Ptx::Copy { .. }, _));
        let context = self.0.context.as_ref();
        context.is_some_and(|context| context.operations().any(|(_, _, one)| is(one.action)))
    }

    /// The name of an agent.
    #[must_use]
    pub fn agent_name(&self, agent: usize) -> &str {
        self.0.compiled.as_ref().map_or("", |compiled| &compiled.agent_names[agent])
    }

    /// Returns the source of a node of an agent.
    #[must_use]
    pub fn source(&self, agent: usize, node: u32) -> Source {
        let compiled = self.0.compiled.as_ref();
        compiled
            .and_then(|compiled| compiled.sources[agent].get(node as usize).cloned())
            .unwrap_or_default()
    }

    /// The name of an object as the scenario spells it.
    #[must_use]
    pub fn object_name(&self, object: Object) -> String {
        let declared = |compiled: &Compiled| match object {
            Object::Plain(index) => compiled.plain_names.get(usize::from(index)).cloned(),
            _ => compiled
                .named_names
                .iter()
                .find(|(id, _)| Some(*id) == object.id())
                .map(|(_, name)| name.clone()),
        };
        let predeclared = || match object {
            Object::Workgroup => "wg".to_owned(),
            Object::Cluster => "cluster".to_owned(),
            Object::Null => "null".to_owned(),
            other => other.id().map_or_else(String::new, |id| format!("barrier {id}")),
        };
        self.0.compiled.as_ref().and_then(declared).unwrap_or_else(predeclared)
    }

    /// The named barriers that the scenario declares: ID and name, each ID and name once.
    pub fn named_barriers(&self) -> impl Iterator<Item = (i64, &str)> {
        let compiled = self.0.compiled.iter();
        let named = compiled.flat_map(|compiled| &compiled.named_names);
        named.map(|(id, name)| (*id, name.as_str()))
    }

    /// The name of a declared memory.
    #[must_use]
    pub fn buffer_name(&self, buffer: BufferId) -> String {
        let compiled = self.0.compiled.as_ref();
        compiled
            .and_then(|compiled| compiled.buffer_names.get(usize::from(buffer)).cloned())
            .unwrap_or_default()
    }

    /// The names of the barriers that a text can name, without an index.
    pub(crate) fn barrier_names(&self) -> Vec<String> {
        let base = |name: &String| name.split('[').next().map(str::to_owned).unwrap_or_default();
        let declared = self.0.compiled.iter().flat_map(|it| {
            let named = it.named_names.iter().map(|(_, name)| name);
            it.plain_names.iter().chain(&it.mbarrier_names).chain(&it.barrier_names).chain(named)
        });
        let mut names: Vec<String> = declared.map(base).collect();
        names.extend(["wg", "cluster"].map(str::to_owned));
        names.sort();
        names.dedup();
        names
    }

    /// Whether a range is the whole of its memory.
    #[must_use]
    pub(crate) fn is_whole(&self, range: &Range) -> bool {
        let buffers = self.0.compiled.as_ref().map(|compiled| &compiled.program.buffers);
        let buffer = buffers.and_then(|buffers| buffers.get(usize::from(range.buffer)));
        buffer.is_some_and(|buffer| range.start == 0 && range.end == buffer.size)
    }

    /// The name of a declared mbarrier object: `full` or `full[0]`.
    #[must_use]
    pub fn mbarrier_name(&self, index: u16) -> String {
        let names = self.0.compiled.as_ref().map(|compiled| &compiled.mbarrier_names);
        names.and_then(|names| names.get(usize::from(index)).cloned()).unwrap_or_default()
    }

    /// The name of a named barrier of OpenCL, by number of its declaration.
    #[must_use]
    pub fn named_barrier_name(&self, declared: u16) -> String {
        let names = self.0.compiled.as_ref().map(|compiled| &compiled.barrier_names);
        names.and_then(|names| names.get(usize::from(declared)).cloned()).unwrap_or_default()
    }

    /// Violations of the restrictions on the type of OpenCL's named barriers.
    #[must_use]
    pub fn restricted(&self) -> &[Restricted] {
        self.0.compiled.as_ref().map_or(&[], |compiled| &compiled.restricted)
    }

    /// The name of an instance: the name of the object, with its workgroup or cluster if there are several.
    #[must_use]
    pub fn instance_name(&self, instance: InstanceId) -> String {
        let Some(context) = &self.0.context else { return String::new() };
        let Some(&instance) = context.instances.list.get(usize::from(instance)) else {
            return self.object_name(Object::Null);
        };
        let name = self.object_name(instance.object);
        let launch = context.program.launch;
        match instance.object {
            Object::Plain(_) => name,
            Object::Cluster if launch.clusters > 1 => {
                format!("{name} of cluster {}", instance.place)
            }
            Object::Cluster => name,
            _ if launch.workgroups > 1 => format!("{name} of workgroup {}", instance.place),
            _ => name,
        }
    }
}

/// Codes of limits on the evaluation of a well-formed scenario.
const LIMITS: [&str; 4] = ["bound-steps", "bound-operations", "bound-memory", "bound-agents"];

/// Options of a check: target, readings and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The target; none: the scenario's own, or `model`.
    pub target: Option<TargetId>,
    /// Readings that override the scenario's own.
    pub readings: Vec<(ReadingId, u8)>,
    /// Largest number of states of one search; `None`: 1,000,000.
    pub max_states: Option<u64>,
    /// Largest work of one search, in units of about ten nanoseconds; it grows if `max_states` exceeds its default.
    pub max_work: u64,
    /// Whether to judge the other readings too.
    pub ambiguities: bool,
    /// Whether to ask the machine oracle.
    pub machine: bool,
    /// Whether to search for shorter witnesses than the first one found.
    pub shortest: bool,
    /// Whether to search again for what every schedule breaks, where undefined behaviour ends some of them early.
    pub every_schedule: bool,
    /// Whether to count the *barrier-participates-in* relations whatever the size.
    pub participates_in: bool,
    /// Whether to add the certificate of a verdict that one run proves.
    pub certificate: bool,
    /// The engine for the verdict of the specification.
    pub engine: Engine,
    /// Relaxed rules of the AMDGPU specification, each of [`CAN_BE_LEFT_OUT`]; others are ignored. If there are any,
    /// the axioms determine the verdict.
    ///
    /// [`CAN_BE_LEFT_OUT`]: tidegate_model::axioms::rules::CAN_BE_LEFT_OUT
    pub without: Vec<RuleId>,
}

/// The engine for the verdict of the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Whichever way reaches it first.
    #[default]
    Auto,
    /// Every interleaving, reduced.
    Explore,
    /// Every interleaving, step by step and without reductions, to compare with other model checkers.
    Plain,
    /// Candidate executions, judged by the axioms. These do not cover memory; exploration finds races and outstanding
    /// operations.
    Axioms,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: None,
            readings: Vec::new(),
            max_states: None,
            max_work: WORK,
            ambiguities: true,
            machine: true,
            shortest: true,
            every_schedule: true,
            participates_in: false,
            certificate: false,
            engine: Engine::Auto,
            without: Vec::new(),
        }
    }
}

impl Options {
    /// These options for a verdict and its findings, without what a report adds to them.
    pub(crate) fn for_verdict(&self) -> Self {
        Self {
            ambiguities: false,
            machine: false,
            shortest: false,
            every_schedule: false,
            participates_in: false,
            certificate: false,
            ..self.clone()
        }
    }

    /// The rules that are left out, by number.
    pub(crate) fn left_out(&self) -> u64 {
        let known = self.without.iter().filter(|rule| CAN_BE_LEFT_OUT.contains(rule));
        known.fold(0, |set, rule| set | 1 << *rule as u32)
    }

    /// Whether the target does not support operations of a scenario; its steps are then those of the specification.
    #[must_use]
    pub fn lacks(&self, scene: &Scene) -> bool {
        let lacks = |context: &Context| {
            let (target, readings) = (self.target_of(scene).get(), self.readings_of(scene));
            !support::lacking(context, target, readings).is_empty()
        };
        scene.context().is_some_and(|context| lacks(&context))
    }

    /// The target to judge a scenario on.
    #[must_use]
    pub fn target_of(&self, scene: &Scene) -> TargetId {
        self.target
            .or(scene.target())
            .or_else(|| TargetId::from_name("model"))
            .unwrap_or(TargetId(0))
    }

    /// The readings to judge a scenario under.
    #[must_use]
    pub fn readings_of(&self, scene: &Scene) -> Readings {
        self.readings
            .iter()
            .fold(scene.readings(), |readings, &(id, choice)| readings.with(id, choice))
    }
}

fn report(diagnostic: &Diagnostic) -> ReportDiagnostic {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    ReportDiagnostic {
        code: diagnostic.code.to_owned(),
        severity: severity.to_owned(),
        line: diagnostic.span.line,
        column: diagnostic.span.column,
        length: diagnostic.span.length,
        offset: diagnostic.span.start,
        message: diagnostic.message.clone(),
        suggestion: diagnostic.suggestion.as_ref().map(|suggestion| suggestion.message.to_string()),
        replacement: diagnostic
            .suggestion
            .as_ref()
            .and_then(|suggestion| suggestion.replacement.clone()),
    }
}
