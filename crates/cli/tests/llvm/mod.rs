//! Running LLVM's own assembler and compiler.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use tidegate_check::model::target::{Family, TargetId};

/// Runs a program on this input.
fn run(program: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        // No core dump of a crashing compiler is needed.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .env("LLVM_DISABLE_CRASH_REPORT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} of Debian's llvm-22 is needed here: {error}"));
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A crashed compiler reads no more input.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    output
}

/// The AMDGPU processors of the table of targets.
pub(crate) fn processors() -> Vec<TargetId> {
    TargetId::all().filter(|id| matches!(id.get().family, Family::Amdgpu { .. })).collect()
}

/// The errors of the assembler for a text, line by line; empty if it accepts the text.
pub(crate) fn assemble(target: TargetId, text: &str) -> Vec<(usize, String)> {
    let processor = format!("-mcpu={}", target.get().name);
    let arguments = ["-triple=amdgcn-amd-amdhsa", &processor, "-filetype=obj", "-o", "/dev/null"];
    let output = run("llvm-mc-22", &arguments, text);
    let errors = String::from_utf8_lossy(&output.stderr);
    let found: Vec<(usize, String)> = errors.lines().filter_map(error_at).collect();
    assert_eq!(output.status.success(), found.is_empty(), "{errors}");
    found
}

/// `<stdin>:3:1: error: instruction not supported on this GPU`
fn error_at(line: &str) -> Option<(usize, String)> {
    let (place, message) = line.split_once(": error: ")?;
    let number = place.strip_prefix("<stdin>:")?.split(':').next()?.parse().ok()?;
    Some((number, message.to_owned()))
}

/// The assembly that the compiler emits for a module, or its kind of failure.
pub(crate) fn compile(target: TargetId, module: &str) -> Result<String, String> {
    let processor = format!("-mcpu={}", target.get().name);
    let output = run("llc-22", &["-mtriple=amdgcn-amd-amdhsa", &processor, "-o", "-"], module);
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The processors that the compiler lists.
pub(crate) fn known_processors() -> Vec<String> {
    let output = run("llc-22", &["-march=amdgcn", "-mcpu=help"], "");
    let listed = String::from_utf8_lossy(&output.stderr).into_owned();
    let processors = listed.lines().take_while(|line| !line.starts_with("Available features"));
    let words = processors.filter_map(|line| line.split_whitespace().next());
    let mut names: Vec<String> =
        words.filter(|word| word.starts_with("gfx")).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// The version that the tools print.
pub(crate) fn version() -> String {
    String::from_utf8_lossy(&run("llc-22", &["--version"], "").stdout).into_owned()
}
