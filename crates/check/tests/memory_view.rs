//! What is shown of memory beside the steps.

use tidegate_check::step::{MemoryView, Stepper};
use tidegate_check::{Options, Scene};

/// Performs every step that can be performed, agent by agent.
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
fn sequences_and_copies_after_each_step() {
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
fn fences_that_synchronize_say_why() {
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
