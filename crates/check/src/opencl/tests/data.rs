//! Data that decide, against the same kernel with an argument for each element.

use super::{Random, judged};
use crate::Scene;
use crate::space::Space;
use alloc::format;
use alloc::string::String;
use tidegate_explore::{Bounds, Order, Plan, search};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::reading::Readings;

const ELEMENTS: [&str; 4] = ["get_local_id(0)", "0", "get_sub_group_id()", "3 - get_local_id(0)"];

const CONDITIONS: [&str; 15] = [
    "E == 2",
    "E < 2",
    "0 != E",
    "E > 1",
    "E",
    "!E",
    "E == 0",
    "1 < E && get_local_id(0) < 3",
    "get_local_id(0) == 2 || E >= 2",
    "!(E <= 0)",
    "E > get_sub_group_id()",
    "E == 5 && 0 < 1",
    "(E > 2 || E > 1)",
    "E != 0 || 2 > E",
    "get_local_id(0) % 2 == 0 && !(E)",
];

const PIECES: [&str; 7] = [
    "work_group_barrier(mem_fence::local)",
    "sub_group_barrier(mem_fence::local)",
    "return",
    "}",
    "} else {",
    "for (int i = 0; i < 2; i++) {",
    "for (int i = 0; i < E && i < 2; i++) {",
];

/// A kernel with `E` for elements, each followed by a sign for which it is.
fn body(random: &mut Random) -> String {
    let (mut body, mut open) = (String::new(), alloc::vec::Vec::new());
    for _ in 0..2 + random.below(6) {
        let at = random.below(PIECES.len() as u64 + 6) as usize;
        let piece = match PIECES.get(at) {
            Some(&"}") if open.is_empty() => continue,
            Some(&"} else {") if open.last() != Some(&true) => continue,
            Some(piece) => String::from(*piece),
            None => {
                format!("if ({}) {{", CONDITIONS[random.below(CONDITIONS.len() as u64) as usize])
            }
        };
        if piece.starts_with('}') {
            open.pop();
        }
        if piece.ends_with('{') {
            open.push(piece.starts_with("if"));
        }
        let element = ELEMENTS[random.below(ELEMENTS.len() as u64) as usize];
        body.push_str(&piece.replace('E', &format!("E<{element}>")));
        body.push('\n');
    }
    open.iter().for_each(|_| body.push_str("}\n"));
    body
}

/// The text with each element written in some way.
fn with(body: &str, element: impl Fn(&str) -> String) -> String {
    let mut parts = body.split("E<");
    let mut text = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let (index, rest) = part.split_once('>').unwrap();
        text.push_str(&element(index));
        text.push_str(rest);
    }
    text
}

/// The rules broken somewhere, whether there may be more, and whether none of it is known; none without a program.
fn broken(text: &str) -> Option<(u128, bool, bool)> {
    let context = Scene::new("x.tide", text).context()?;
    let (more, doubtful) = (context.program.host_passes_more, context.program.doubtful);
    let machine = Machine::new(context, Readings::default());
    let bounds = Bounds { states: 300_000, ..Bounds::default() };
    let plan = Plan { order: Order::BreadthFirst, reduce: true, bounds, ..Plan::default() };
    let found = search(&Space::new(&machine), plan, &mut |_| true);
    Some((found.somewhere.0, more, doubtful))
}

#[test]
fn an_element_represents_all_of_its_values() {
    let head = "target opencl\nlaunch subgroups=2 items=2\n";
    let mut random = Random(0xda7a_5eed);
    let (mut equal, mut fewer, mut found) = (0, 0, 0);
    for _ in 0..800 {
        let body = body(&mut random);
        let data = with(&body, |index| format!("data[{index}]"));
        let data = format!("{head}kernel void k(global const int *data) {{\n{data}}}\n");
        let passed = with(&body, |index| {
            format!("(({index}) == 0 ? a : ({index}) == 1 ? b : ({index}) == 2 ? c : d)")
        });
        let passed = format!("{head}kernel void k(int a, int b, int c, int d) {{\n{passed}}}\n");
        let Some((of_data, more, doubtful)) = broken(&data) else {
            panic!("{data}{:?}", Scene::new("x.tide", &data).diagnostics());
        };
        let Some((all, false, _)) = broken(&passed) else { continue };
        if doubtful {
            continue;
        }
        assert_eq!(of_data & !all, 0, "{data}");
        assert!(more || of_data == all, "{data}");
        equal += u32::from(!more);
        fewer += u32::from(more);
        found += u32::from(of_data != 0);
    }
    assert!(equal > 500 && found > 60, "{equal} {fewer} {found}");
}

/// The verdict of a kernel with these lines, and whether a warning names `named`.
fn verdict(body: &str, named: &str) -> (String, bool) {
    let text = format!(
        "target opencl\nlaunch subgroups=2 items=4\nkernel void k(global float *data, global const int *more) {{\n{body}\n}}\n"
    );
    let told = |found: &crate::report::ReportDiagnostic| {
        found.code == "unknown-data" && found.message.contains(named)
    };
    let report = judged(&text);
    let told = report.diagnostics.iter().any(told);
    (report.verdict, told)
}

/// All work-items read one value: they take one way.
#[test]
fn a_value_that_all_read_decides_for_all() {
    let flag = |end: &str| {
        let body = "local int done;\nif (get_local_id(0) == 0) done = data[0] > 0.5f;\n";
        verdict(&[body, end].concat(), "`done`").0
    };
    let barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";
    assert_eq!(flag(&[barrier, "if (done) return;\n", barrier].concat()), "ok");
    assert_eq!(flag(&["if (done) return;\n", barrier].concat()), "race");
    let rounds = "int i = 0;\ndo {\nbarrier(CLK_LOCAL_MEM_FENCE);\ni++;\n} while (more[i] > 0);";
    assert_eq!(verdict(rounds, "more[i] > 0").0, "ok");
}

#[test]
fn unsupported_code_is_unknown() {
    let unknown = (String::from("unknown"), true);
    let forms = "if (more[0] % 2 == get_local_id(0) % 2) barrier(CLK_LOCAL_MEM_FENCE);";
    assert_eq!(verdict(forms, "more[0] % 2"), unknown);
    let summed = "float s = 0;\nfor (int j = 0; j < 4; j++) s += more[j];\nif (s > 1) barrier(CLK_LOCAL_MEM_FENCE);";
    assert_eq!(verdict(summed, "s > 1"), unknown);
    let masked = "if (more[0] & (get_local_id(0) == 0)) barrier(CLK_LOCAL_MEM_FENCE);";
    assert_eq!(verdict(masked, "more[0]"), unknown);
    let counted = "if (atomic_inc(&more[1]) == 3 && more[1] > 0) barrier(CLK_LOCAL_MEM_FENCE);";
    assert_eq!(verdict(counted, "atomic_inc"), unknown);
}
