//! The target tables and the printed machine code agree with LLVM's tools. The tests need `llvm-mc-22` and `llc-22`
//! (Debian's llvm-22), so they run only with `cargo xtask test assembler`.

mod routes;
mod sources;

use crate::common::{root, scenarios};
use crate::llvm::{assemble, compile, processors};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tidegate_check::lang::assembly;
use tidegate_check::model::compiler::differences::DIFFERENCES;
use tidegate_check::model::compiler::{self, Fact, Outcome, VERSION, What, facts};
use tidegate_check::model::lowering::fence_code;
use tidegate_check::model::lowering::kinds::Kinds;
use tidegate_check::model::mem::operation::{Fence, Scope, Space, Spaces};
use tidegate_check::model::operation::Form;
use tidegate_check::model::program::Node;
use tidegate_check::model::target::{Caches, TargetId};
use tidegate_check::{Options, Scene, check, lower};

fn options(target: TargetId) -> Options {
    Options { target: Some(target), ambiguities: false, machine: false, ..Options::default() }
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn the_facts_were_measured_with_this_release() {
    let release = VERSION.split('.').next().expect("a major version");
    assert!(
        crate::llvm::version().contains(&format!("version {release}.")),
        "{}",
        crate::llvm::version()
    );
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn the_processors_are_those_of_the_compiler() {
    let known: BTreeSet<String> = crate::llvm::known_processors().into_iter().collect();
    let ours: BTreeSet<String> =
        processors().iter().map(|target| target.get().name.to_owned()).collect();
    let missing: Vec<_> = known.difference(&ours).collect();
    let unknown: Vec<_> = ours.difference(&known).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "missing {missing:?}, unknown {unknown:?}");
    assert!(!known.is_empty());
}

/// Instructions with operands: one for each mnemonic, and variants of it.
fn probes() -> Vec<&'static str> {
    let facts = facts::MACHINE.iter().map(|fact| fact.probe);
    let all: BTreeSet<&str> =
        facts.chain(DIFFERENCES.iter().map(|difference| difference.probe)).collect();
    all.into_iter().collect()
}

/// The probes that a processor accepts.
fn taken(target: TargetId) -> BTreeSet<&'static str> {
    let probes = probes();
    let rejected: BTreeSet<usize> =
        assemble(target, &probes.join("\n")).into_iter().map(|(line, _)| line).collect();
    let lines = probes.into_iter().zip(1..);
    lines.filter(|(_, line)| !rejected.contains(line)).map(|(probe, _)| probe).collect()
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn instructions_are_assembled_exactly_on_the_recorded_targets() {
    let wrong: Vec<String> = processors()
        .into_par_iter()
        .flat_map_iter(|target| {
            let taken = taken(target);
            let differs =
                |fact: &&Fact| (fact.on(target) == Outcome::Taken) != taken.contains(fact.probe);
            let name = target.get().name;
            let wrong: Vec<String> = facts::MACHINE
                .iter()
                .filter(differs)
                .map(|fact| format!("{name}: {} (the facts say {:?})", fact.probe, fact.on(target)))
                .collect();
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether the target tables have an instruction on a target.
fn text_has(probe: &str, target: TargetId) -> bool {
    let text = format!("wave 0 {{\n  s_mov_b32 m0, 0x10001\n  {probe}\n}}\n");
    let scene = Scene::new("probe.tide", &text);
    assert!(scene.is_valid(), "{probe}: {:?}", scene.diagnostics());
    check(&scene, &options(target), &mut |_| true).verdict != "unsupported"
}

/// The documents and the assembler differ exactly where the list of differences says so, by name.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn differences_between_documents_and_assembler_are_listed() {
    let found: BTreeSet<(&str, &str)> = processors()
        .into_par_iter()
        .flat_map_iter(|target| {
            let taken = taken(target);
            let differs = move |probe: &&str| taken.contains(probe) != text_has(probe, target);
            probes().into_iter().filter(differs).map(move |probe| (probe, target.get().name))
        })
        .collect();
    let listed: BTreeSet<(&str, &str)> = DIFFERENCES
        .iter()
        .flat_map(|difference| {
            let targets = processors().into_iter();
            let those = targets.filter(|target| compiler::has(difference.targets, *target));
            those.map(|target| (difference.probe, target.get().name))
        })
        .collect();
    let unlisted: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(unlisted.is_empty() && gone.is_empty(), "unlisted {unlisted:?}\ngone {gone:?}");
}

/// A module with one kernel for each of these bodies.
fn module(bodies: &[String]) -> String {
    let mut text = String::from(
        "@bar = internal addrspace(3) global target(\"amdgcn.named.barrier\", 0) poison\n\
         @tile = internal addrspace(3) global [64 x i32] poison\n\
         @from = external addrspace(1) global [64 x i32]\n",
    );
    let mut declared = BTreeSet::new();
    for body in bodies {
        declared.extend(body.lines().filter_map(declaration));
    }
    declared.iter().for_each(|line| text.push_str(line));
    for (index, body) in bodies.iter().enumerate() {
        text.push_str(&format!(
            "define amdgpu_kernel void @k{index}(ptr addrspace(1) noalias %from, ptr addrspace(1) noalias %to) {{\n{body}\n  ret void\n}}\n"
        ));
    }
    text
}

/// `declare TYPE @NAME(TYPES)` for a call of an intrinsic.
fn declaration(line: &str) -> Option<String> {
    let (before, call) = line.split_once("call ")?;
    if before.contains('@') || line.contains("asm") {
        return None;
    }
    let (kind, rest) = call.split_once(" @")?;
    let (name, arguments) = rest.split_once('(')?;
    let types = arguments
        .strip_suffix(')')?
        .split(", ")
        .map(|argument| argument.rsplit_once(' ').map_or(argument, |(kind, _)| kind));
    let types: Vec<&str> = types.collect();
    Some(format!("declare {kind} @{name}({})\n", types.join(", ")))
}

/// The result of compiling a probe.
fn outcome(target: TargetId, probe: &str) -> Outcome {
    let name = probe.split_once("@").and_then(|(_, rest)| rest.split('(').next()).unwrap_or("none");
    match compile(target, &module(&[probe.to_owned()])) {
        Ok(assembly) if assembly.contains(&format!("{name}@gotpcrel")) => Outcome::ExternalCall,
        Ok(_) => Outcome::Taken,
        Err(said) if said.contains("Stack dump") && !said.contains("LLVM ERROR") => {
            Outcome::Crashes
        }
        Err(_) => Outcome::Rejected,
    }
}

/// An accepted intrinsic is probed on every processor, a rejected one on one processor of each class, because each
/// rejected probe needs a separate run.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn intrinsics_are_compiled_exactly_on_the_recorded_targets() {
    let family = facts::ASYNCHRONOUS
        .map(|(intrinsic, probe)| Fact { probe, ..facts::INTRINSICS[intrinsic as usize] });
    let rows: Vec<Fact> = facts::INTRINSICS.into_iter().chain(family).collect();
    let wrong: Vec<String> = processors()
        .into_par_iter()
        .flat_map_iter(|target| {
            let name = target.get().name;
            let (taken, others): (Vec<&Fact>, Vec<&Fact>) =
                rows.iter().partition(|fact| fact.on(target) == Outcome::Taken);
            let together: Vec<String> = taken.iter().map(|fact| fact.probe.to_owned()).collect();
            let made = compile(target, &module(&together));
            let mut wrong: Vec<String> = made
                .map(|assembly| assembly.contains("gotpcrel"))
                .map_or_else(Some, |called| called.then(|| "an external call".to_owned()))
                .map(|problem| format!("{name}: {problem}"))
                .into_iter()
                .collect();
            for fact in others.into_iter().filter(|_| CLASSES.contains(&name)) {
                let (found, said) = (outcome(target, fact.probe), fact.on(target));
                if found != said {
                    wrong.push(format!("{name}: {}: {found:?}, facts {said:?}", fact.probe));
                }
            }
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The text given to the compiler parses here as the intrinsic that the facts describe.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn probes_are_parsed_as_the_intrinsics_that_they_test() {
    let rows = facts::INTRINSICS.iter().map(|fact| (fact.what, fact.probe));
    let family =
        facts::ASYNCHRONOUS.iter().map(|(intrinsic, probe)| (What::Intrinsic(*intrinsic), *probe));
    for (what, probe) in rows.chain(family) {
        let text = format!(
            "barrier bar = named(1)\nlds tile[64]\nglobal from[64]\nwave 0 {{\n  {probe}\n}}\n"
        );
        let scene = Scene::new("probe.tide", &text);
        assert!(scene.is_valid(), "{probe}: {:?}", scene.diagnostics());
        let context = scene.context().expect("a valid scenario has one");
        let Node::Operation { operation, .. } = &context.program.bodies[0].nodes[0] else {
            panic!("{probe}: no operation")
        };
        let Form::Intrinsic(intrinsic) = operation.form else { panic!("{operation:?}") };
        assert_eq!(What::Intrinsic(intrinsic), what);
    }
}

/// The assembler for a processor accepts everything that `lower` prints for it.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn lowered_scenarios_are_assembled() {
    let folders = [
        "examples",
        "tests/conformance/amd",
        "tests/conformance/async",
        "tests/conformance/mem",
        "tests/conformance/observations",
    ];
    let files: Vec<String> = folders.into_iter().flat_map(scenarios).collect();
    let counts: Vec<usize> = processors()
        .into_par_iter()
        .map(|target| {
            let mut all = String::new();
            let mut count = 0;
            for (number, file) in files.iter().enumerate() {
                let text = std::fs::read_to_string(root().join(file)).expect("it is readable");
                let lowered = lower(&Scene::new(file, &text), &options(target));
                count += usize::from(!lowered.text.is_empty());
                all.push_str(&apart(&lowered.text, number));
            }
            let errors = assemble(target, &all);
            let lines: Vec<&str> = all.lines().collect();
            let told = errors.iter().map(|(line, error)| (lines.get(line - 1), error));
            assert!(errors.is_empty(), "{}: {:#?}", target.get().name, told.collect::<Vec<_>>());
            count
        })
        .collect();
    let count: usize = counts.iter().sum();
    assert!(counts.iter().all(|count| *count > 3) && count > 400, "{counts:?}");
}

/// The text with labels that are unique to its scenario, so that several can be assembled together.
fn apart(text: &str, number: usize) -> String {
    let line = |line: &str| match line.split_once(" L") {
        Some((branch, label)) if branch.trim().starts_with("s_") && branch.contains("branch") => {
            format!("{branch} F{number}L{label}\n")
        }
        _ if line.starts_with('L') => format!("F{number}{line}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// One processor for each kind of wait and of cache handling, and those on which the reference idiom is measured.
const CLASSES: [&str; 12] = [
    "gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
    "gfx1100", "gfx1200", "gfx1250",
];

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn every_kind_of_cache_handling_is_measured() {
    let kinds = |names: &[TargetId]| -> BTreeSet<Caches> {
        names.iter().map(|target| target.get().caches).collect()
    };
    let classes: Vec<TargetId> = CLASSES.into_iter().filter_map(TargetId::from_name).collect();
    assert_eq!(kinds(&classes), kinds(&processors()));
}

/// A body with an outstanding load and store of global memory and an outstanding store to LDS before `middle`.
fn with_outstanding(middle: &str) -> String {
    format!(
        "  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %local = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  %first = getelementptr i32, ptr addrspace(1) %from, i32 %i
  %second = getelementptr i32, ptr addrspace(1) %to, i32 %i
  %value = load i32, ptr addrspace(1) %first
  store i32 7, ptr addrspace(1) %second
  call void asm sideeffect \"\", \"~{{memory}}\"()
  store i32 1, ptr addrspace(3) %local
  call void asm sideeffect \"; BEGIN\", \"\"()
  {middle}
  call void asm sideeffect \"; END\", \"\"()
  store i32 %value, ptr addrspace(1) %second"
    )
}

/// The code that the compiler emits for the middle of each of these bodies.
fn middles(target: TargetId, middles: &[String]) -> Vec<Vec<String>> {
    let bodies: Vec<String> = middles.iter().map(|middle| with_outstanding(middle)).collect();
    // The metadata that names an address space.
    let module = module(&bodies)
        + "!0 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n!1 = !{!\"amdgpu-synchronize-as\", !\"global\"}\n";
    let assembly = compile(target, &module).unwrap_or_else(|error| panic!("{error}\n{module}"));
    let between = assembly.split("; BEGIN").skip(1);
    between.map(|rest| instructions(rest.split("; END").next().unwrap_or_default())).collect()
}

fn instructions(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split(';').next().unwrap_or_default().trim());
    code.filter(|code| !code.is_empty()).map(str::to_owned).collect()
}

/// A fence as LLVM spells it, with the metadata for one address space.
fn spelled(fence: Fence) -> String {
    let order = match (fence.release, fence.acquire) {
        (true, true) => "acq_rel",
        (true, false) => "release",
        _ => "acquire",
    };
    let scope = match fence.scope {
        Scope::Wavefront => "wavefront",
        Scope::Workgroup => "workgroup",
        Scope::Cluster => "cluster",
        Scope::Agent => "agent",
        Scope::System => "",
    };
    let scope = match (scope, fence.one_as) {
        ("", true) => "one-as".to_owned(),
        (scope, true) => format!("{scope}-one-as"),
        (scope, false) => scope.to_owned(),
    };
    let scope = if scope.is_empty() { scope } else { format!("syncscope(\"{scope}\") ") };
    let space = match (fence.spaces == Spaces::ALL, fence.spaces.contains(Space::Local)) {
        (true, _) => "",
        (false, true) => ", !mmra !0",
        (false, false) => ", !mmra !1",
    };
    format!("fence {scope}{order}{space}")
}

fn fences() -> Vec<Fence> {
    let scopes = [Scope::Wavefront, Scope::Workgroup, Scope::Cluster, Scope::Agent, Scope::System];
    let one = |space| Spaces::default().with(space);
    let ways = [
        (false, Spaces::ALL),
        (true, Spaces::ALL),
        (false, one(Space::Local)),
        (false, one(Space::Global)),
    ];
    let orders = [(true, false), (false, true), (true, true)];
    let mut fences = Vec::new();
    for scope in scopes {
        for (one_as, spaces) in ways {
            for (release, acquire) in orders {
                fences.push(Fence { release, acquire, scope, one_as, spaces });
            }
        }
    }
    fences
}

/// Fences of every order, scope and address space are lowered to the code that the compiler emits.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn fences_are_lowered_like_the_compiler() {
    let wrong: Vec<String> = CLASSES
        .par_iter()
        .flat_map_iter(|name| {
            let target = TargetId::from_name(name).expect("a target");
            let spelling: Vec<String> = fences().into_iter().map(spelled).collect();
            let made = middles(target, &spelling);
            assert_eq!(made.len(), spelling.len());
            let ours = fences().into_iter().map(move |fence| {
                let outstanding = Kinds::LOADS | Kinds::STORES | Kinds::LOCAL;
                let code = fence_code(fence, outstanding, target.get());
                code.into_iter()
                    .filter_map(|instruction| {
                        assembly::instruction(instruction, &|_| String::new())
                    })
                    .collect::<Vec<String>>()
            });
            let cases = spelling.into_iter().zip(made).zip(ours);
            cases.filter(|((_, made), ours)| made != ours).map(move |((fence, made), ours)| {
                format!("{name}: {fence}: {made:?}, ours {ours:?}")
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The reference idiom, a release, a barrier and an acquire at workgroup scope, with everything outstanding.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn the_reference_idiom_is_lowered_like_the_compiler() {
    for (name, one_as) in CLASSES.into_iter().flat_map(|name| [(name, ""), (name, "-one-as")]) {
        let target = TargetId::from_name(name).expect("a target");
        let middle = format!(
            "fence syncscope(\"workgroup{one_as}\") release\n  call void @llvm.amdgcn.s.barrier()\n  \
             fence syncscope(\"workgroup{one_as}\") acquire"
        );
        let text = format!(
            "launch waves=2\nlds tile[4]\nglobal from[4]\nglobal to[4]\nwave * {{\n  load from\n  store to\n  store tile\n  {middle}\n}}\n"
        );
        let scene = Scene::new("idiom.tide", &text);
        let lowered = lower(&scene, &options(target));
        let lines = lowered.blocks[0].lines.iter().filter(|line| line.is_code);
        let ours: Vec<String> = lines.map(|line| line.code.clone()).collect();
        let ours = &ours[..ours.len() - 1];
        let made = &middles(target, &[middle])[0];
        // On GFX6 the compiler has already waited for the data of the store, to reuse its register.
        let ours: Vec<String> = ours.iter().map(|code| code.replace(" expcnt(0)", "")).collect();
        assert_eq!(&ours, made, "{name}{one_as}");
    }
}

/// Every difference has a reason, and no instruction is listed twice.
#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn differences_have_reasons() {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for difference in DIFFERENCES {
        assert!(difference.reason.starts_with("the document "), "{difference:?}");
        assert_eq!(seen.insert(difference.probe, difference.reason), None, "{difference:?}");
    }
}
