//! One run against plain enumeration, on rounds of named barriers.

use super::Random;
use crate::Scene;
use crate::judge::tests::proved;
use crate::judge::tests::support::as_many;
use crate::space::Space;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use tidegate_explore::{Bounds, End, Order, Plan, search};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::reading::{ReadingId, Readings};

/// Sub-groups that wait at two named barriers, round after round. One statement may be left out, moved or repeated.
fn rounds(random: &mut Random) -> String {
    let (sub_groups, items) = [(2, 1), (2, 2), (3, 1), (4, 1)][random.below(4) as usize];
    let roles: Vec<u64> = (0..sub_groups).map(|_| 1 + random.below(3)).collect();
    let count =
        |object: u64| roles.iter().filter(|&&role| role & object != 0).count().clamp(1, sub_groups);
    let wrong = usize::from(random.chance(15));
    let constructs = [("a", count(1) + wrong), ("b", count(2))];
    let constructs = constructs
        .map(|(name, count)| format!("local<work_group_named_barrier> {name}({count})\n"));
    let mut bodies: Vec<Vec<String>> = vec![Vec::new(); sub_groups];
    let gathers = random.chance(30);
    for _ in 0..1 + random.below(2) {
        for (body, role) in bodies.iter_mut().zip(&roles) {
            let waits = ["a.wait(mem_fence::local)", "b.wait(mem_fence::local)"];
            let used = waits.iter().enumerate().filter(|(at, _)| role >> at & 1 != 0);
            body.extend(used.map(|(_, wait)| String::from(*wait)));
            if random.chance(25) {
                body.push(String::from(
                    ["load m[0..4]", "store m[0..4]"][random.below(2) as usize],
                ));
            }
            if gathers {
                body.push(String::from("work_group_barrier(mem_fence::local)"));
            }
        }
    }
    if random.chance(30) {
        let at = random.below(sub_groups as u64) as usize;
        if let Some(last) = bodies[at].len().checked_sub(1) {
            let moved = bodies[at].remove(random.below(last as u64 + 1) as usize);
            if random.chance(60) {
                let to = random.below(sub_groups as u64) as usize;
                let place = random.below(bodies[to].len() as u64 + 1) as usize;
                bodies[to].insert(place, moved);
            }
        }
    }
    let late = random.chance(10);
    let mut text = format!(
        "target opencl\nlaunch subgroups={sub_groups} items={items}\nlocal m[8]\nkernel {{\n"
    );
    text += &constructs[0];
    if !late {
        text += &constructs[1];
    }
    for (sub_group, body) in bodies.iter().enumerate() {
        let body = body.join("\n");
        text += &format!("if get_sub_group_id() == {sub_group} {{\n{body}\n}}\n");
    }
    if late {
        text = text.replace("b.wait(mem_fence::local)", "a.wait(mem_fence::global)");
        text += &constructs[1];
    }
    text + "}\n"
}

#[test]
fn one_run_agrees_on_rounds_of_named_barriers() {
    let mut random = Random(0x0e_0f_1c);
    let (mut decided, mut stuck) = (0, 0);
    for index in 0..1_000 * as_many() {
        let text = rounds(&mut random);
        let context = Scene::new("x.tide", &text).context().unwrap_or_else(|| panic!("{text}"));
        let readings = Readings::default().with(ReadingId::OpenclOverSubscribed, index as u8 & 1);
        let machine = Machine::new(Rc::clone(&context), readings);
        let Some(run) = proved(&machine) else { continue };
        let bounds = Bounds { states: 20_000, ..Bounds::default() };
        let plan = Plan { order: Order::BreadthFirst, reduce: false, bounds, ..Plan::default() };
        let plain = search(&Space::plain(&machine), plan, &mut |_| true);
        if plain.end != End::Complete {
            continue;
        }
        assert_eq!(run.somewhere, plain.somewhere.0, "somewhere\n{text}");
        assert_eq!(run.end, plain.always.0, "always\n{text}");
        decided += 1;
        stuck += u32::from(!run.certificate.blocked.is_empty());
    }
    assert!(decided > 200 && stuck > 30, "{decided} decided, {stuck} blocked");
}
