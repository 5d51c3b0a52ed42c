//! The report of a bounded search names what it did not examine: no ambiguity is silently omitted.

use tidegate_check::report::Report;
use tidegate_check::{Engine, Options, Scene, check};

fn judged(text: &str, engine: Engine, max_states: Option<u64>) -> Report {
    let scene = Scene::new("limits.tide", text);
    assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
    let options = Options { engine, max_states, ..Options::default() };
    check(&scene, &options, &mut |_| true)
}

/// Under `amd.A4=end-of-wave`, the ends of waves drop the cluster barrier early.
const CLUSTERS: &str = "target gfx1250\nlaunch waves=2 workgroups=2\nwave 0 {\narrive wg; wait wg\narrive cluster\n}\nwave 1 {\narrive wg; wait wg\nwait cluster\n}\n";

#[test]
fn each_reading_is_an_ambiguity_or_a_limit() {
    let whole = judged(CLUSTERS, Engine::Explore, None);
    let expected: Vec<&str> = whole.ambiguities.iter().map(|one| &*one.id).collect();
    assert!(expected.contains(&"amd.A4") && whole.limits.is_empty(), "{whole:?}");
    for engine in [Engine::Explore, Engine::Axioms] {
        for most in [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000] {
            let report = judged(CLUSTERS, engine, Some(most));
            for id in &expected {
                let said = report.ambiguities.iter().any(|one| one.id == *id)
                    || report.limits.iter().any(|limit| limit.contains(&format!("{id}=")));
                assert!(said, "{engine:?} {most} {id}: {report:?}");
            }
        }
    }
}

/// The axioms enumerate executions that match no interleaving only if there are few; the report states this.
#[test]
fn executions_outside_interleavings_are_enumerated_or_a_limit() {
    let text = |rounds: u32| {
        format!(
            "target gfx1250\nlaunch waves=2\nwave * {{ repeat {rounds} {{ arrive wg; wait wg }} }}\n"
        )
    };
    for rounds in [1, 2, 4, 8] {
        let report = judged(&text(rounds), Engine::Axioms, None);
        let limit = report.limits.iter().any(|limit| limit.contains("without an interleaving"));
        assert_eq!(report.outside_interleavings.is_none(), limit, "{rounds}: {report:?}");
    }
    assert!(judged(&text(1), Engine::Axioms, None).limits.is_empty());
    assert!(judged(&text(8), Engine::Axioms, None).outside_interleavings.is_none());
}

/// One barrier of count 2 that three waves share: in each execution one wave is left over.
const SHARED: &str = "target model\nlaunch waves=3\nbarrier b\nwave * {\nif wave_id == 0 { init b, 2 }\narrive wg; wait wg\nrepeat 3 { arrive b; wait b }\n}\n";

#[test]
fn a_finding_that_lies_deeper_than_the_search_is_found_on_a_random_path() {
    let report = judged(SHARED, Engine::Explore, Some(1_000));
    assert_eq!((&*report.verdict, report.exhaustive), ("deadlock", false), "{report:?}");
    assert_eq!(report.findings[0].rule, "amd.wait.never-completes");
    let whole = judged(SHARED, Engine::Explore, None);
    assert_eq!((&*whole.verdict, whole.exhaustive), ("deadlock", true), "{whole:?}");
}

#[test]
fn the_plain_engine_finds_the_same_with_more_states() {
    for text in [SHARED, CLUSTERS] {
        let [plain, reduced] = [Engine::Plain, Engine::Explore].map(|one| judged(text, one, None));
        assert_eq!((&*plain.engine, &*reduced.engine), ("plain", "explore"));
        let rules = |report: &Report| {
            let rule = |one: &tidegate_check::report::Finding| one.rule.clone();
            report.findings.iter().map(rule).collect::<Vec<_>>()
        };
        assert_eq!((&plain.verdict, rules(&plain)), (&reduced.verdict, rules(&reduced)));
        assert!(plain.exhaustive && plain.stats.states > reduced.stats.states, "{plain:?}");
        assert!(plain.stats.transitions > reduced.stats.transitions, "{plain:?}");
    }
}
