//! Machine code has the verdict of its scenario: the printed code is parsed again and judged.

use std::fs;
use std::path::{Path, PathBuf};
use tidegate_check::lower::lower;
use tidegate_check::model::target::{Family, TargetId};
use tidegate_check::report::{Report, ReportDiagnostic};
use tidegate_check::{Options, Scene, check};

/// Every scenario below a folder of the repository.
fn scenarios(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            found.extend(scenarios(&path));
        } else if path.extension().is_some_and(|extension| extension == "tide") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The content of a report without lines.
fn said(report: &Report) -> (String, Vec<(String, String)>, Option<String>) {
    let findings = report.findings.iter();
    let findings = findings.map(|found| (found.rule.clone(), found.schedules.clone())).collect();
    (
        report.verdict.clone(),
        findings,
        report.machine.as_ref().map(|machine| machine.verdict.clone()),
    )
}

/// Whether a scenario has work-items, with or without barriers. A race inside one wave is undefined in OpenCL but runs
/// in lockstep on its lanes, so `lowered_opencl_…` compares its code.
fn is_opencl(scene: &Scene) -> bool {
    let of_opencl = scene.target().is_some_and(|own| own.get().family == Family::Opencl);
    let uses = || {
        let context = scene.context();
        context.is_some_and(|context| tidegate_check::model::opencl::support::uses(&context))
    };
    of_opencl || uses()
}

/// Undefined behaviour and violations guarantee nothing about the code. A well-defined scenario stays well defined,
/// even if the code orders more. An AMDGPU barrier that never completes keeps its waves; a PTX barrier releases the
/// remaining ones.
fn compare_lowered_opencl(
    processor: impl Fn(&TargetId) -> bool,
) -> std::collections::BTreeMap<String, u32> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files =
        ["examples", "tests/conformance"].map(|folder| scenarios(&root.join(folder))).concat();
    let mut compared = std::collections::BTreeMap::<String, u32>::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("the scenario is readable");
        let scene = Scene::new("before.tide", &text);
        // With more sub-groups than the count, the specification does not say which synchronise, and processors differ.
        let ambiguous =
            || !check(&scene, &Options::default(), &mut |_| true).ambiguities.is_empty();
        if !is_opencl(&scene) || ambiguous() {
            continue;
        }
        // Processors with the same code are compared once.
        let mut known = std::collections::BTreeSet::new();
        for target in TargetId::all().filter(&processor) {
            let options = Options {
                target: Some(target),
                ambiguities: false,
                machine: false,
                shortest: false,
                ..Options::default()
            };
            let lowered = lower(&scene, &options);
            assert_eq!(lowered.text.is_empty(), !lowered.problems.is_empty());
            let code = lowered.text.replace(target.get().name, "");
            if lowered.text.is_empty() || !known.insert(code) {
                continue;
            }
            let again = Scene::new("after.tide", &lowered.text);
            let shown = || format!("{}\n{}", file.display(), lowered.text);
            assert!(again.is_valid(), "{:?}\n{}", again.diagnostics(), shown());
            assert_eq!(again.target(), Some(target));
            let verdict = |scene: &Scene| check(scene, &options, &mut |_| true).verdict;
            let (before, after) = (verdict(&scene), verdict(&again));
            let amdgpu = matches!(target.get().family, Family::Amdgpu { .. });
            // There, the lanes of a wave are one agent for memory.
            let alone = !text.contains("items=");
            // There, a wait is judged only when no agent can continue; OpenCL also judges it beside an infinite
            // execution.
            let ends = !text.contains("loop {");
            // The code for one choice of the host does not contain the other choices.
            let whole = !lowered.text.contains("This code is for one of ");
            let same = match before.as_str() {
                "ok" => true,
                "deadlock" => amdgpu && ends && whole,
                "race" => amdgpu && alone && whole,
                _ => continue,
            };
            if same {
                // Stuck code can also be undefined on AMDGPU, which is a worse verdict.
                let worse = before == "deadlock" && after == "ub";
                assert!(worse || after == before, "{after}, not {before}: {}", shown());
                *compared.entry(before).or_default() += 1;
            }
        }
    }
    compared
}

#[test]
fn opencl_lowered_to_amdgpu_has_the_verdict_of_its_scenario() {
    let amdgpu = |id: &TargetId| matches!(id.get().family, Family::Amdgpu { .. });
    let compared = compare_lowered_opencl(amdgpu);
    assert!(
        compared["ok"] > 100 && compared["deadlock"] > 1 && compared["race"] > 5,
        "{compared:?}"
    );
}

#[test]
fn opencl_lowered_to_nvidia_has_the_verdict_of_its_scenario() {
    let compared = compare_lowered_opencl(|id| id.get().family == Family::Nvidia);
    assert!(compared["ok"] > 50, "{compared:?}");
}

fn leaves_open(found: &ReportDiagnostic) -> bool {
    matches!(found.code.as_str(), "lanes-apart" | "not-followed" | "unset-variable")
}

#[test]
fn lowered_text_has_the_verdict_of_its_scenario() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files =
        ["examples", "tests/conformance"].map(|folder| scenarios(&root.join(folder))).concat();
    let amdgpu = |id: &TargetId| matches!(id.get().family, Family::Amdgpu { .. });
    let (mut lowered_count, mut refused) = (0, 0);
    for file in files {
        let text = fs::read_to_string(&file).expect("the scenario is readable");
        let scene = Scene::new("before.tide", &text);
        if is_opencl(&scene) {
            continue;
        }
        // Targets of one generation differ only in waits, but each is tried.
        for target in TargetId::all().filter(amdgpu) {
            let options =
                Options { target: Some(target), ambiguities: false, ..Options::default() };
            let lowered = lower(&scene, &options);
            assert_eq!(lowered.text.is_empty(), !lowered.problems.is_empty() || !scene.is_valid());
            if lowered.text.is_empty() {
                refused += 1;
                continue;
            }
            let again = Scene::new("after.tide", &lowered.text);
            assert!(
                again.is_valid(),
                "{}: {:?}\n{}",
                file.display(),
                again.diagnostics(),
                lowered.text
            );
            assert_eq!(again.target(), Some(target));
            // Inlining a call may make waits redundant, as the document says. Iterations of an unrolled loop can have
            // marks that no wait completes.
            let (calls, loops) = (text.contains("call f"), text.contains("for "));
            let passed = |rule: &str| match rule {
                "async.redundant-wait" => calls,
                "async.redundant-mark" => loops,
                _ => false,
            };
            let verdict = |scene: &Scene| {
                let mut report = check(scene, &options, &mut |_| true);
                report.findings.retain(|found| !passed(&found.rule));
                said(&report)
            };
            let before = verdict(&scene);
            // A pasted kernel can leave the verdict open: threads may race within a warp, or something is not followed. Its
            // code is one agent for each warp.
            let compiled = !scene.entries().is_empty();
            let open =
                before.0 == "unknown" && (compiled || scene.diagnostics().iter().any(leaves_open));
            // The host chooses once for all waves; in the code each wave tests a register of its own.
            let hosted = scene.context().is_some_and(|context| context.program.host_chooses);
            let same = open || hosted || verdict(&again) == before;
            assert!(same, "{before:?}: {}\n{}", file.display(), lowered.text);
            let twice = lower(&again, &options);
            // Agents with different statements and equal machine code share one block the second time.
            let fits = (1..=lowered.blocks.len()).contains(&twice.blocks.len());
            assert!(fits, "{}\n{}", file.display(), lowered.text);
            lowered_count += 1;
        }
    }
    assert!(lowered_count > 200 && refused > 200, "{lowered_count} lowered, {refused} refused");
}
