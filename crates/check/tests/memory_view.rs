//! The display of memory in the view of an execution.

use tidegate_check::step::{MemoryView, Stepper};
use tidegate_check::{Options, Scene};

/// Performs every possible step, agent by agent.
fn finished(text: &str) -> (Stepper, MemoryView) {
    let scene = Scene::new("shown.tide", text);
    assert!(scene.is_valid(), "{:?}", scene.diagnostics());
    let mut stepper = Stepper::new(&scene, &Options::default()).unwrap();
    loop {
        let moves =
            stepper.view().agents.into_iter().flat_map(|agent| agent.moves).collect::<Vec<_>>();
        let Some(next) = moves.into_iter().find(|next| next.enabled) else { break };
        stepper.perform(&next.key).unwrap();
    }
    let view = stepper.memory();
    (stepper, view)
}

#[test]
fn each_step_shows_sequences_and_copies() {
    let text = "target gfx942\nglobal g[128]\nlds l[128]\nfunc f() { asyncmark }\nwave 0 {\nasync_load l[0..64] <- g[0..64]\nasyncmark\nasync_load l[64..128] <- g[64..128]\nasyncmark\ncall f()\nwait_asyncmark 1\n}\n";
    let (mut stepper, view) = finished(text);
    let flight = &view.flights[0];
    let copies: Vec<_> =
        flight.copies.iter().map(|copy| (copy.step, copy.line, copy.completed)).collect();
    assert_eq!(copies, [(0, 6, Some(7)), (2, 8, None)]);
    let marks = |view: &MemoryView| -> Vec<Vec<(u32, Vec<usize>)>> {
        let frames = view.flights[0].frames.iter();
        frames
            .map(|frame| frame.marks.iter().map(|mark| (mark.line, mark.covers.clone())).collect())
            .collect()
    };
    assert_eq!(marks(&view), [vec![(9, vec![2])]]);
    stepper.go_to(6);
    assert_eq!(marks(&stepper.memory()), [vec![(7, vec![0]), (9, vec![2])], vec![(4, vec![0, 2])]]);
    assert_eq!(stepper.memory().flights[0].frames[1].name, "call f");
}

#[test]
fn synchronising_fences_show_their_path() {
    let text = |fence: &str| {
        format!(
            "target gfx1250\nlaunch waves=2\nlds l[4]\nwave 0 {{\nstore l\nfence release {fence}\narrive wg; wait wg\n}}\nwave 1 {{\narrive wg; wait wg\nfence acquire workgroup\nload l\n}}\n"
        )
    };
    let (_, view) = finished(&text("workgroup local"));
    let [edge] = &view.synchronizes[..] else { panic!("{:?}", view.synchronizes) };
    assert_eq!(edge.spaces, ["local"]);
    assert!(edge.why.contains("`fence release workgroup local` (line 6)"), "{}", edge.why);
    assert!(view.flights.is_empty());
    for fence in ["wavefront", "workgroup one-as"] {
        assert_eq!(finished(&text(fence)).1.synchronizes, [], "{fence}");
    }
}

/// The counters after each step: the name and the largest possible value.
fn shown(text: &str) -> Vec<Vec<(String, usize)>> {
    let (mut stepper, _) = finished(text);
    let steps = stepper.view().performed.len();
    let mut after = Vec::new();
    for step in 1..=steps {
        stepper.go_to(step);
        let all = stepper.memory().counters;
        assert_eq!(all, stepper.counters());
        after.push(
            all.into_iter().map(|view| (view.counter, view.outstanding.len())).collect::<Vec<_>>(),
        );
    }
    after
}

#[test]
fn each_step_shows_counters() {
    let body = "store g[0..4]\nload g[4..8]\nload l[0..4]\nasync_load l[4..8] <- g[8..12]\nasyncmark\nwait_asyncmark 0\n";
    let of = |target: &str, waits: &str| {
        shown(&format!("target {target}\nglobal g[12]\nlds l[8]\nwave 0 {{\n{body}{waits}\n}}\n"))
    };
    let named = |wanted: &[(&str, usize)]| -> Vec<(String, usize)> {
        wanted.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    };
    let gfx908 = of("gfx908", "s_waitcnt vmcnt(1)\ns_waitcnt lgkmcnt(0)");
    assert_eq!(gfx908[3], named(&[("vmcnt", 3), ("lgkmcnt", 1)]));
    assert_eq!(gfx908[5], named(&[("vmcnt", 2), ("lgkmcnt", 1)]));
    assert_eq!(gfx908[6], named(&[("vmcnt", 1), ("lgkmcnt", 1)]));
    assert_eq!(gfx908[7], named(&[("vmcnt", 1), ("lgkmcnt", 0)]));
    let gfx1030 = of("gfx1030", "s_waitcnt_vscnt null, 0");
    assert_eq!(gfx1030[3], named(&[("vmcnt", 2), ("lgkmcnt", 1), ("vscnt", 1)]));
    assert_eq!(gfx1030[6], named(&[("vmcnt", 1), ("lgkmcnt", 1), ("vscnt", 0)]));
    let gfx1250 = of("gfx1250", "s_wait_loadcnt_dscnt 0\ns_wait_idle");
    assert_eq!(
        gfx1250[3],
        named(&[("loadcnt", 1), ("storecnt", 1), ("dscnt", 1), ("asynccnt", 1)])
    );
    assert_eq!(
        gfx1250[6],
        named(&[("loadcnt", 0), ("storecnt", 1), ("dscnt", 0), ("asynccnt", 0)])
    );
    assert!(gfx1250[7].iter().all(|(_, count)| *count == 0));
    assert!(of("model", "s_waitcnt vmcnt(0)").iter().all(Vec::is_empty));
}

/// On random bodies, `s_barrier` finds outstanding operations exactly if some counter may be above zero.
#[test]
fn the_rule_agrees_with_the_counters() {
    const STATEMENTS: [&str; 12] = [
        "load g[0..4]",
        "store g[4..8]",
        "load l[0..4]",
        "store l[4..8]",
        "async_load l[8..12] <- g[8..12]",
        "asyncmark",
        "wait_asyncmark 0",
        "wait_asyncmark 1",
        "s_waitcnt vmcnt(0)",
        "s_waitcnt lgkmcnt(0)",
        "s_waitcnt vmcnt(1) expcnt(0)",
        "s_waitcnt expcnt(0)",
    ];
    let (mut seed, mut broken, mut kept) = (7_u64, 0, 0);
    for round in 0..600 {
        let target = ["gfx600", "gfx803", "gfx908"][round % 3];
        let marks = target == "gfx908";
        let mut text = format!("target {target}\nglobal g[12]\nlds l[12]\nwave 0 {{\n");
        for _ in 0..1 + round % 7 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let statement = STATEMENTS[(seed >> 33) as usize % STATEMENTS.len()];
            if marks || !statement.contains("async") {
                text += &format!("{statement}\n");
            }
        }
        text += "s_barrier\n}\n";
        let scene = Scene::new("counted.tide", &text);
        let report = tidegate_check::check(&scene, &Options::default(), &mut |_| true);
        let rule = "amd.barrier.outstanding-memory";
        let found = report.findings.iter().find(|finding| finding.rule == rule);
        let (mut stepper, _) = finished(&text);
        let before = stepper.view().performed.iter().position(|step| step.label == "s_barrier");
        stepper.go_to(before.unwrap());
        let outstanding = stepper.counters().iter().any(|view| !view.outstanding.is_empty());
        assert_eq!(found.is_some(), outstanding, "{text}");
        if let Some(fix) = found.and_then(|finding| finding.fix.as_ref()) {
            let mended = Scene::new("mended.tide", &tidegate_check::apply(&text, fix));
            let report = tidegate_check::check(&mended, &Options::default(), &mut |_| true);
            assert!(
                report.findings.iter().all(|finding| finding.rule != rule),
                "{}",
                mended.text()
            );
            broken += 1;
        } else {
            kept += 1;
        }
    }
    assert!(broken > 100 && kept > 50, "{broken} broken, {kept} kept");
}
