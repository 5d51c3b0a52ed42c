//! Launches in which some work-groups represent others, compared with a check of all of them.

use super::Random;
use crate::{Options, Scene, check};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use tidegate_lang::compile_with;

/// The summary of a report: the verdict, whether it is complete, and for each finding the rule and whether it is only
/// possible.
type Come = (String, bool, BTreeSet<(String, bool)>);

fn judged(text: &str, plain: u32) -> Come {
    let scene = Scene::new("random.tide", text);
    let compiled = compile_with(&tidegate_lang::parse(text), plain);
    let scene = scene.with_program(compiled.unwrap_or_else(|found| panic!("{text}\n{found:?}")));
    let options = Options { ambiguities: false, ..Options::default() };
    let report = check(&scene, &options, &mut |_| true);
    let findings = report.findings.iter();
    let found = findings.map(|one| (one.rule.clone(), one.is_possible())).collect();
    (report.verdict, report.exhaustive, found)
}

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len() as u64) as usize]
}

/// A kernel of a few accesses, barriers and conditions.
fn kernel(random: &mut Random) -> String {
    let mut text = String::from(
        "kernel void k(global int *a, global int *b, global const int *c, local int *t, int n) {\n  int g = get_global_id(0);\n  int l = get_local_id(0);\n  int w = get_group_id(0);\n",
    );
    let places = [
        "a[g]",
        "a[g]",
        "b[g]",
        "b[g + 1]",
        "a[l]",
        "b[w]",
        "a[0]",
        "a[w * 2 + l]",
        "b[c[g]]",
        "t[l]",
        "t[0]",
        "b[64 - g]",
        "a[g + 2]",
        "b[g / 2]",
    ];
    let conditions = [
        "w == 0",
        "w == 2",
        "l == 0",
        "l == 1",
        "g == 3",
        "g > 4",
        "n > 2",
        "g < n",
        "c[g] > 3",
        "c[0] == l",
        "w > 0",
        "w < n",
        "l == c[l]",
    ];
    for _ in 0..1 + random.below(4) {
        let place = pick(random, &places);
        let access = match random.chance(60) {
            true => format!("{place} = l;"),
            false => format!("int x{} = {place};", random.below(1 << 30)),
        };
        let what = match random.below(10) {
            0 | 1 => pick(
                random,
                &[
                    "barrier(CLK_LOCAL_MEM_FENCE);",
                    "barrier(CLK_GLOBAL_MEM_FENCE);",
                    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
                ],
            )
            .to_string(),
            _ => access,
        };
        let line = match random.chance(35) {
            true => format!("  if ({}) {{ {what} }}\n", pick(random, &conditions)),
            false => format!("  {what}\n"),
        };
        text.push_str(&line);
    }
    text.push_str("}\n");
    text
}

#[test]
fn some_work_groups_represent_all() {
    let mut random = Random(0x5eed_0123_4567);
    let (mut races, mut possible, mut fine, mut undefined) = (0, 0, 0, 0);
    for _ in 0..600 {
        let groups = 2 + random.below(4);
        let (waves, items) = (1 + random.below(2), 1 + random.below(2));
        let launch =
            format!("target opencl\nlaunch workgroups={groups} subgroups={waves} items={items}\n");
        let text = launch + &kernel(&mut random);
        let (all, some) = (judged(&text, u32::MAX), judged(&text, 0));
        // The check of some can be complete if that of all reaches a limit.
        assert!(all == some || !all.1 && some.1, "{text}\nall {all:?}\nsome {some:?}");
        match all.0.as_str() {
            "race" => races += 1,
            "ok" => fine += 1,
            "ub" => undefined += 1,
            _ => possible += 1,
        }
    }
    let least = races.min(possible).min(fine).min(undefined);
    assert!(least > 20, "{races} races, {possible} possible, {fine} fine, {undefined} undefined");
}

#[test]
fn the_work_groups_that_are_judged_are_named() {
    let judged = |groups: u32, body: &str| {
        let text = format!(
            "target opencl\nlaunch workgroups={groups} items=256\nkernel void k(global int *a) {{ int g = get_global_id(0); {body} }}\n"
        );
        let scene = Scene::new("k.tide", &text);
        let context = scene.context().unwrap_or_else(|| panic!("{:?}", scene.diagnostics()));
        context.program.part.clone().map(|part| part.groups)
    };
    assert_eq!(judged(1, "a[g] = 1;"), None);
    assert_eq!(judged(64, "a[g] = 1;"), Some([0].into()));
    assert_eq!(judged(64, "a[0] = 1;"), Some([0, 1].into()));
    let own = "if (get_group_id(0) == 7) { a[g] = 2; } else { a[g] = 1; a[g] = 3; }";
    assert_eq!(judged(64, own), Some([0, 7].into()));
    // The last item of each group writes what the first of the next reads.
    let border = "int x = a[g]; if (get_local_id(0) == 255) { a[g + 1] = x; }";
    assert_eq!(judged(64, border), Some([0, 1].into()));
}

#[test]
fn more_than_can_be_judged_is_refused() {
    let of = |launch: &str, body: &str| {
        let text =
            format!("target opencl\nlaunch {launch}\nkernel void k(global int *a) {{ {body} }}\n");
        Scene::new("k.tide", &text).diagnostics().first().map(|found| found.code.clone())
    };
    assert_eq!(of("workgroups=1024 items=1024", "a[get_local_id(0)] = 1;"), None);
    let each = "for (int i = 0; i < get_group_id(0); i++) { a[get_global_id(0)] = i; }";
    assert_eq!(of("workgroups=8 items=1024", each).as_deref(), Some("bound-agents"));
    assert_eq!(of("workgroups=2 items=8192", "a[0] = 1;").as_deref(), Some("bound-agents"));
    assert_eq!(of("workgroups=2048 items=1024", "a[0] = 1;").as_deref(), Some("bound-agents"));
}
