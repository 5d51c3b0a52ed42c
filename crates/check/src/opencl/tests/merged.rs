//! Cases of host arguments that share their common continuation, compared with a check of each value separately.

use super::Random;
use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::String;
use tidegate_model::ordered::OrderedSet;

/// Lines of a kernel: bounds checks, halving sums, and a common continuation.
const PIECES: [&str; 18] = [
    "if (g >= n) return;",
    "if (g < n) {",
    "if (n > 2) {",
    "if (l < n - 1) {",
    "} else {",
    "}",
    "}",
    "barrier(CLK_LOCAL_MEM_FENCE);",
    "barrier(n > 3 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);",
    "t[l] = a[l];",
    "t[l] = g < n ? a[g] : 0;",
    "a[l] = t[3 - l];",
    "if (l == 0) a[0] = t[n];",
    "if (l + 1 < n && l < 3) t[l] += t[l + 1];",
    "for (int s = 2; s > 0; s >>= 1) { if (l < s && l + s < n) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }",
    "for (int i = 0; i < n && i < 2; i++) {",
    "meet(l, n);",
    "work_group_barrier(CLK_LOCAL_MEM_FENCE);",
];

/// The beginning of a kernel and its lines.
fn text(random: &mut Random) -> (String, String) {
    let (mut body, mut open) = (String::new(), 0_i32);
    for _ in 0..3 + random.below(6) {
        let piece = PIECES[random.below(PIECES.len() as u64) as usize];
        let is_open = body.trim_end().ends_with('{');
        if piece.starts_with('}') && (open == 0 || is_open) {
            continue;
        }
        // A statement that already has an `else` is an `if` without one.
        let last = body.rfind("\nif (").max(body.rfind("\nfor (")).map_or("", |at| &body[at..]);
        if piece == "} else {" && (!last.starts_with("\nif") || last.contains('}')) {
            continue;
        }
        open += i32::from(piece.ends_with('{')) - i32::from(piece.starts_with('}'));
        body.push('\n');
        body.push_str(piece);
    }
    (0..open).for_each(|_| body.push_str("\n}"));
    let launch = ["subgroups=2 items=2", "subgroups=1 items=4"][random.below(2) as usize];
    let before = format!(
        "target opencl\nlaunch {launch}\nvoid meet(int l, int n) {{ if (n != 3 || l < 2) barrier(CLK_LOCAL_MEM_FENCE); }}\n"
    );
    let begin = "kernel void k(global int *a, int n) {\nlocal int t[4];\nint l = get_local_id(0), g = get_global_id(0);\n";
    (format!("{before}{begin}"), format!("{body}\n}}\n"))
}

/// The rules that are broken somewhere; and rules with the host arguments, if given.
type Broken = (OrderedSet<String>, OrderedSet<(String, String)>);

/// The broken rules; `None` if the text has no program or a limit was reached.
fn broken(text: &str) -> Option<Broken> {
    let options = Options { ambiguities: false, ..Options::default() };
    let report = check(&Scene::new("x.tide", text), &options, &mut |_| true);
    let asked = report.diagnostics.iter().any(|found| found.code == "argument-without-value");
    if report.verdict == "invalid" || asked || !report.exhaustive {
        return None;
    }
    let found = || report.findings.iter().filter(|found| found.class != "lint");
    let passed = found().filter_map(|found| Some((found.rule.clone(), found.passed()?.into())));
    Some((found().map(|found| found.rule.clone()).collect(), passed.collect()))
}

#[test]
fn cases_with_a_common_continuation_equal_separate_checks() {
    let mut random = Random(0x3e26_ed01);
    let (mut equal, mut races, mut undefined, mut told) = (0, 0, 0, 0);
    for _ in 0..400 {
        let (head, body) = text(&mut random);
        let Some((all, passed)) = broken(&format!("{head}{body}")) else { continue };
        let with = |n: i64| broken(&format!("{head}let n = {n};{body}"));
        let union: OrderedSet<String> =
            (-2..9).filter_map(with).flat_map(|(rules, _)| rules).collect();
        assert_eq!(union, all, "{head}{body}");
        for (rule, says) in &passed {
            let value = says.rsplit(' ').next().and_then(|value| value.parse().ok());
            let alone = value.and_then(with).map(|(rules, _)| rules.contains(rule));
            assert_eq!(alone, Some(true), "{says}: {rule}\n{head}{body}");
        }
        equal += 1;
        races += u32::from(all.contains("mem.race"));
        undefined += u32::from(all.contains("opencl.barrier.all-encounter"));
        told += passed.len();
    }
    assert!(
        equal > 200 && races > 80 && undefined > 60 && told > 100,
        "{equal} {races} {undefined} {told}"
    );
}
