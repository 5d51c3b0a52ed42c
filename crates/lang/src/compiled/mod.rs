//! Files of compiled code: their header lines, their language, and the reading of the code.

pub mod classes;
pub mod debug;
pub mod language;
pub mod written;

use crate::diagnostic::{Diagnostic, Span, Suggestion, report};
use crate::launching::{Launching, Unusable};
use crate::parse;
use crate::scenario::{Compiled, Scenario};
use alloc::string::String;
use alloc::vec::Vec;
use classes::LineClasses;
use debug::DebugLines;
pub use language::Language;
use tidegate_model::target::TargetId;
use written::Written;

/// Compiled code, with the choices of the caller and of header lines.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Code {
    /// The code, with blanks instead of header lines.
    pub text: String,
    /// Its language.
    pub language: Language,
    /// The launch that the caller and header lines choose.
    pub launching: Launching,
    /// The target for which a source is compiled.
    pub target: Option<TargetId>,
    /// The text from which the code was compiled, if it is known.
    pub written: Option<Written>,
}

/// What a front end found in compiled code.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reading {
    /// The target that the code names.
    pub target: Option<TargetId>,
    /// The names of the kernels.
    pub entries: Vec<String>,
    /// Why the code cannot be read, or has no kernel with the chosen name.
    pub error: Option<Diagnostic>,
    /// What the lines of the text do.
    pub classes: LineClasses,
    /// The program of the chosen kernel, or the errors of its evaluation.
    pub program: Option<Result<Compiled, Vec<Diagnostic>>>,
}

/// A front end: reads compiled code, and evaluates the chosen kernel.
pub type Reader = fn(&Code) -> Reading;

/// The code of the diagnostic that no front end is there to read compiled code.
pub const NO_FRONT_END: &str = "not-loaded";

/// The front end of a caller that has none: an error for every code.
#[must_use]
pub fn without_front_end(_: &Code) -> Reading {
    let message = "compiled code cannot be read here, because no front end is loaded";
    let error = Diagnostic::error(NO_FRONT_END, Span::default(), message);
    Reading { error: Some(error), ..Reading::default() }
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
    reader: Reader,
    written: Option<&str>,
) -> Option<Scenario> {
    // The name of a file can show that it is a source, whose kernels may all be in headers beside it.
    let source = launching.processor.map(|_| Language::Cpp);
    let language = Language::of(text).or(source)?;
    Some(scenario_in(language, text, launching, reader, written))
}

/// The same for a text in this language.
pub(crate) fn scenario_in(
    language: Language,
    text: &str,
    launching: &Launching,
    reader: Reader,
    written: Option<&str>,
) -> Scenario {
    let begins = |line: &str| written.is_none() && language.shows(line);
    let (headers, choices, code) = split(written.unwrap_or(text), begins);
    let code = if written.is_some() { text.into() } else { code };
    let debug = match language {
        Language::Cpp | Language::Opencl => DebugLines::default(),
        _ => DebugLines::read(text),
    };
    let written = written.map(|written| Written::new(written, debug.clone()));
    let (mut scenario, _) = parse::read(&headers, &Launching::default());
    let mut launching = launching.clone();
    for (line, span) in choices {
        if let Err(unusable) = choose(&mut launching, line) {
            report(&mut scenario.diagnostics, wrong(span, unusable));
        }
    }
    let target = launching.processor.or(scenario.target);
    let code = Code { text: code, language, launching, target, written };
    let reading = reader(&code);
    scenario.target = scenario.target.or(reading.target);
    scenario.entries = reading.entries;
    if let Some(error) = reading.error {
        report(&mut scenario.diagnostics, error);
    }
    scenario.program = reading.program;
    scenario.debug = debug;
    scenario.classes = reading.classes;
    scenario
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
