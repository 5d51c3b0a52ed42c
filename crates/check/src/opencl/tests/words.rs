//! Notes on barriers that work-items do not reach, and on waiting work-items.

use crate::report::Report;
use crate::step::Stepper;
use crate::{Options, Scene, check};
use alloc::format;

fn judged(text: &str) -> (Scene, Report) {
    let scene = Scene::new("x.tide", text);
    let report = check(&scene, &Options::default(), &mut |_| true);
    (scene, report)
}

const APART: &str = "target opencl\nlaunch waves=1 lanes=2\nsubgroup * {
    if get_local_id(0) == 0 { work_group_barrier(mem_fence::local) }
    else { work_group_barrier(mem_fence::local) }\n}\n";

#[test]
fn arriving_at_another_dynamic_instance_completes_nothing() {
    let (scene, report) = judged(APART);
    assert_eq!(report.findings[0].rule, "opencl.barrier.all-encounter");
    let mut stepper = Stepper::new(&scene, &Options::default()).expect("an execution");
    for step in &report.findings[0].witness {
        stepper.perform(&step.key).expect("a step of the witness");
    }
    let view = stepper.view();
    assert!(view.performed.iter().all(|step| !step.completes), "{:?}", view.performed);
    assert_eq!((view.objects[0].arrived, view.objects[0].completed), (1, 0));
    assert_eq!(view.agents[0].name, "item 0");
}

#[test]
fn sub_groups_blocked_in_the_same_way_are_listed_together() {
    let (_, report) = judged(
        "target opencl\nlaunch subgroups=3\nkernel {
            local<work_group_named_barrier> b(4)\nb.wait(mem_fence::local)\n}\n",
    );
    let because = report.findings[0].because.join("\n");
    let says = "subgroup 0, subgroup 1 and subgroup 2 wait at `b`: 3 of 4 sub-groups wait there";
    assert!(because.contains(says), "{:?}", report.findings);
}

/// Where three barriers are missing, no two edits are enough, and the help says where the first one belongs.
#[test]
fn the_help_for_a_race_names_the_barrier_and_its_place() {
    const OWN: &str = "t[4 * get_local_id(0)..4 * get_local_id(0) + 4]";
    const OTHER: &str = "t[4 - 4 * get_local_id(0)..8 - 4 * get_local_id(0)]";
    let body = format!("store {OWN}\nload {OTHER}\nstore {OWN}\nload {OTHER}");
    let of = |body: &str| {
        let head = "target opencl\nlaunch subgroups=1 items=2\nlocal t[8]\n";
        let (_, report) = judged(&format!("{head}kernel {{\n{body}\n}}\n"));
        let race = report.findings.into_iter().find(|it| it.rule == "mem.race").expect("a race");
        (race.fix.is_some(), race.remedy.unwrap_or_default())
    };
    let (is_fixed, said) = of(&body);
    assert!(!is_fixed);
    assert!(
        said.starts_with("add `work_group_barrier(mem_fence::local)` after `store t"),
        "{said}"
    );
    assert!(said.contains("(line 5) and before `load t"), "{said}");
}
