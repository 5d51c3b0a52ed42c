//! Sources of OpenCL, HIP and CUDA, compiled to LLVM IR by clang where it is installed.
//!
//! The program is the one that the environment variable `TIDEGATE_CLANG` names, or the newest clang on the search path; an empty
//! variable keeps clang from being used.

use crate::args::Launched;
use crate::headers;
use crate::host;
use crate::kit;
use crate::source::{Code, Source};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};
use tidegate_check::lang;
use tidegate_check::model::target::{Family, TargetId};
use tidegate_check::report::ReportDiagnostic;

/// The oldest version whose LLVM IR is read: older ones print pointers with types.
const OLDEST: u32 = 15;
/// The newest version that is looked for by name.
const NEWEST: u32 = 30;
/// How long clang may take for a file.
const LONGEST: Duration = Duration::from_secs(20);
/// A language that clang reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    OpenClC,
    OpenClCpp,
    Hip,
    Cuda,
}

impl Language {
    fn of(path: &str) -> Option<Self> {
        let ending = Path::new(path).extension()?.to_str()?;
        match ending {
            "cl" => Some(Self::OpenClC),
            "clcpp" => Some(Self::OpenClCpp),
            "hip" => Some(Self::Hip),
            "cu" => Some(Self::Cuda),
            _ => None,
        }
    }

    /// The arguments for a target, in the order to try: the first list with which clang accepts the source counts.
    fn arguments(self, target: Option<TargetId>) -> Vec<Vec<String>> {
        let list = |words: &str| -> Vec<String> { words.split(' ').map(String::from).collect() };
        match self {
            Self::OpenClC => ["CL2.0", "CL3.0", "CL1.2"]
                .map(|version| list(&format!("-x cl -target spir64 -cl-std={version}")))
                .to_vec(),
            Self::OpenClCpp => vec![list("-x clcpp -target spir64 -cl-std=CLC++2021")],
            Self::Hip => {
                let processor = processor(target, |family| matches!(family, Family::Amdgpu { .. }));
                let processor = processor.unwrap_or("gfx1250");
                let base = format!("-x hip --cuda-device-only --offload-arch={processor}");
                kits(&base, "-nogpuinc -nogpulib")
            }
            Self::Cuda => {
                let processor = processor(target, |family| matches!(family, Family::Nvidia));
                let processor = processor.filter(|name| name.starts_with("sm_")).unwrap_or("sm_90");
                let base = format!(
                    "-x cuda --cuda-device-only --cuda-gpu-arch={processor} --cuda-feature=+ptx86"
                );
                kits(&base, "-nocudainc -nocudalib")
            }
        }
    }
}

/// With the headers of an installed kit, without any, and with the prelude.
fn kits(base: &str, without: &str) -> Vec<Vec<String>> {
    let list = |words: String| -> Vec<String> { words.split(' ').map(String::from).collect() };
    vec![
        list(base.to_string()),
        list(format!("{base} {without}")),
        list(format!("{base} {without} -isystem {KIT} -include {KIT}/{}", kit::FIRST)),
    ]
}

/// Stands for the folder of the prelude in arguments.
const KIT: &str = "KIT";

fn processor(target: Option<TargetId>, fits: impl Fn(&Family) -> bool) -> Option<&'static str> {
    target.map(TargetId::get).filter(|target| fits(&target.family)).map(|target| target.name)
}

/// The processor for which a source is compiled: the target, the one that a header line names, or the default of its language.
/// `None` if the source is in another language.
pub(crate) fn processor_of(source: &Source, target: Option<TargetId>) -> Option<TargetId> {
    let named = || {
        let mut lines = source.text.lines().filter_map(|line| line.strip_prefix("target "));
        lines.next().and_then(|name| TargetId::from_name(name.trim()))
    };
    let fits = |target: TargetId, hip: bool| match target.get().family {
        Family::Amdgpu { .. } => hip,
        Family::Nvidia => !hip,
        _ => false,
    };
    let (hip, usual) = match Language::of(&source.name)? {
        Language::Hip => (true, "gfx1250"),
        Language::Cuda => (false, "sm_90"),
        _ => return None,
    };
    let known = target.or_else(named).filter(|&target| fits(target, hip));
    known.or_else(|| TargetId::from_name(usual))
}

/// Whether a file is a source whose code depends on the processor.
pub(crate) fn is_for_one_processor(path: &str) -> bool {
    matches!(Language::of(path), Some(Language::Hip | Language::Cuda))
}

/// Compiles a source. `None` if it is in no language of clang, or clang is not to be used; an error if clang refuses it.
pub(crate) fn compile(
    source: &Source,
    target: Option<TargetId>,
    how: &Launched,
) -> Option<Result<Code, Box<ReportDiagnostic>>> {
    let language = Language::of(&source.name).filter(|_| !how.built_in)?;
    let clang = program()?;
    let folder = tempfile::tempdir().ok()?;
    let folder = folder.path();
    let name = Path::new(&source.name).file_name()?;
    let file = folder.join(name);
    fs::write(&file, lang::without_headers(&source.text)).ok()?;
    let headers = headers::of(Path::new(&source.name), &source.text);
    let more = headers.iter().map(|header| &*header.text);
    let texts: Vec<&str> = [&*source.text].into_iter().chain(more).collect();
    kit::write(folder, &texts).ok()?;
    let beside = Path::new(&source.name).parent().filter(|path| !path.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    let compiler = Compiler { clang: &clang, folder, file: &file, beside, how };
    let mut refused = None;
    let lists = language.arguments(target);
    for (at, arguments) in lists.iter().enumerate() {
        let mut made = compiler.run(arguments, OPTIMISED).ok()?;
        let mut without = "";
        if at + 1 == lists.len()
            && arguments.iter().any(|word| word.contains(KIT))
            && let Made::Refused(printed) = &mut made
            && let Some(text) = compiler.without_host(arguments, &texts, printed).ok()?
        {
            (made, without) = (Made::Code(text), ", without host code that it refuses");
        }
        let text = match made {
            Made::Code(text) => text,
            Made::Late => {
                let late = format!(" error: it does not end within {} seconds", LONGEST.as_secs());
                return Some(Err(Box::new(message(&late, ""))));
            }
            Made::Refused(printed) => {
                refused = Some(Box::new(message(&printed, &name.to_string_lossy())));
                continue;
            }
        };
        let plain = match compiler.run(arguments, PLAIN).ok()? {
            Made::Code(plain) if lacks_local(&text, &plain) => Some(plain),
            _ => None,
        };
        let level = if plain.is_some() { PLAIN } else { OPTIMISED };
        let shown: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let program = clang.file_name().unwrap_or(clang.as_os_str()).to_string_lossy();
        let more = how.clang_arguments.iter().map(|word| format!(" {word}"));
        let command = format!(
            "{program} -S -emit-llvm {level} {}{} {}{without}",
            shown.join(" ").split(" -isystem").next().unwrap_or(""),
            more.collect::<String>(),
            source.name
        );
        return Some(Ok(Code { text: plain.unwrap_or(text), command }));
    }
    refused.map(Err)
}

/// How sources are compiled: most values are then in registers.
const OPTIMISED: &str = "-O2";
/// How they are compiled if that removes a variable in local memory, to which the source only writes.
const PLAIN: &str = "-O0";

/// What a run of clang gives.
enum Made {
    Code(String),
    Refused(String),
    Late,
}

/// A source that clang compiles.
struct Compiler<'a> {
    clang: &'a Path,
    folder: &'a Path,
    file: &'a Path,
    beside: &'a Path,
    how: &'a Launched,
}

impl Compiler<'_> {
    fn run(&self, arguments: &[String], level: &str) -> io::Result<Made> {
        let mut command = Command::new(self.clang);
        command.args(["-S", "-emit-llvm", level, "-gline-tables-only", "-fno-discard-value-names"]);
        command.args(["-fno-color-diagnostics", "-Wno-everything"]);
        command.arg(format!("-ffile-prefix-map={}/=", self.folder.display()));
        let kit = self.folder.to_string_lossy();
        command.args(arguments.iter().map(|word| word.replace(KIT, &kit)));
        command.args(&self.how.clang_arguments).arg("-I").arg(self.beside);
        let (code, printed) = (self.folder.join("code.ll"), self.folder.join("printed"));
        command.arg("-o").arg(&code).arg(self.file);
        let Some(status) = run(&mut command, &printed, LONGEST)? else { return Ok(Made::Late) };
        match fs::read_to_string(&code) {
            Ok(text) if status.success() => Ok(Made::Code(text)),
            _ => Ok(Made::Refused(String::from_utf8_lossy(&fs::read(&printed)?).into_owned())),
        }
    }
}

impl Compiler<'_> {
    /// Leaves out host code in which clang found errors, until it accepts the rest. `None` if it does not, with what it printed
    /// last, or if a kernel that the host code names is then missing.
    fn without_host(
        &self,
        arguments: &[String],
        texts: &[&str],
        printed: &mut String,
    ) -> io::Result<Option<String>> {
        let kernels: Vec<&str> = texts.iter().flat_map(|text| host::kernels(text)).collect();
        let name = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut arguments = arguments.to_vec();
        arguments.push("-ferror-limit=0".into());
        let may_leave_out = !texts.iter().skip(1).any(|header| host::is_device(header));
        let mut named = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let text = fs::read_to_string(self.file)?;
            let Some(lines) = wrong_lines(printed, &name, may_leave_out) else { return Ok(None) };
            let Some((left, more)) = host::without(&text, &lines, &kernels) else {
                return Ok(None);
            };
            named.extend(more);
            fs::write(self.file, left)?;
            match self.run(&arguments, OPTIMISED)? {
                Made::Code(code) => {
                    let is_there = |kernel: &&str| {
                        let mangled = format!("{}{kernel}", kernel.len());
                        code.contains(&mangled) || code.contains(&format!("@{kernel}("))
                    };
                    return Ok(named.iter().all(is_there).then_some(code));
                }
                Made::Refused(again) => *printed = again,
                Made::Late => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// The lines of a file in which clang found errors: those of `#include` for errors in headers, if headers may be left out.
/// `None` if there are none, or if one is in a header that must stay.
fn wrong_lines(printed: &str, name: &str, may_leave_out: bool) -> Option<Vec<usize>> {
    let in_file = |place: &str| -> Option<usize> {
        let rest = place.rsplit_once(&format!("{name}:"))?.1;
        rest.split(':').next()?.parse().ok()
    };
    let (mut lines, mut included) = (Vec::new(), None);
    for line in printed.lines() {
        if let Some(place) = line.strip_prefix("In file included from ") {
            included = in_file(place).or(included);
            continue;
        }
        let Some((place, _)) = error(line).filter(|(place, _)| place.contains(':')) else {
            continue;
        };
        lines.push(in_file(place).or(included.filter(|_| may_leave_out))?);
        included = None;
    }
    lines.sort_unstable();
    lines.dedup();
    (!lines.is_empty()).then_some(lines)
}

/// The maximum number of times that host code is left out.
const MOST_ROUNDS: usize = 16;

/// Whether optimised code has no access to a variable in local memory of the plain code.
fn lacks_local(optimised: &str, plain: &str) -> bool {
    let variables = plain.lines().filter_map(|line| {
        let (name, of) = line.split_once(" = ")?;
        (name.starts_with('@') && of.contains("addrspace(3) global")).then_some(name)
    });
    let is_whole =
        |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "_.$".contains(c));
    let mut names = variables.filter(|name| !optimised.split(name).skip(1).any(is_whole));
    names.next().is_some()
}

/// Runs a program whose errors go to a file; `None` if it takes longer than `longest`, after which it is stopped.
fn run(command: &mut Command, errors: &Path, longest: Duration) -> io::Result<Option<ExitStatus>> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(errors)?);
    let (mut child, end) = (command.spawn()?, Instant::now() + longest);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The place of an error in a line that clang printed, and what it says.
fn error(line: &str) -> Option<(&str, &str)> {
    line.split_once(" error: ")
}

/// The first error that clang printed about the file.
fn message(printed: &str, name: &str) -> ReportDiagnostic {
    let placed = |line: &str| {
        let (place, says) = error(line)?;
        let mut numbers = place.split(name).last()?.trim_matches(':').split(':');
        let line: u32 = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
        let column: u32 = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
        Some((line, column, says.to_owned()))
    };
    let (line, column, says) =
        printed.lines().find_map(placed).unwrap_or((0, 0, String::from("clang failed")));
    let place = if line == 0 { String::new() } else { format!(" (line {line}, column {column})") };
    ReportDiagnostic {
        code: "clang".into(),
        severity: "warning".into(),
        line: 0,
        column: 0,
        length: 0,
        offset: 0,
        message: format!(
            "clang does not compile this file, so the built-in compiler reads it: {says}{place}"
        ),
        suggestion: None,
        replacement: None,
    }
}

/// The clang to run.
fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("TIDEGATE_CLANG") {
        return (!named.is_empty()).then(|| named.into());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let find = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|it| it.is_file());
    let numbered = (OLDEST..=NEWEST).rev().find_map(|version| find(&format!("clang-{version}")));
    numbered.or_else(|| find("clang").filter(|program| is_recent(program)))
}

fn is_recent(program: &Path) -> bool {
    let Ok(output) = Command::new(program).arg("-dumpversion").output() else { return false };
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let major = printed.split('.').next().and_then(|number| number.trim().parse::<u32>().ok());
    major.is_some_and(|major| major >= OLDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_found_with_its_place() {
        let printed = "In file included from x:1:\n/tmp/t-1/k.cl:3:7: error: expected ';'\n/tmp/t-1/k.cl:4:1: error: b\n";
        let found = message(printed, "k.cl").message;
        assert!(found.ends_with("expected ';' (line 3, column 7)"), "{found}");
        assert!(message("killed", "k.cl").message.ends_with("clang failed"));
    }

    #[test]
    fn headers_with_code_of_the_device_stay() {
        let printed = "In file included from /tmp/t/k.cu:2:\n./h.h:9:1: error: a\n/tmp/t/k.cu:7:3: error: b\nfatal error: c\n";
        assert_eq!(wrong_lines(printed, "k.cu", true), Some(vec![2, 7]));
        assert_eq!(wrong_lines(printed, "k.cu", false), None);
        assert_eq!(wrong_lines("/tmp/t/k.cu:7:3: error: b\n", "k.cu", false), Some(vec![7]));
        assert_eq!(wrong_lines("killed", "k.cu", true), None);
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let errors = folder.path().join("errors");
        let run = |program: &str, word: &str| {
            run(Command::new(program).arg(word), &errors, Duration::from_millis(200)).unwrap()
        };
        assert!(run("sleep", "100").is_none());
        assert!(run("ls", "/nowhere").is_some_and(|status| !status.success()));
        assert!(fs::read_to_string(&errors).unwrap().contains("nowhere"));
    }

    #[test]
    fn the_language_is_that_of_the_ending() {
        assert_eq!(Language::of("a/b.cl"), Some(Language::OpenClC));
        assert_eq!(Language::of("b.cu"), Some(Language::Cuda));
        for other in ["b.tide", "b.ll", "-", "cl", ""] {
            assert_eq!(Language::of(other), None, "{other}");
        }
    }
}
