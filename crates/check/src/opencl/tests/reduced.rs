//! The reduced search against plain enumeration, where work-items choose.

use super::Random;
use crate::Scene;
use crate::judge::tests::support::as_many;
use crate::judge::tests::{always, proved};
use crate::space::Space;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_explore::{Bounds, End, Facts, Found, Order, Plan, search};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::reading::Readings;
use tidegate_model::rule::RuleId;

const PIECES: [&str; 15] = [
    "work_group_barrier(mem_fence::local)\n",
    "work_group_barrier(get_local_id(0) == 0 ? mem_fence::local : mem_fence::global)\n",
    "work_group_barrier(get_local_id(0) == 2 ? mem_fence::local : mem_fence::global)\n",
    "work_group_barrier(mem_fence::local, memory_scope_device)\n",
    "sub_group_barrier(mem_fence::local)\n",
    "a.wait(mem_fence::global)\n",
    "b.wait(mem_fence::image)\n",
    "choose {\n",
    "choose {\n",
    "} or {\n",
    "}\n",
    "}\n",
    "exit\n",
    "store m[0..4]\n",
    "if get_sub_group_id() == 0 {\n",
];

/// Of the split barrier; each program uses them or not.
const SPLIT: [&str; 8] = [
    "intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE)\n",
    "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE)\n",
    "intel_work_group_barrier_arrive(get_local_id(0) == 1 ? 1 : 2)\n",
    "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE)\n",
    "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE)\n",
    "intel_work_group_barrier_arrive(2)\nintel_work_group_barrier_wait(2)\n",
    "if get_local_id(0) < 1 {\n",
    "if get_local_id(0) > 0 {\n",
];

fn text(random: &mut Random) -> String {
    let launch = ["subgroups=2 items=2", "subgroups=2", "groups=2 subgroups=1 items=2", "items=3"]
        [random.below(4) as usize];
    let mut text = alloc::format!("target opencl\nlaunch {launch}\nglobal m[8]\nkernel {{\n");
    if random.chance(50) {
        text.push_str("local<work_group_named_barrier> a(2)\n");
        text.push_str("local<work_group_named_barrier> b(1)\n");
    }
    let mut open = 0_i64;
    let splits = random.chance(50);
    for _ in 0..2 + random.below(9) {
        let pieces: &[&str] = if splits && random.chance(50) { &SPLIT } else { &PIECES };
        let piece = pieces[random.below(pieces.len() as u64) as usize];
        if open == 0 && piece.starts_with('}') || piece.starts_with("} or") && random.chance(50) {
            continue;
        }
        open += i64::from(piece.ends_with("{\n")) - i64::from(piece.starts_with('}'));
        text.push_str(piece);
    }
    (0..open).for_each(|_| text.push_str("}\n"));
    text.push_str("}\n");
    text
}

fn plan(reduce: bool) -> Plan {
    let bounds = Bounds { states: 20_000, ..Bounds::default() };
    Plan { order: Order::BreadthFirst, reduce, bounds, ..Plan::default() }
}

/// The rules that are broken somewhere, and those that are broken at every end.
fn names(somewhere: Facts, always: Facts) -> [Vec<&'static str>; 2] {
    [somewhere, always].map(|facts| {
        let met = RuleId::of_opencl().filter(|rule| facts.0 & u128::from(rule.bit()) != 0);
        met.map(|rule| rule.get().id).collect()
    })
}

#[test]
fn work_items_that_choose_are_judged_as_without_reductions() {
    let mut random = Random(0x1cab_5eed);
    let (mut compared, mut broken, mut saved, mut decided) = (0, 0, 0, 0);
    for _ in 0..1500 * as_many() {
        let text = text(&mut random);
        let scene = Scene::new("x.tide", &text);
        let Some(context) = scene.context() else { continue };
        let machine = Machine::new(Rc::clone(&context), Readings::default());
        let system = Space::new(&machine);
        let plain = search(&Space::plain(&machine), plan(false), &mut |_| true);
        if plain.end != End::Complete {
            continue;
        }
        let wanted = names(plain.somewhere, plain.always);
        let said = |found: &Found| names(found.somewhere, always(&machine, found));
        let reduced = search(&system, plan(true), &mut |_| true);
        assert_eq!(reduced.end, End::Complete);
        assert_eq!(said(&reduced), wanted, "{text}");
        if let Some(run) = proved(&machine) {
            let ends = Found::of_path(0, &[], Vec::new(), [Facts(run.somewhere), Facts(run.end)]);
            assert_eq!(said(&ends), wanted, "{text}");
            decided += 1;
        }
        compared += 1;
        broken += u32::from(plain.somewhere.0 != 0);
        saved += plain.states.saturating_sub(reduced.states);
    }
    assert!(decided > 50, "{decided}");
    assert!(compared > 500 && broken > 200 && saved > 10_000, "{compared} {broken} {saved}");
}
