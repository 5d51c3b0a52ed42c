//! Inlining a call: the two cases of the document, and the predicted verdict of the inlined text.

use std::fs;
use std::path::Path;
use tidegate_check::inline::{Inlined, inline};
use tidegate_check::{Options, Scene, check};

fn scene(name: &str) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    Scene::new(name, &fs::read_to_string(file).unwrap())
}

fn inlined(scene: &Scene) -> Inlined {
    let line =
        scene.text().lines().position(|line| line.trim_start().starts_with("call ")).unwrap();
    inline(scene, line as u32 + 1).unwrap()
}

fn verdict(scene: &Scene) -> String {
    check(scene, &Options::default(), &mut |_| true).verdict
}

#[test]
fn a_callees_mark_makes_the_wait_longer() {
    let before = scene("examples/async-inlining-before.tide");
    let made = inlined(&before);
    let [wait] = &made.waits[..] else { panic!("{:?}", made.waits) };
    let names = |marks: &[tidegate_check::inline::Marked]| -> Vec<String> {
        let lines: Vec<&str> = before.text().lines().collect();
        marks
            .iter()
            .map(|mark| lines[mark.line as usize - 1].rsplit("// ").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (names(&wait.before), names(&wait.after)),
        (vec!["B".to_owned()], vec!["B".to_owned(), "C".to_owned()])
    );
    assert!(wait.changes);
    assert_eq!(verdict(&Scene::new("inlined.tide", &made.text)), "ok");
}

#[test]
fn the_predicted_verdict_is_that_of_the_inlined_text() {
    let files = [
        "examples/async-inlining-decides.tide",
        "tests/conformance/async/breaks-callee-unspecified.tide",
        "tests/conformance/async/holds-callee-unspecified.tide",
        "examples/async-function-call.tide",
    ];
    for file in files {
        let scene = scene(file);
        let report = check(&scene, &Options::default(), &mut |_| true);
        let foretold =
            report.ambiguities.iter().find(|found| found.id == "async.callee-unspecified");
        let foretold = foretold.map_or(&report.verdict, |found| &found.verdicts["inlined"]);
        let made = inlined(&scene);
        assert_eq!(&verdict(&Scene::new(file, &made.text)), foretold, "{file}\n{}", made.text);
        assert_eq!(
            made.waits.iter().any(|wait| wait.changes),
            !report.ambiguities.iter().all(|found| found.id != "async.callee-unspecified"),
            "{file}"
        );
    }
}

#[test]
fn refusals_give_the_reason() {
    let scene = scene("examples/async-function-call.tide");
    assert_eq!(inline(&scene, 1), Err("no function call on line 1".to_owned()));
    let twice = Scene::new(
        "labels.tide",
        "func f() { L: arrive wg; wait wg }\nwave 0 { L: arrive wg; wait wg; call f() }\n",
    );
    assert!(inline(&twice, 2).unwrap_err().starts_with("the inlined scenario is not valid"));
}

/// Several executions of one wait or mark are listed separately.
#[test]
fn repeated_waits_are_listed_separately() {
    let text = "target gfx1250\nglobal g[64]\nlds l[64]\nfunc f(n) {\nasyncmark\nwait_asyncmark n\n}\nwave 0 {\nfor i in 0..2 {\nasyncmark\ncall f(1)\n}\nwait_asyncmark 0\n}\n";
    let made = inline(&Scene::new("times.tide", text), 11).unwrap();
    let waits: Vec<(u32, u32, u32)> =
        made.waits.iter().map(|wait| (wait.line_after, wait.time, wait.times)).collect();
    let line = waits[0].0;
    assert_eq!(waits[..2], [(line, 1, 2), (line, 2, 2)]);
    assert_eq!((waits[2].1, waits[2].2), (1, 1));
    let mut seen = std::collections::BTreeSet::new();
    for wait in &made.waits {
        assert!(seen.insert((wait.agent.clone(), wait.line_after, wait.time)), "{:?}", made.waits);
        let marks: std::collections::BTreeSet<_> = wait.after.iter().collect();
        assert_eq!(marks.len(), wait.after.len());
    }
    assert_eq!(made.waits[2].before.iter().map(|mark| mark.time).collect::<Vec<_>>(), [1, 2]);
}
