//! OpenCL C by the way of compiled code.
//!
//! The subset of C is part of the language of scenarios: its loops run with numbers, so that only some values of an argument
//! are checked, and some accesses are not followed. Where that leaves a verdict open, or where the text cannot be read, the
//! kernel is compiled to LLVM IR instead, whose evaluation proves loops for all values. That takes its place if it follows
//! everything.

use crate::compiled::{self, Language, Reader};
use crate::diagnostic::Diagnostic;
use crate::evaluate;
use crate::launching::Launching;
use crate::scenario::{Compiled, Scenario};
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::target::Family;

/// Codes of the warnings that leave a verdict open, and that compiled code may not have.
const OPEN: [&str; 2] = ["argument-without-value", "not-followed"];

/// Work-items of a sub-group of compiled code.
const LEAST_LANES: u32 = 32;

/// The scenario of a text: that of its kernel in OpenCL C as compiled code, if that says more than the subset of C does.
pub(crate) fn best(
    text: &str,
    launching: &Launching,
    reader: Reader,
    mut read: Scenario,
) -> Scenario {
    let target = launching.processor.or(read.target);
    let other = target.is_some_and(|target| target.get().family != Family::Opencl);
    if other
        || !text.split(|letter: char| !is_part(letter)).any(is_kernel)
        || read.diagnostics.iter().any(is_general)
    {
        return read;
    }
    // Both readers assume the same of the device, and the subset says so.
    let assumptions: Vec<Diagnostic> =
        read.diagnostics.iter().filter(|one| one.code == "preprocessor").cloned().collect();
    let assuming = |mut compiled: Scenario| {
        compiled.diagnostics.extend(assumptions.clone());
        compiled
    };
    if read.diagnostics.iter().any(Diagnostic::is_error) {
        // Without a choice, the compiled code is that of the first kernel.
        let chosen = read.diagnostics.iter().all(|one| one.code != "second-kernel");
        let (compiled, _) = match chosen {
            true => compiled_if(text, launching, reader, |_| true),
            false => code(text, launching, reader),
        };
        return compiled.map(assuming).unwrap_or(read);
    }
    let mut evaluated = evaluate::compile(&read, false, crate::limits::PLAIN);
    let data = |one: &Compiled| one.warnings.iter().any(|one| one.code == "unknown-data");
    let by_data = evaluated.as_ref().is_ok_and(data);
    let apart = evaluated.as_ref().is_ok_and(|one| has_sub_groups(text, launching, one));
    if by_data || apart || evaluated.as_ref().is_ok_and(is_open) {
        // What data decide is computed more exactly in the subset, unless the compiled code leaves nothing open.
        let (compiled, steps) = code(text, launching, reader);
        if let Some(compiled) = compiled.filter(|one| !by_data || is_complete(one)) {
            return assuming(compiled);
        }
        if let Ok(evaluated) = &mut evaluated {
            evaluated.steps += steps;
        }
    }
    read.evaluated = Some(Rc::new(evaluated));
    read
}

/// The scenario of a kernel in OpenCL C as compiled code, if everything in it is followed, at least for values of arguments near
/// zero; and how many instructions were evaluated in any case.
pub(crate) fn code(text: &str, launching: &Launching, reader: Reader) -> (Option<Scenario>, u64) {
    let follows = |one: &Compiled| !is_open(one) || one.program.host_passes_more;
    compiled_if(text, launching, reader, follows)
}

/// The scenario of compiled code that has no error and the property `is_wanted`, and how many instructions were evaluated.
fn compiled_if(
    text: &str,
    launching: &Launching,
    reader: Reader,
    is_wanted: impl FnOnce(&Compiled) -> bool,
) -> (Option<Scenario>, u64) {
    let mut scenario = compiled::scenario_in(Language::Opencl, text, launching, reader, None);
    let Some(Ok(program)) = &scenario.program else { return (None, 0) };
    let (steps, is_wanted) = (program.steps, is_wanted(program));
    scenario.opencl = true;
    let is_error = scenario.diagnostics.iter().any(Diagnostic::is_error);
    ((is_wanted && !is_error).then_some(scenario), steps)
}

/// Whether a kernel that speaks of sub-groups has a launch that gives none, and that a processor divides into several.
fn has_sub_groups(text: &str, launching: &Launching, compiled: &Compiled) -> bool {
    let launch = compiled.program.launch;
    // A pragma names the extension `cl_khr_subgroups`.
    let launches = |line: &str| line.trim_start().starts_with("launch");
    let given = launching.waves.is_some()
        || text.lines().any(|line| launches(line) && line.contains("subgroups"));
    !given && launch.waves == 1 && launch.lanes > LEAST_LANES && text.contains("sub_group")
}

/// Whether compiled code is followed for all values of arguments, and data decide for all work-items alike.
fn is_complete(scenario: &Scenario) -> bool {
    let Some(Ok(one)) = &scenario.program else { return false };
    one.alike && !is_open(one) && !one.program.host_passes_more && !one.program.doubtful
}

/// Whether a diagnostic holds for every reader: of the limits, the choices of the caller, sizes, and what the preprocessor
/// assumes or refuses.
fn is_general(found: &Diagnostic) -> bool {
    let error =
        found.code.starts_with("bound-") || found.code == "size-range" || found.span.line == 0;
    (error || found.code == "preprocessor") && found.is_error()
}

const fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_kernel(word: &str) -> bool {
    matches!(word, "kernel" | "__kernel")
}

fn is_open(compiled: &Compiled) -> bool {
    compiled.warnings.iter().any(|one| OPEN.contains(&one.code))
}
