//! The stepper shows for two conflicting accesses the path that orders them, or the missing edge.

use std::fs;
use std::path::Path;
use tidegate_check::step::{MemoryView, Stepper, View};
use tidegate_check::{Options, Scene, check};

/// The execution in which each wave in turn runs until it is blocked; stops after this many steps.
fn walked(text: &str, steps: usize) -> (View, MemoryView) {
    let scene = Scene::new("walked.tide", text);
    assert!(scene.is_valid(), "{text}");
    let mut stepper = Stepper::new(&scene, &Options::default()).unwrap();
    for _ in 0..steps {
        let view = stepper.view();
        let next = view.agents.iter().flat_map(|agent| &agent.moves).find(|next| next.enabled);
        let Some(next) = next else { break };
        stepper.perform(&next.key).unwrap();
    }
    (stepper.view(), stepper.memory())
}

const HANDED: &str = "target gfx1250\nlaunch waves=2\nlds l[4]\nwave 0 {
  store l[0..4]
  fence release workgroup
  arrive wg; wait wg
}\nwave 1 {
  arrive wg; wait wg
  fence acquire workgroup
  load l[0..4]
}\n";

#[test]
fn an_order_is_shown_with_its_steps() {
    let (view, memory) = walked(HANDED, 20);
    let [pair] = &*memory.pairs else { panic!("{memory:?}") };
    assert!(pair.ordered && pair.missing.is_empty());
    let labels: Vec<&str> = pair.through.iter().map(|&step| &*view.performed[step].label).collect();
    assert_eq!(
        labels,
        ["fence release workgroup", "arrive wg", "wait wg", "fence acquire workgroup"]
    );
}

#[test]
fn a_missing_edge_is_reported() {
    let (_, memory) = walked(&HANDED.replace("  fence acquire workgroup\n", ""), 20);
    let [pair] = &*memory.pairs else { panic!("{memory:?}") };
    assert!(!pair.ordered && pair.through.is_empty());
    assert!(pair.missing.iter().any(|clause| clause.contains("has no acquire")), "{pair:?}");
}

/// The last step of every witness of a race conflicts with an unordered access, and the stepper names the finding's
/// edge.
#[test]
fn pairs_agree_with_findings() {
    let mut races = 0;
    for group in ["mem", "async"] {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(group);
        for file in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            let scene = Scene::new("witness.tide", &text);
            let report = check(&scene, &Options::default(), &mut |_| true);
            let Some(mut stepper) = Stepper::new(&scene, &Options::default()) else { continue };
            for finding in report.findings.iter().filter(|finding| finding.class == "race") {
                let keys: Vec<String> =
                    finding.witness.iter().map(|step| step.key.clone()).collect();
                assert_eq!(stepper.load(&keys), keys.len());
                let pairs = stepper.memory().pairs;
                let told = pairs.iter().any(|pair| {
                    !pair.ordered
                        && pair.second + 1 == keys.len()
                        && pair.missing.iter().all(|clause| finding.because.contains(clause))
                });
                assert!(told, "{}: {pairs:?}", finding.message);
                races += 1;
            }
            if report.verdict == "ok" && report.ambiguities.is_empty() {
                let (_, memory) = walked(&text, 200);
                assert!(memory.pairs.iter().all(|pair| pair.ordered), "{text}\n{memory:?}");
            }
        }
    }
    assert!(races >= 8, "{races}");
}
