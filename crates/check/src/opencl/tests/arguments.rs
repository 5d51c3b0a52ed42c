//! Arguments of a kernel without a value against the same kernel with every value that could matter.

use super::Random;
use crate::Scene;
use crate::space::Space;
use alloc::format;
use alloc::string::String;
use tidegate_explore::{Bounds, Order, Plan, search};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::reading::Readings;

const CONDITIONS: [&str; 16] = [
    "get_local_id(0) < n",
    "get_local_id(0) >= m - 1",
    "n > 2",
    "n == m",
    "n",
    "!m",
    "n - 1 && m",
    "2 * n + 1 > get_local_id(0) || m < 0",
    "-n < 2",
    "~m == get_local_id(0)",
    "n + 1 != get_local_id(0) + n",
    "(n << 1) <= get_local_id(0) * 3",
    "n / 2 > get_local_id(0)",
    "m % 3 == get_local_id(0)",
    "n >> 1 == 0",
    "n * m == 2",
];

const PIECES: [&str; 8] = [
    "work_group_barrier(mem_fence::local)",
    "work_group_barrier(n > 1 ? mem_fence::local : mem_fence::global)",
    "sub_group_barrier(get_sub_group_id() == m ? mem_fence::local : 0)",
    "return",
    "}",
    "for (int i = 0; i < n && i < 3; i++) {",
    "repeat m { if get_local_id(0) == 1 { return }; }",
    "step(n + 1)",
];

/// A kernel whose first lines are these.
fn text(random: &mut Random) -> (String, String) {
    let (mut body, mut open) = (String::new(), 0);
    for _ in 0..2 + random.below(5) {
        let at = random.below(PIECES.len() as u64 + 6) as usize;
        let piece = match PIECES.get(at) {
            Some(&"}") if open == 0 => continue,
            Some(piece) => String::from(*piece),
            None => {
                format!("if ({}) {{", CONDITIONS[random.below(CONDITIONS.len() as u64) as usize])
            }
        };
        open += i32::from(piece.ends_with('{')) - i32::from(piece == "}");
        body.push_str(&piece);
        body.push('\n');
    }
    (0..open).for_each(|_| body.push_str("}\n"));
    let before = "target opencl\nlaunch subgroups=2 items=2\nvoid step(int k) { if (k > get_local_id(0)) { work_group_barrier(mem_fence::local) } }\n";
    (format!("{before}kernel void k(global float *a, int n, int m) {{\n"), format!("{body}}}\n"))
}

/// The rules broken somewhere, and whether the host could pass more values; `None` if the text has no program.
fn broken(text: &str) -> Option<(u128, bool)> {
    let context = Scene::new("x.tide", text).context()?;
    let more = context.program.host_passes_more;
    let machine = Machine::new(context, Readings::default());
    let bounds = Bounds { states: 200_000, ..Bounds::default() };
    let plan = Plan { order: Order::BreadthFirst, reduce: true, bounds, ..Plan::default() };
    Some((search(&Space::new(&machine), plan, &mut |_| true).somewhere.0, more))
}

#[test]
fn an_argument_represents_all_of_its_values() {
    let mut random = Random(0x0a59_a3e7);
    let (mut equal, mut wider, mut found) = (0, 0, 0);
    for _ in 0..250 {
        let (head, body) = text(&mut random);
        let Some((all, more)) = broken(&format!("{head}{body}")) else { continue };
        let (low, high) = if more { (-1, 3) } else { (-4, 12) };
        let each = (low..=high).flat_map(|n| (low..=high).map(move |m| (n, m)));
        let with = |(n, m)| broken(&format!("{head}let n = {n}; let m = {m}\n{body}"));
        let union = each.filter_map(with).fold(0, |set, (one, _)| set | one);
        assert_eq!(union & !all, 0, "{head}{body}");
        assert!(more || union == all, "{head}{body}");
        equal += u32::from(!more);
        wider += u32::from(more);
        found += u32::from(all != 0);
    }
    assert!(equal > 90 && wider > 50 && found > 60, "{equal} {wider} {found}");
}

#[test]
fn untried_values_make_the_verdict_unknown() {
    let kernel = |condition: &str| {
        let text = format!(
            "target opencl\nlaunch subgroups=2 items=4\nkernel void k(ulong n) {{\nif ({condition}) return;\nwork_group_barrier(mem_fence::local)\n}}\n"
        );
        broken(&text).map(|(rules, more)| (rules != 0, more))
    };
    assert_eq!(kernel("get_local_id(0) > 7 && n > 3"), Some((false, false)));
    assert_eq!(kernel("n > 0x5000000000000000 && get_local_id(0) == 0"), Some((false, true)));
    assert_eq!(kernel("get_global_id(1) == 1 && get_local_id(0) == 0"), Some((false, true)));
}

#[test]
fn counts_larger_than_any_work_group_are_distinguished_if_work_items_compare_them() {
    let head = "target opencl\nlaunch subgroups=1 items=2\nkernel void k(int n) {\n";
    for other in ["300 - n", "150", "n", "2 * n - 150", "n + (n == 150)"] {
        let body = format!(
            "local<work_group_named_barrier> b(get_local_id(0) == 0 ? n : {other});\nif (n > 140) b.wait(mem_fence::local);\n}}\n"
        );
        let (all, _) = broken(&format!("{head}{body}")).unwrap();
        let with = |n: i64| broken(&format!("{head}let n = {n}\n{body}")).unwrap().0;
        let union = [-150, 0, 1, 127, 128, 140, 141, 149, 150, 151, 300];
        assert_eq!(union.into_iter().fold(0, |set, n| set | with(n)), all, "{body}");
    }
}
