//! Operations that are not modelled never end in `ok`: the verdict is `unknown`, and the report gives the reason.

use tidegate_check::{Options, Scene, check};

fn judged(text: &str) -> (String, Option<String>) {
    let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    (report.verdict, report.bound)
}

#[test]
fn accesses_of_lanes_of_one_wave_are_unknown() {
    let lanes = "target gfx942\nlaunch waves=1 lanes=2\nlds l[256]\n";
    for bodies in [
        "wave 0 lane 0 { store l }\nwave 0 lane 1 { load l }",
        "wave 0 { if lane_id == 0 { store l } load l }",
        "wave 0 { if lane_id == 0 { store l }\ns_barrier\nload l }",
    ] {
        let (verdict, bound) = judged(&format!("{lanes}{bodies}"));
        assert_eq!(verdict, "unknown", "{bodies}");
        assert!(bound.is_some_and(|bound| bound.contains("lanes of one wave")));
    }
    assert_eq!(judged(&format!("{lanes}wave 0 {{ store l; load l }}")), ("ok".into(), None));
}

#[test]
fn copies_of_one_vendor_are_not_judged_beside_barriers_of_the_other() {
    let text = |declared: &str| {
        format!(
            "target gfx942\nlaunch waves=1\n{declared}lds d[4]\nglobal g[4]\nwave 0 {{ async_load d <- g; load d }}"
        )
    };
    assert_eq!(judged(&text("")).0, "race");
    for declared in ["mbarrier unused\n", "bars = tlx.alloc_barriers(1, arrive_count=1)\n"] {
        let (verdict, bound) = judged(&text(declared));
        assert_eq!(verdict, "unknown", "{declared}");
        assert!(bound.is_some_and(|bound| bound.contains("are ignored")));
    }
}

#[test]
fn every_compute_capability_is_judged_by_itself() {
    let text = "target sm_90\nlaunch warps=2\nb = tlx.alloc_barriers(1, arrive_count=1)\n\
        warp 0 { tlx.barrier_arrive(b[0]) }\nwarp 1 { tlx.barrier_wait(b[0], 0) }";
    let scene = Scene::new("x.tide", text);
    let matrix = tidegate_check::matrix(&scene, &Options::default(), &mut |_| true).unwrap();
    for row in matrix.cells.iter().filter(|row| row.target.starts_with("sm_")) {
        let options = Options {
            target: tidegate_check::model::target::TargetId::from_name(&row.target),
            ..Options::default()
        };
        assert_eq!(row.verdict, check(&scene, &options, &mut |_| true).verdict, "{}", row.target);
    }
    assert!(matrix.cells.iter().any(|row| row.target == "sm_90" && row.verdict == "ok"));
}
