//! A file of compiled code as a scenario: its header lines, its kernel, and the program of a launch.

use super::debug::DebugLines;
use super::written::Written;
use super::{cpp, language};
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion, report};
use crate::launching::{Launching, Parameter, Sizes, Unusable};
use crate::lower::agents::{Words, agent_names};
use crate::parse;
use crate::scenario::{Compiled, Scenario, Source};
use crate::suggest;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::evaluate::{Launch, Note, Request, evaluate, evaluate_grown};
use tidegate_kernel::ir::{
    Argument, ArgumentId, Instruction, Kernel, Kind, Machine, Module, Place, Space,
};
use tidegate_model::program;
use tidegate_model::ptx::sizes;

/// A kernel that is judged, with the choices of the caller and of header lines.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    module: Module,
    kernel: usize,
    launching: Launching,
    text: String,
    /// Where each line begins.
    lines: Vec<u32>,
    /// The text from which the code was compiled, if it is known.
    written: Option<Written>,
}

/// Words that begin a header line of a file of code, apart from those that choose the launch.
const HEADERS: [&str; 6] = ["title", "note", "lesson", "target", "reading", "expect"];
/// Words that begin a header line that chooses the launch and its arguments.
const CHOICES: [&str; 4] = ["launch", "argument", "const", "entry"];

/// Reads a file of compiled code, with header lines around it; `None` for a text of another kind. A choice of the caller
/// wins over a header line, and this one over the file. If the text from which the code was compiled is given, it has the header
/// lines, and its lines are those of the scenario.
pub(crate) fn scenario(
    text: &str,
    launching: &Launching,
    written: Option<&str>,
) -> Option<Scenario> {
    if written.is_none() && super::is_of_cpp(text) {
        return Some(of_source(text, launching));
    }
    let debug = DebugLines::read(text);
    of_code(text, launching, written, debug)
}

/// Compiles a text of CUDA C++ or HIP, and reads the result.
fn of_source(text: &str, launching: &Launching) -> Scenario {
    let (headers, ..) = split(text, cpp::shows);
    let mut scenario = parse::read(&headers, &Launching::default());
    let target = launching.processor.or(scenario.target);
    match cpp::compile(&without_headers(text), target, &launching.headers) {
        Ok(code) => of_code(&code.code, launching, Some(text), code.lines).unwrap_or(scenario),
        Err(error) => {
            report(&mut scenario.diagnostics, error);
            scenario
        }
    }
}

/// Reads compiled code with its debug information.
fn of_code(
    text: &str,
    launching: &Launching,
    written: Option<&str>,
    debug: DebugLines,
) -> Option<Scenario> {
    let language = language(text)?;
    let begins = |line: &str| written.is_none() && (language.shows)(line);
    let (headers, choices, code) = split(written.unwrap_or(text), begins);
    let code = if written.is_some() { text.into() } else { code };
    let written = written.map(|written| Written::new(written, debug.clone()));
    let mut scenario = parse::read(&headers, &Launching::default());
    let mut launching = launching.clone();
    for (line, span) in choices {
        if let Err(unusable) = choose(&mut launching, line) {
            report(&mut scenario.diagnostics, wrong(span, unusable));
        }
    }
    match (language.read)(&code) {
        Ok(module) => {
            scenario.target = scenario.target.or(module.target);
            scenario.entries = module.kernels.iter().map(|kernel| kernel.name.clone()).collect();
            let kernel = match &launching.entry {
                Some(entry) => scenario.entries.iter().position(|name| name == entry),
                None => Some(0),
            };
            match kernel {
                Some(kernel) => {
                    let ends = code.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n');
                    let lines = core::iter::once(0).chain(ends.map(|(_, at)| at)).collect();
                    let chosen = Chosen { module, kernel, launching, text: code, lines, written };
                    scenario.kernel = Some(Rc::new(chosen));
                }
                None => {
                    let message = format!(
                        "no kernel is named `{}`; the text has {}",
                        launching.entry.unwrap_or_default(),
                        scenario.entries.join(", ")
                    );
                    let error = Diagnostic::error("unknown-name", Span::default(), message);
                    report(&mut scenario.diagnostics, error);
                }
            }
        }
        Err(mut error) => {
            if let Some(written) = &written {
                error.span = written.statement(error.span.line);
            }
            report(&mut scenario.diagnostics, error);
        }
    }
    scenario.debug = debug;
    Some(scenario)
}

/// Lines with their places.
type Lines<'a> = Vec<(&'a str, Span)>;

/// Splits a text into header lines for the scenario, lines that choose the launch, and the code; each with blanks instead of
/// the others. Below the first line of code, a header line begins in the first column and names no target, because lines of
/// LLVM IR do.
fn split(text: &str, begins: impl Fn(&str) -> bool) -> (String, Lines<'_>, String) {
    let (mut headers, mut choices, mut code) = (String::new(), Vec::new(), String::new());
    let (mut length, mut above) = (0, true);
    for (line, whole) in (1..).zip(text.split_inclusive('\n')) {
        let trimmed = whole.trim();
        let word = trimmed.split(char::is_whitespace).next().unwrap_or("");
        above &= !begins(trimmed);
        let is_header = match above {
            true => word.is_empty() || HEADERS.contains(&word),
            false => whole.starts_with(word) && word != "target" && HEADERS.contains(&word),
        };
        let is_choice = CHOICES.contains(&word)
            && (above || whole.starts_with(word))
            && (word != "const" || is_argument(trimmed));
        above &= is_header || is_choice;
        if is_choice {
            let (start, column) = (length as u32, 1);
            choices.push((trimmed, Span { start, length: trimmed.len() as u32, line, column }));
        }
        let blank = blanked(whole);
        headers += if is_header { whole } else { &blank };
        code += if is_header || is_choice { &blank } else { whole };
        length += whole.len();
    }
    (headers, choices, code)
}

/// Whether a line that begins with `const` gives a parameter a value, and is no declaration of C.
fn is_argument(line: &str) -> bool {
    line.split_whitespace().nth(2) == Some("=") && !line.ends_with(';')
}

/// The text with blanks instead of its header lines.
pub(crate) fn without_headers(text: &str) -> String {
    split(text, |_| false).2
}

/// As many blanks as bytes, and the same line ends.
fn blanked(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// Takes a header line that chooses the launch; what the caller chose stays.
fn choose(launching: &mut Launching, line: &str) -> Result<(), Unusable> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let mut own = Launching::default();
    match word {
        "launch" => own.add_launch(rest)?,
        "argument" | "const" => own.add_argument(rest)?,
        _ => own.entry = Some(rest.trim().into()),
    }
    if !launching.sizes_group() {
        (launching.threads, launching.waves) =
            (launching.threads.or(own.threads), launching.waves.or(own.waves));
    }
    launching.groups = launching.groups.or(own.groups);
    launching.cluster = launching.cluster.or(own.cluster);
    launching.entry = launching.entry.take().or(own.entry);
    for (parameter, value) in own.arguments {
        if !launching.arguments.iter().any(|(known, _)| *known == parameter) {
            launching.arguments.push((parameter, value));
        }
    }
    Ok(())
}

fn wrong(span: Span, unusable: Unusable) -> Diagnostic {
    let suggestion = Some(Suggestion { message: unusable.help, replacement: None });
    Diagnostic { suggestion, ..Diagnostic::error("invalid-value", span, unusable.message) }
}

impl Chosen {
    fn kernel(&self) -> Option<&Kernel> {
        self.module.kernels.get(self.kernel)
    }

    /// The launch: as chosen, otherwise as the text says, otherwise a guess. The second value: whether the size of a workgroup
    /// is a guess.
    fn launch(&self, kernel: &Kernel) -> (Launch, bool) {
        let (mut launch, guessed) = Launch::of(&kernel.facts);
        let each = |sizes: Option<Sizes>, known| sizes.map_or(known, |sizes| sizes.each);
        launch.cluster = each(self.launching.cluster, launch.cluster);
        let fitting = if self.launching.cluster.is_some() { launch.cluster } else { launch.groups };
        launch.groups = each(self.launching.groups, fitting);
        launch.threads = each(self.launching.threads, launch.threads);
        if let Some(waves) = self.launching.waves {
            let lanes = self.launching.threads.map_or(i64::from(launch.lanes), Sizes::all);
            let threads = i64::from(waves).saturating_mul(lanes).min(1 << 16);
            launch.threads = [threads as u32, 1, 1];
        }
        (launch.bounded(), guessed && !self.launching.sizes_group())
    }

    /// The values that are given for arguments.
    fn given(&self, kernel: &Kernel) -> Vec<(ArgumentId, i64)> {
        let value = |(at, argument): (usize, &Argument)| {
            let position = match kernel.parameters.is_empty() {
                true => Some(at),
                false => kernel.parameters.iter().position(|name| *name == argument.name),
            };
            let value = self.launching.value(&argument.name, position)?;
            Some((at as ArgumentId, value))
        };
        self.module.arguments.iter().enumerate().filter_map(value).collect()
    }

    /// Values that the caller gives for parameters that no kernel of the text has.
    fn without_parameter(&self, kernel: &Kernel) -> Vec<Diagnostic> {
        let kernels = self.module.kernels.iter();
        let declared = kernels.clone().flat_map(|one| &one.parameters);
        let used = self.module.arguments.iter().map(|argument| &argument.name);
        let most = kernels.map(|one| one.parameters.len()).max().unwrap_or(0);
        let most = if most == 0 { self.module.arguments.len() } else { most };
        let mut names: Vec<&str> = Vec::new();
        for name in declared.chain(used) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let mut errors = Vec::new();
        for (parameter, _) in &self.launching.arguments {
            let (known, shown, near) = match parameter {
                Parameter::Name(name) => {
                    let known = names.contains(&name.as_str());
                    (known, format!("`{name}`"), suggest::instead(name, names.iter().copied()))
                }
                Parameter::Position(at) => (*at < most, format!("at position {at}"), None),
            };
            if known {
                continue;
            }
            let suggestion = near.or_else(|| suggest::listed(names.iter().copied()));
            let message = format!("the kernel has no parameter {shown}");
            let error = Diagnostic::error("unknown-argument", self.span(kernel.place), message);
            errors.push(Diagnostic { suggestion, ..error });
        }
        errors
    }

    fn span(&self, place: Place) -> Span {
        let span = self.span_of_code(place);
        self.written.as_ref().map_or(span, |written| written.statement(span.line))
    }

    fn span_of_code(&self, place: Place) -> Span {
        let line = self.lines.partition_point(|&start| start <= place.start).max(1);
        let begin = self.lines.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(begin as usize..place.start as usize);
        let column = before.map_or(0, |before| before.chars().count()) as u32 + 1;
        let length = place.end.saturating_sub(place.start);
        Span { start: place.start, length, line: line as u32, column }
    }

    fn source(&self, place: Place) -> Source {
        let span = self.span(place);
        if let Some(written) = &self.written {
            return Source { span, text: written.words(span), needs: Vec::new() };
        }
        let text = self.text.get(place.start as usize..place.end as usize).unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        Source { span, text: words.join(" "), needs: Vec::new() }
    }

    fn diagnostic(&self, note: &Note, severity: Severity) -> Diagnostic {
        let error = Diagnostic::error("not-followed", self.span(note.place), note.message.clone());
        Diagnostic { severity, ..error }
    }

    /// A warning that several workgroups may race, if nothing gives their number and the kernel writes global memory.
    fn of_one_group(&self, kernel: &Kernel, launch: program::Launch) -> Option<Diagnostic> {
        let (one, key) = match self.module.machine {
            Machine::Amdgpu => ("workgroup", "groups"),
            Machine::Nvidia => ("CTA", "ctas"),
            Machine::Opencl => ("work-group", "groups"),
        };
        let writes = |instruction: &Instruction| match &instruction.kind {
            Kind::Access(access) => {
                access.writes && matches!(access.space, Space::Global | Space::Generic)
            }
            _ => false,
        };
        let blocks = self.module.functions.iter().flat_map(|function| &function.blocks);
        let writes = blocks.flat_map(|block| &block.instructions).any(writes);
        if self.launching.groups.is_some() || launch.clusters > 1 || !writes {
            return None;
        }
        let count = match launch.workgroups {
            1 => format!("one {one}"),
            count => format!("one cluster of {count} {one}s"),
        };
        let more = launch.workgroups.saturating_mul(2);
        let message = format!(
            "the text does not give the number of {one}s; this verdict is for {count}: add `launch {key}={more}` to check races between {one}s"
        );
        let error = Diagnostic::error("launch-size", self.span(kernel.place), message);
        Some(Diagnostic { severity: Severity::Warning, ..error })
    }

    /// Evaluates the kernel.
    ///
    /// # Errors
    ///
    /// A kernel that takes too many steps, or a launch of too many agents.
    pub(crate) fn compile(&self) -> Result<Compiled, Vec<Diagnostic>> {
        let Some(kernel) = self.kernel() else { return Err(Vec::new()) };
        let errors = self.without_parameter(kernel);
        if !errors.is_empty() {
            return Err(errors);
        }
        let (launch, guessed) = self.launch(kernel);
        let given = self.given(kernel);
        let request = Request { module: &self.module, kernel, launch, given: &given };
        let evaluated = match guessed {
            true => evaluate_grown(request),
            false => evaluate(&request).map(|evaluated| (launch, evaluated)),
        };
        let (launch, evaluated) =
            evaluated.map_err(|note| alloc::vec![self.diagnostic(&note, Severity::Error)])?;
        let mut program = evaluated.program;
        sizes::infer(&mut program);
        let groups: Vec<u32> = (0..program.launch.workgroups).collect();
        let words = match self.module.machine {
            Machine::Amdgpu => Words::Amdgpu,
            Machine::Nvidia => Words::Nvidia,
            Machine::Opencl => Words::Opencl,
        };
        let apart = program.lanes_apart();
        let mut warnings: Vec<Diagnostic> =
            evaluated.open.iter().map(|note| self.diagnostic(note, Severity::Warning)).collect();
        if guessed {
            let message = format!(
                "the text does not give the size of a workgroup; this verdict is for {} threads",
                launch.group_size()
            );
            let note = Note { place: kernel.place, message };
            warnings.push(self.diagnostic(&note, Severity::Warning));
        }
        warnings.extend(self.of_one_group(kernel, program.launch));
        let sources = evaluated.places.iter();
        let sources =
            sources.map(|places| places.iter().map(|&place| self.source(place)).collect());
        Ok(Compiled {
            agent_names: agent_names(program.launch, &groups, apart, words),
            sources: sources.collect(),
            program,
            plain_names: Vec::new(),
            mbarrier_names: evaluated.mbarriers,
            named_names: Vec::new(),
            buffer_names: evaluated.buffers,
            barrier_names: Vec::new(),
            restricted: Vec::new(),
            passed: evaluated.passed,
            warnings,
        })
    }
}
