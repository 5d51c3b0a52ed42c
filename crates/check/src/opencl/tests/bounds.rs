//! The number of states of a check, and the absence of panics.

use super::{Random, judged};
use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// States of a judgement without a look at other readings.
fn states(text: &str, verdict: &str) -> u64 {
    let report = judged(text);
    assert_eq!((report.verdict.as_str(), report.exhaustive), (verdict, true));
    report.stats.states
}

#[test]
fn a_program_without_branches_is_one_path() {
    let neighbours = "target opencl\nlaunch subgroups=4 items=16\nlocal tile[256]\nkernel {\n  repeat 2 {\n    \
        store tile[4 * get_local_id(0)..4 * get_local_id(0) + 4]\n    work_group_barrier(mem_fence::local)\n    \
        let next = (get_local_id(0) + 1) % get_local_size(0)\n    load tile[4 * next..4 * next + 4]\n    \
        work_group_barrier(mem_fence::local)\n  }\n}\n";
    // Eight operations and the end of each of 64 work-items, and the state at launch.
    assert_eq!(states(neighbours, "ok"), 64 * 9 + 1);
    for sub_groups in [4_u64, 8, 12, 16, 32] {
        let example = |count: u64| {
            format!(
                "target opencl\nlaunch subgroups={sub_groups}\nfunc f(b) {{\n  repeat 3 {{ b.wait(mem_fence::global) }}\n}}\n\
                 kernel {{\n  local<work_group_named_barrier> a({count})\n  local<work_group_named_barrier> b(2)\n  \
                 local<work_group_named_barrier> c({})\n  a.wait(mem_fence::local)\n  \
                 if get_sub_group_id() < 2 {{\n    call f(b)\n  }} else {{\n    c.wait(mem_fence::local)\n  }}\n  \
                 a.wait(mem_fence::global)\n  work_group_barrier(mem_fence::global)\n}}\n",
                sub_groups - 2
            )
        };
        // Three constructions, two waits on `a`, the barrier of the work-group and the end; three waits or one between.
        let operations = 7 * sub_groups + 2 * 3 + (sub_groups - 2);
        assert_eq!(states(&example(sub_groups), "ok"), operations + 1);
        assert!(states(&example(sub_groups + 1), "deadlock") <= operations + 1);
    }
}

#[test]
fn identical_sub_groups_are_exchanged() {
    let shared = |sub_groups: u32, items: u32| {
        format!(
            "target opencl\nlaunch subgroups={sub_groups} items={items}\nkernel {{\n  \
             local<work_group_named_barrier> a(2)\n  repeat 3 {{\n    a.wait(mem_fence::local)\n  }}\n}}\n"
        )
    };
    assert!(states(&shared(8, 1), "deadlock") < 3000);
    assert!(states(&shared(4, 4), "deadlock") < 3000);
}

#[test]
fn random_calls_are_judged_stepped_and_lowered_without_a_panic() {
    const PIECES: [&str; 22] = [
        "work_group_barrier(mem_fence::local)\n",
        "sub_group_barrier(get_local_id(0), memory_scope_sub_group)\n",
        "intel_work_group_barrier_arrive(1)\n",
        "intel_work_group_barrier_wait(3)\n",
        "local<work_group_named_barrier> a(2)\n",
        "local<work_group_named_barrier> b(get_sub_group_id())\n",
        "a.wait(mem_fence::global)\n",
        "b.wait(4)\n",
        "work_group_barrier(5, memory_scope_device)\n",
        "if get_local_id(0) < 2 {\n",
        "repeat get_local_id(0) {\n",
        "loop {\n",
        "choose {\n",
        "}\n",
        "} else {\n",
        "break\n",
        "exit\n",
        "store m[0..4]\n",
        "load m[get_local_id(0)..8]\n",
        "fence release workgroup\n",
        "global<work_group_named_barrier> c(1)\n",
        "arrive wg\n",
    ];
    let mut random = Random(0x0dd_ba11);
    let mut judged = 0;
    for _ in 0..300 {
        let mut text =
            String::from("target opencl\nlaunch subgroups=2 items=2\nlocal m[8]\nkernel {\n");
        for _ in 0..random.below(10) {
            text.push_str(PIECES[random.below(PIECES.len() as u64) as usize]);
        }
        let open = text.matches("{\n").count() as i64 - text.matches("}").count() as i64;
        (0..open.max(0)).for_each(|_| text.push_str("}\n"));
        let scene = Scene::new("x.tide", &text);
        let options = Options { max_states: Some(2000), ..Options::default() };
        let report = check(&scene, &options, &mut |_| true);
        judged += u32::from(report.verdict != "invalid");
        for target in ["gfx900", "gfx1250", "sm_90"] {
            let target = tidegate_model::target::TargetId::from_name(target);
            let _ = crate::lower(&scene, &Options { target, ..Options::default() });
        }
        if let Some(mut stepper) = crate::step::Stepper::new(&scene, &options) {
            for _ in 0..30 {
                let view = stepper.view();
                let able: Vec<_> = view
                    .agents
                    .iter()
                    .flat_map(|agent| &agent.moves)
                    .filter(|one| one.enabled)
                    .collect();
                let Some(next) = able.get(random.below(able.len().max(1) as u64) as usize) else {
                    break;
                };
                assert_eq!(stepper.perform(&next.key), Ok(()), "{text}");
            }
            while stepper.back() {}
        }
    }
    assert!(judged > 60, "{judged}");
}

#[test]
fn paths_with_the_same_end_are_explored_once() {
    let chosen = |launch: &str, first: &str, second: &str| {
        let text = format!(
            "target opencl\nlaunch {launch}\nkernel {{\n  choose {{\n    {first}\n  }} or {{\n    {second}\n  }}\n  \
             work_group_barrier(mem_fence::local)\n}}\n"
        );
        states(&text, "ub")
    };
    let of_group = "work_group_barrier(mem_fence::local)";
    for launch in ["subgroups=1 items=64", "subgroups=4 items=16", "subgroups=64"] {
        for other in ["work_group_barrier(mem_fence::global)", "exit", ""] {
            assert!(chosen(launch, of_group, other) < 5000, "{launch}: {other}");
        }
    }
}
