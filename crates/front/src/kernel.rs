//! The chosen kernel of compiled code, and the program of its launch.

use super::alike::are_alike;
use super::arguments::Given;
use super::classes;
use super::cpp::{self, HostLaunch};
use super::llvm::prefixed;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::evaluate::{Launch, Note, Request, evaluate, evaluate_grown};
use tidegate_kernel::ir::{
    Function, Instruction, Kernel, Kind, Machine, Module, NvidiaKind, Operand, Place, Space,
    Special,
};
use tidegate_lang::compiled::classes::LineClasses;
use tidegate_lang::compiled::written::Written;
use tidegate_lang::compiled::{Code, Language, Reading};
use tidegate_lang::diagnostic::{Diagnostic, Severity, Span};
use tidegate_lang::launching::{Parameter, Sizes};
use tidegate_lang::scenario::Compiled;
use tidegate_lang::source::{Assumed, Source};
use tidegate_lang::{Words, agent_names};
use tidegate_model::program;
use tidegate_model::ptx::sizes;

/// Reads compiled code and evaluates the chosen kernel.
#[must_use]
pub fn read(code: &Code) -> Reading {
    let mut reading = Reading::default();
    let made = match code.language {
        Language::Cpp | Language::Opencl => Some(compiled(code)),
        _ => None,
    };
    let llvm;
    let (code, launches) = match made {
        Some(Ok((made, launches))) => {
            llvm = made;
            (&llvm, launches)
        }
        Some(Err(error)) => return Reading { error: Some(error), ..reading },
        None => (code, launched(code)),
    };
    match (crate::front_end(code.language))(code) {
        Ok(module) => {
            reading.target = module.target;
            reading.classes = Chosen::new(&module, 0, code).classes();
            reading.entries = module.kernels.iter().map(|kernel| kernel.name.clone()).collect();
            match chosen(code, &reading.entries) {
                Ok(kernel) => {
                    let name = module.kernels.get(kernel).map(|kernel| &kernel.name);
                    let name = name.map(|name| written_name(name));
                    let host = launches.iter().find(|one| Some(&*one.kernel) == name);
                    let (code, given) = by_host(code, host);
                    let varies = host.is_some_and(|host| host.threads.is_none());
                    let compiled = Chosen::new(&module, kernel, &code).compile(varies);
                    reading.program = Some(compiled.map(|mut compiled| {
                        compiled.warnings.extend(given);
                        compiled
                    }));
                }
                Err(error) => reading.error = Some(error),
            }
        }
        Err(error) => {
            let span = code.written.as_ref().map(|written| written.statement(error.span.line));
            reading.error = Some(Diagnostic { span: span.unwrap_or(error.span), ..error });
        }
    }
    reading
}

/// Compiles a source to LLVM IR.
fn compiled(source: &Code) -> Result<(Code, Vec<HostLaunch>), Diagnostic> {
    let headers = &source.launching.headers;
    let made = match source.language {
        Language::Opencl => cpp::compile_opencl(&source.text, headers)?,
        _ => cpp::compile(&source.text, source.target, headers)?,
    };
    let written = Some(Written::new(&source.text, made.lines));
    let code = Code { text: made.code, language: Language::Llvm, written, ..source.clone() };
    Ok((code, made.launches))
}

/// The launches in the source of code that another compiler made.
fn launched(code: &Code) -> Vec<HostLaunch> {
    let source = code.written.as_ref().map(Written::text).filter(|text| text.contains("<<<"));
    let source = source.map(tidegate_lang::without_headers);
    let headers = &code.launching.headers;
    source.map(|text| cpp::launches(&text, code.target, headers)).unwrap_or_default()
}

/// Sizes in as many dimensions as they need.
fn shown([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => format!("{x}"),
        (_, 1) => format!("{x}x{y}"),
        _ => format!("{x}x{y}x{z}"),
    }
}

/// The code with what the host gives and the caller does not, and a warning that names it.
fn by_host(code: &Code, host: Option<&HostLaunch>) -> (Code, Option<Diagnostic>) {
    let mut code = code.clone();
    let Some(host) = host else { return (code, None) };
    let launching = &mut code.launching;
    let mut parts = Vec::new();
    let sizes = |each| Sizes { each, dimensions: 3 };
    if let Some(groups) = host.groups.filter(|_| launching.groups.is_none()) {
        launching.groups = Some(sizes(groups));
        parts.push(format!("groups={}", shown(groups)));
    }
    if let Some(threads) = host.threads.filter(|_| !launching.sizes_group()) {
        launching.threads = Some(sizes(threads));
        parts.push(format!("threads={}", shown(threads)));
    }
    if launching.arguments.is_empty() {
        parts.extend(host.arguments.iter().map(|(name, value)| format!("{name}={value}")));
        let named = |(name, value): &(String, i64)| (Parameter::Name(name.clone()), *value);
        launching.arguments = host.arguments.iter().map(named).collect();
    }
    if parts.is_empty() {
        return (code, None);
    }
    let message = format!(
        "this verdict is for {} in the text: {}; `--launch` and `--arg` choose another",
        if host.several { "the launch with the largest workgroups" } else { "the launch" },
        parts.join(" ")
    );
    let span = code.written.as_ref().map(|written| written.line(host.line)).unwrap_or_default();
    let warning = Diagnostic::error("launch-size", span, message);
    (code, Some(Diagnostic { severity: Severity::Warning, ..warning }))
}

/// The number of the kernel that is judged: the one that was chosen by name, otherwise the first. A compiler of C++ makes
/// `_Z3twoPi` of the name `two`: either chooses the kernel, if no other one has it.
fn chosen(code: &Code, entries: &[String]) -> Result<usize, Diagnostic> {
    let Some(entry) = &code.launching.entry else { return Ok(0) };
    let written = || {
        let wanted = written_name(entry);
        let mut all = (0..).zip(entries).filter(|(_, name)| written_name(name) == wanted);
        let first = all.next().map(|(at, _)| at);
        first.filter(|_| all.next().is_none())
    };
    entries.iter().position(|name| name == entry).or_else(written).ok_or_else(|| {
        let all = if entries.is_empty() { "no kernel".into() } else { entries.join(", ") };
        let message = format!("no kernel is named `{entry}`; the text has {all}");
        Diagnostic::error("unknown-name", Span::default(), message)
    })
}

/// The name of a function in the source: `two` for `_Z3twoPi` and `_ZN2ns3twoEv`.
#[must_use]
pub fn written_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let Some(mut rest) = rest.strip_prefix('N') else {
        return prefixed(rest).map_or(name, |(part, _)| part);
    };
    let mut last = name;
    while let Some((part, more)) = prefixed(rest) {
        (last, rest) = (part, more);
    }
    last
}

/// The assumed number of work-groups in each dimension that a kernel uses, where nothing gives it.
const SEVERAL: u32 = 2;

/// The last dimension of the launch that a module uses.
fn last_dimension(module: &Module) -> usize {
    let computed = module.functions.iter().flat_map(Function::computed);
    let sizes = module.kernels.iter().filter_map(|kernel| kernel.facts.threads);
    let sized = sizes.filter_map(|sizes| sizes.iter().rposition(|&size| size > 1));
    let dimension = |operand: &Operand| match operand {
        Operand::Special(
            Special::Thread(at)
            | Special::Group(at)
            | Special::Threads(at)
            | Special::Groups(at)
            | Special::AllThreads(at),
        ) => Some(usize::from(*at)),
        _ => None,
    };
    computed.filter_map(dimension).chain(sized).max().unwrap_or(0).min(2)
}

/// A kernel that is judged.
struct Chosen<'a> {
    module: &'a Module,
    kernel: usize,
    code: &'a Code,
    /// Where each line begins.
    lines: Vec<u32>,
}

impl<'a> Chosen<'a> {
    fn new(module: &'a Module, kernel: usize, code: &'a Code) -> Self {
        let ends = code.text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n');
        let lines = core::iter::once(0).chain(ends.map(|(_, at)| at)).collect();
        Self { module, kernel, code, lines }
    }

    fn kernel(&self) -> Option<&'a Kernel> {
        self.module.kernels.get(self.kernel)
    }

    /// The launch: as chosen, otherwise as the text says, otherwise a guess. The second value: whether the size of a workgroup
    /// is a guess.
    fn launch(&self, kernel: &Kernel) -> (Launch, bool) {
        let (mut launch, guessed) = Launch::of(&kernel.facts);
        let each = |sizes: Option<Sizes>, known| sizes.map_or(known, |sizes| sizes.each);
        launch.cluster = each(self.code.launching.cluster, launch.cluster);
        let fitting =
            if self.code.launching.cluster.is_some() { launch.cluster } else { launch.groups };
        launch.groups = each(self.code.launching.groups, fitting);
        launch.threads = each(self.code.launching.threads, launch.threads);
        if let Some(waves) = self.code.launching.waves {
            let lanes = self.code.launching.threads.map_or(i64::from(launch.lanes), Sizes::all);
            let threads = i64::from(waves).saturating_mul(lanes).min(1 << 16);
            launch.threads = [threads as u32, 1, 1];
        }
        let written = [self.code.launching.groups, self.code.launching.threads];
        launch.dimensions = written.iter().flatten().map(|sizes| sizes.dimensions).max();
        if self.assumes_groups() {
            launch.groups[..=last_dimension(self.module)].fill(SEVERAL);
        }
        (launch.bounded(), guessed && !self.code.launching.sizes_group())
    }

    /// Whether several work-groups are assumed because nothing gives the launch of an OpenCL kernel.
    fn assumes_groups(&self) -> bool {
        self.module.machine == Machine::Opencl && !self.code.launching.launches()
    }

    /// The classes of the lines of the text.
    fn classes(&self) -> LineClasses {
        classes::of(self.module, |place| {
            let (before, after) = self.code.text.split_at_checked(place.start as usize)?;
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            let begun = before[start..].trim_start();
            // The end of a function in PTX, and directives at which functions of SASS begin.
            if begun.starts_with('.') || begun.is_empty() && after.starts_with(['.', '}']) {
                return None;
            }
            let line = self.span_of_code(place).line;
            match &self.code.written {
                Some(written) => written.line_of(line),
                None => Some(line),
            }
        })
    }

    fn span(&self, place: Place) -> Span {
        let span = self.span_of_code(place);
        self.code.written.as_ref().map_or(span, |written| written.statement(span.line))
    }

    fn span_of_code(&self, place: Place) -> Span {
        let line = self.lines.partition_point(|&start| start <= place.start).max(1);
        let begin = self.lines.get(line - 1).copied().unwrap_or(0);
        let before = self.code.text.get(begin as usize..place.start as usize);
        let column = before.map_or(0, |before| before.chars().count()) as u32 + 1;
        let length = place.end.saturating_sub(place.start);
        Span { start: place.start, length, line: line as u32, column }
    }

    fn source(&self, place: Place) -> Source {
        let span = self.span(place);
        if let Some(written) = &self.code.written {
            let text = written.words_of(self.span_of_code(place).line);
            return Source { span, text, needs: Vec::new() };
        }
        let text = self.code.text.get(place.start as usize..place.end as usize).unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        Source { span, text: words.join(" "), needs: Vec::new() }
    }

    fn diagnostic(&self, note: &Note, severity: Severity) -> Diagnostic {
        let error = Diagnostic::error("not-followed", self.span(note.place), note.message.clone());
        Diagnostic { severity, ..error }
    }

    /// Whether the module has an instruction for which a test holds.
    fn has(&self, test: impl Fn(&Instruction) -> bool) -> bool {
        let blocks = self.module.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions).any(test)
    }

    /// The parts of the launch that nothing gives. Of a kernel that writes global memory, several workgroups may race.
    fn assumed(&self, launch: program::Launch, threads: Option<u32>) -> Assumed {
        let writes = |instruction: &Instruction| match &instruction.kind {
            Kind::Access(access) => {
                access.writes && matches!(access.space, Space::Global | Space::Generic)
            }
            Kind::Nvidia(nvidia) => matches!(
                nvidia.kind,
                NvidiaKind::CopyBulkOut { .. } | NvidiaKind::CopyTensorOut { .. }
            ),
            _ => false,
        };
        let groups =
            self.code.launching.groups.is_none() && launch.clusters <= 1 && self.has(writes);
        let key = if self.module.machine == Machine::Nvidia { "ctas" } else { "groups" };
        let by_cluster = |instruction: &Instruction| {
            let Kind::Nvidia(nvidia) = &instruction.kind else { return false };
            matches!(nvidia.kind, NvidiaKind::ClusterArrive { .. } | NvidiaKind::ClusterWait { .. })
        };
        let several = (groups && !self.assumes_groups()).then(|| {
            // A kernel with barriers of the cluster is written for clusters of several CTAs.
            let own = self.code.launching.cluster.is_none() && launch.workgroups == 1;
            let cluster = if own && self.has(by_cluster) { " cluster=2" } else { "" };
            format!("{key}={}{cluster}", launch.workgroups.saturating_mul(2))
        });
        Assumed { threads, groups, several, words: String::new() }
    }

    /// Warnings that name what is assumed.
    fn assumptions(
        &self,
        kernel: &Kernel,
        launch: program::Launch,
        (assumed, sizes): (&Assumed, &str),
    ) -> Vec<Diagnostic> {
        let warning = |message| {
            let error = Diagnostic::error("launch-size", self.span(kernel.place), message);
            Diagnostic { severity: Severity::Warning, ..error }
        };
        let one = match self.module.machine {
            Machine::Amdgpu => "workgroup",
            Machine::Nvidia => "CTA",
            Machine::Opencl => "work-group",
        };
        let count = launch.workgroups;
        let threads = assumed.threads.map(|_| {
            let message = format!(
                "the text does not give the size of a workgroup; this verdict is for {sizes} threads"
            );
            self.diagnostic(&Note { place: kernel.place, message }, Severity::Warning)
        });
        let groups = match &assumed.several {
            _ if !assumed.groups => None,
            None => Some(format!(
                "the number of work-groups is not given; assuming {count} work-groups"
            )),
            Some(several) => {
                let known = match count {
                    1 => format!("one {one}"),
                    count => format!("one cluster of {count} {one}s"),
                };
                Some(format!(
                    "the text does not give the number of {one}s; this verdict is for {known}: add `launch {several}` to check races between {one}s"
                ))
            }
        };
        threads.into_iter().chain(groups.map(warning)).collect()
    }

    /// Evaluates the kernel. If the host launches it with a size that is not known, a finding is possible only.
    ///
    /// # Errors
    ///
    /// A launch of too many agents, or functions that call each other too deeply.
    fn compile(&self, varies: bool) -> Result<Compiled, Vec<Diagnostic>> {
        let Some(kernel) = self.kernel() else {
            let message = String::from("the text has no kernel, only functions that kernels call");
            return Err(alloc::vec![Diagnostic::error("unknown-entry", Span::default(), message)]);
        };
        let (launching, span) = (&self.code.launching, self.span(kernel.place));
        let given = Given::new(self.module, kernel, launching, span)?;
        let (launch, guessed) = self.launch(kernel);
        let request = Request { module: self.module, kernel, launch, given: &given.values };
        let evaluated = match guessed {
            true => evaluate_grown(request),
            false => evaluate(&request).map(|evaluated| (launch, evaluated)),
        };
        let (launch, evaluated) =
            evaluated.map_err(|note| alloc::vec![self.diagnostic(&note, Severity::Error)])?;
        let mut program = evaluated.program;
        program.groups_assumed = self.assumes_groups();
        program.sizes_guessed = guessed && varies;
        sizes::infer_of_code(&mut program);
        let groups: Vec<u32> = (0..program.launch.workgroups).collect();
        let words = match self.module.machine {
            Machine::Amdgpu => Words::Amdgpu,
            Machine::Nvidia => Words::Nvidia,
            Machine::Opencl => Words::Opencl,
        };
        let apart = program.lanes_apart();
        let mut warnings = given.warnings;
        warnings.extend(evaluated.open.iter().map(|note| self.diagnostic(note, Severity::Warning)));
        let assumed = evaluated.assumed.iter();
        warnings.extend(assumed.map(|note| {
            let found = self.diagnostic(note, Severity::Warning);
            Diagnostic { code: "rows-overlap", ..found }
        }));
        // Two places of the compiled code may be one in the text.
        warnings.dedup();
        let assumed = self.assumed(program.launch, guessed.then(|| launch.group_size()));
        let sizes = shown(launch.threads);
        warnings.extend(self.assumptions(kernel, program.launch, (&assumed, &sizes)));
        let alike = self.module.machine == Machine::Opencl && are_alike(&program);
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
            assumed,
            alike,
            steps: evaluated.steps,
            warnings,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::written_name;

    #[test]
    fn names_of_cpp_are_those_of_the_source() {
        for (name, written) in [
            ("two", "two"),
            ("_Z3twoPii", "two"),
            ("_ZN2ns3twoEPi", "two"),
            ("_Z", "_Z"),
            ("_Z99two", "_Z99two"),
            ("_Z99999999999999999999two", "_Z99999999999999999999two"),
        ] {
            assert_eq!(written_name(name), written);
        }
    }
}
