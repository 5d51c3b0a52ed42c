use super::*;
use tidegate_model::target::TargetId;

fn on(target: &str, text: &str) -> Lowered {
    let options = Options { target: TargetId::from_name(target), ..Options::default() };
    lower(&Scene::new("x.tide", text), &options)
}

const HAND_OFF: &str = "title \"Hand \\\"over\\\"\"\ntarget gfx1250\nlaunch waves=3\nbarrier ready = named(1)\nlds tile[64]\n\
    wave 0 {\n  init ready, 1\n  arrive wg; wait wg\n  store tile[0..4]\n  fence release workgroup\n  arrive ready\n}\n\
    wave 1-2 {\n  join ready\n  arrive wg; wait wg\n  if wave_id == 1 { wait ready }\n  else { wait ready }\n}\n";

#[test]
fn the_text_is_a_scenario() {
    let lowered = on("gfx1250", HAND_OFF);
    assert_eq!(lowered.problems, []);
    let wanted = "; title \"Hand \\\"over\\\"\"\n; target gfx1250\n; launch waves=3\n; barrier ready = named(1)\n; lds tile[64]\n\
        \n; wave 0 {\n  s_mov_b32 m0, 0x10001     // line 7: init ready, 1\n  s_barrier_init m0\n  \
        s_barrier_signal -1       // line 8: arrive wg\n  s_barrier_wait -1         // line 8: wait wg\n\
        \x20 ; store tile[0..4]\n  ; fence release workgroup\n  s_wait_dscnt 0x0\n  s_barrier_signal 1        // line 11: arrive ready\n  \
        s_endpgm\n; }\n\n; wave 1-2 {\n  s_barrier_join 1          // line 14: join ready\n";
    assert!(lowered.text.starts_with(wanted), "{}", lowered.text);
    let again = Scene::new("again.tide", &lowered.text);
    assert!(again.is_valid(), "{:?}", again.diagnostics());
    assert_eq!(again.title(), "Hand \"over\"");
    assert_eq!(on("gfx1250", &lowered.text).blocks.len(), 2);
}

#[test]
fn unsupported_operations_are_named_with_their_rule() {
    let lowered = on("gfx1200", HAND_OFF);
    let rules: Vec<_> = lowered.problems.iter().map(|problem| problem.rule.as_deref()).collect();
    assert_eq!((rules[0], lowered.text.as_str()), (Some("amd.object.unsupported"), ""));
    assert!(lowered.problems[0].message.contains("named barriers, which gfx1200"));
    let alone = on("gfx1100", "wave 0 { arrive wg\n arrive wg\n wait wg }");
    assert_eq!(alone.problems[0].rule.as_deref(), Some("amd.operation.unsupported"));
    assert_eq!(alone.problems[0].line, 1);
}

#[test]
fn operations_without_code_are_named() {
    let choose = "launch lanes=2\nwave 0 { choose { arrive wg } or { exit } }";
    let problems = on("gfx1250", choose).problems;
    assert!(problems[0].message.contains("each lane chooses"), "{problems:?}");
    let wide = on("gfx1250", "barrier b = named(1)\nwave 0 { init b, 500 }");
    assert_eq!(wide.problems[0].rule.as_deref(), Some("amd.machine.count-width"));
    for target in ["model", "sm_90", "opencl"] {
        assert!(on(target, "wave 0 { }").problems[0].message.contains("not an AMDGPU processor"));
    }
}

#[test]
fn one_instruction_arrives_and_waits() {
    let lowered = on("gfx900", "launch waves=2\nwave * {\n  arrive wg; wait wg\n}");
    let wanted = "; target gfx900\n; launch waves=2\n\n; wave * {\n  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n  \
        s_barrier                 // line 3: arrive wg; wait wg\n  s_endpgm\n; }\n";
    assert_eq!(lowered.text, wanted);
}

#[test]
fn agents_are_grouped() {
    let names = |text: &str| -> Vec<String> {
        on("gfx1250", text).blocks.into_iter().map(|block| block.agents).collect()
    };
    let two = "launch workgroups=3 waves=2\nworkgroup 1 wave 0 { arrive cluster }";
    assert_eq!(
        names(two),
        ["workgroup 0 wave *", "workgroup 1 wave 0", "workgroup 1 wave 1", "workgroup 2 wave *"]
    );
    assert_eq!(names("launch workgroups=2 waves=1\nwave * { arrive wg }"), ["wave 0"]);
    assert_eq!(names("launch waves=3\nwave 1-2 { arrive wg }"), ["wave 0", "wave 1-2"]);
}

#[test]
fn long_code_is_bounded() {
    let long = on("gfx1250", "launch waves=2\nwave * { repeat 60000 { arrive wg; wait wg } }");
    assert_eq!(long.problems, []);
    let longer = on(
        "gfx1250",
        "launch waves=4\nwave * { repeat 60000 { arrive wg; wait wg }\n if wave_id % 2 { arrive wg } }",
    );
    assert!(longer.problems[0].message.contains("limit of 200000 lines"), "{:?}", longer.problems);
}

#[test]
fn waits_fit_their_fields() {
    let first = |target: &str| {
        let lowered = on(target, "wave 0 { s_waitcnt vmcnt(500) expcnt(9) lgkmcnt(20) }");
        lowered.blocks[0].lines[0].code.clone()
    };
    assert_eq!(first("gfx803"), "s_waitcnt vmcnt(15) expcnt(7) lgkmcnt(15)");
    assert_eq!(first("gfx942"), "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)");
    assert_eq!(first("gfx1100"), "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(20)");
}

#[test]
fn an_operation_of_another_vendor_gets_no_naming_hint() {
    let lowered = on(
        "gfx1250",
        "target sm_90\nbars = tlx.alloc_barriers(1, arrive_count=1)\nwave 0 { tlx.barrier_arrive(bars[0]) }\n",
    );
    let [problem] = lowered.problems.as_slice() else { panic!("{:?}", lowered.problems) };
    assert_eq!(problem.rule.as_deref(), Some("amd.operation.unsupported"));
    assert!(problem.message.contains("no such object") && !problem.message.contains("named(ID)"));
}

#[test]
fn a_barrier_without_an_id_has_no_code_for_any_operation() {
    let text = "launch waves=1\nbarrier n\nwave 0 {\ninit n, 1\ndrop n\n}\n";
    let lowered = on("gfx1250", text);
    let lines: Vec<_> = lowered.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [4, 5], "{:?}", lowered.problems);
    assert!(lowered.problems.iter().all(|problem| problem.message.contains("named(ID)")));
    assert!(lowered.text.is_empty());
}

/// The code is that of the sub-groups, whichever target the text itself names.
#[test]
fn a_kernel_whose_text_names_the_target_has_the_code_of_its_sub_groups() {
    let body = "launch subgroups=2 items=4\nkernel { work_group_barrier(mem_fence::local) }\n";
    let own = on("sm_90", &format!("target opencl\n{body}")).text;
    assert!(own.contains("launch ctas=1 warps=2\n\nwarp * {"), "{own}");
    assert_eq!(on("sm_90", &format!("target sm_90\n{body}")).text, own);
}
