//! Every finding of a machine has a witness: an execution of that machine that ends in the finding.

use std::fs;
use std::path::{Path, PathBuf};
use tidegate_check::step::Stepper;
use tidegate_check::{Options, Scene, check};

fn scenarios(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn findings_of_the_machine_can_be_stepped_to() {
    let (mut stuck, mut lost) = (0, 0);
    let groups = ["amd", "observations", "ptx", "tlx", "sass"]
        .map(|group| format!("tests/conformance/{group}"));
    let folders = groups.into_iter().chain([String::from("examples")]);
    for file in folders.flat_map(|folder| scenarios(&folder)) {
        let scene = Scene::new("machine.tide", &fs::read_to_string(&file).unwrap());
        let options = Options { ambiguities: false, ..Options::default() };
        let report = check(&scene, &options, &mut |_| true);
        let Some(machine) = report.machine else { continue };
        let stepper = Stepper::of_machine(&scene, &options);
        let mut stepper = stepper.unwrap_or_else(|| panic!("{}", file.display()));
        for finding in machine.findings.iter().filter(|finding| !finding.witness.is_empty()) {
            let keys: Vec<String> = finding.witness.iter().map(|step| step.key.clone()).collect();
            assert_eq!(stepper.load(&keys), keys.len(), "{}", file.display());
            let view = stepper.view();
            if finding.rule == "amd.machine.lost-completion" {
                let last = view.performed.last().unwrap();
                assert!(last.broke.contains(&finding.rule), "{}", file.display());
                lost += 1;
            } else if finding.rule == "amd.machine.never-completes" && view.state == "stuck" {
                let blocked = view.agents.iter().filter(|agent| agent.status == "blocked");
                let why = blocked.flat_map(|agent| &agent.moves).map(|next| next.blocked.as_ref());
                assert!(why.flatten().all(|why| why.contains("completion bit")), "{view:?}");
                stuck += 1;
            }
        }
    }
    assert!(stuck >= 5 && lost >= 4, "{stuck} stuck, {lost} lost");
}

/// Operations that the machine does not have are not stepped.
#[test]
fn other_machines_have_no_bits() {
    let of = |text: &str| Stepper::of_machine(&Scene::new("t", text), &Options::default());
    assert!(of("target gfx942\nwave 0 { s_barrier }\n").is_some());
    assert!(of("target model\nwave 0 { arrive wg }\n").is_none());
    assert!(of("target gfx1250\nbarrier b\nwave 0 { init b, 1 }\n").is_none());
    assert!(of("target opencl\nkernel { barrier(0); }\n").is_none());
    assert!(of("target sm_90\nwarp 0 { bar.sync 0 }\n").is_some());
    assert!(of("wave 0 {").is_none());
}
