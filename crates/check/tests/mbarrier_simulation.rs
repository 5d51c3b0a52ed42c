//! Random programs of mbarrier operations against a simulation of every interleaving, written from the rules of PTX: phase,
//! pending and expected counts, bytes, tokens, and what each agent knows of earlier operations. It shares no code with the checker.

mod program;
mod world;

use crate::support::share;
use program::Program;
use std::collections::BTreeMap;
use tidegate_check::{Options, Scene, check};
use world::{Outcome, VERDICTS};

/// The rules that a report names, without hazards and lints.
fn rules(report: &tidegate_check::report::Report) -> Vec<&str> {
    let counts = report.findings.iter().filter(|it| VERDICTS.contains(&&*it.class));
    let mut rules: Vec<&str> = counts.map(|finding| &*finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

#[test]
fn random_mbarrier_programs_by_simulation() {
    let (mut verdicts, programs) = (BTreeMap::new(), share(2_000));
    let (mut met, mut large, mut different) = (BTreeMap::new(), 0, Vec::new());
    for seed in 0..programs {
        let program = Program::random(seed);
        let Some(Outcome { verdict, broken, everywhere, ends }) = world::run(&program) else {
            large += 1;
            continue;
        };
        let text = program.text();
        let scene = Scene::new("random.tide", &text);
        assert!(scene.is_valid(), "seed {seed}\n{text}\n{:?}", scene.diagnostics());
        let options = Options { ambiguities: false, machine: false, ..Options::default() };
        let report = check(&scene, &options, &mut |_| true);
        assert!(report.exhaustive, "seed {seed}\n{text}");
        let found = rules(&report);
        let all = report.findings.iter().any(|it| it.class == "deadlock" && it.schedules == "all");
        // Where a path ends, the rules that come later depend on the order of steps.
        let agrees = report.verdict == VERDICTS[verdict]
            && (ends || found == broken.iter().copied().collect::<Vec<_>>())
            && (verdict != 1 || all == everywhere);
        if !agrees {
            let simulated = VERDICTS[verdict];
            different.push(format!(
                "seed {seed}\n{text}\n{simulated} {broken:?}, in every execution: {everywhere}\n{} {found:?}, {all}",
                report.verdict
            ));
        }
        *verdicts.entry(report.verdict).or_insert(0) += 1;
        broken.iter().for_each(|&rule| *met.entry(rule).or_insert(0) += 1);
    }
    println!("{programs} programs: {verdicts:?}, {large} too large, {met:?}");
    assert!(
        different.is_empty(),
        "{} differ\n\n{}",
        different.len(),
        different[..different.len().min(8)].join("\n\n")
    );
    assert!(large <= programs / 20, "{large}");
    assert!(VERDICTS.iter().all(|&verdict| verdicts[verdict] >= programs / 100), "{verdicts:?}");
    assert!(world::RULES.iter().all(|rule| met.contains_key(rule)), "{met:?}");
}
