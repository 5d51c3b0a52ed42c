//! The reduced search against plain enumeration, on random programs with memory, copies, fences and endless loops.

use super::Random;
use crate::judge::tests::support::as_many;
use crate::nvidia::judge::tests_support::{everything, one_run_agrees, reduced};
use crate::scene::Scene;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_explore::Facts;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::object::Law;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;

fn statement(random: &mut Random, label: usize) -> String {
    let object = ["a", "b"][random.below(2) as usize];
    let parity = random.below(2);
    let half = ["[0..8]", "[8..16]"][random.below(2) as usize];
    match random.below(18) {
        16 => format!(
            "mbarrier.arrive.noComplete.shared.b64 t{label}, [{object}[0]], 1\nmbarrier.pending_count.b64 c{label}, t{label}\nif c{label} == 2 {{ mbarrier.arrive.shared.b64 _, [{object}[0]] }}"
        ),
        17 => format!(
            "bar.red.popc.u32 n{label}, 2, 64, {parity}\nif n{label} > 32 {{ store x{half} }}"
        ),
        0 | 1 => format!("mbarrier.arrive.shared.b64 _, [{object}[0]]"),
        2 => format!("mbarrier.arrive.relaxed.cta.shared.b64 _, [{object}[0]]"),
        3 | 4 => format!("tlx.barrier_wait({object}[0], {parity})"),
        5 => format!("mbarrier.test_wait.parity.shared.b64 p{label}, [{object}[0]], {parity}"),
        6 => format!("store x{half}"),
        7 => format!("load x{half}"),
        8 => format!("cp.async.ca.shared.global [x{half}], [g{half}], 8"),
        9 => ["cp.async.commit_group", "cp.async.wait_group 0", "cp.async.wait_all"]
            [random.below(3) as usize]
            .to_string(),
        10 => format!("cp.async.mbarrier.arrive.noinc.shared.b64 [{object}[0]]"),
        11 => format!("tlx.barrier_expect_bytes({object}[0], 8)"),
        12 => format!("tlx.async_descriptor_load(x{half}, g{half}, {object}[0])"),
        13 => "fence.acq_rel.cta".to_string(),
        14 => "bar.sync 1, 64".to_string(),
        _ => format!(
            "loop {{\n  mbarrier.test_wait.parity.shared.b64 q{label}, [{object}[0]], {parity}\n  if q{label} {{ break }}\n  load x{half}\n}}"
        ),
    }
}

fn text(random: &mut Random) -> String {
    let warps = 2 + random.below(2) as usize;
    let mut text = format!("target sm_90\nlaunch warps={warps}\n");
    for name in ["a", "b"] {
        text += &format!("{name} = tlx.alloc_barriers(1, {})\n", 1 + random.below(2));
    }
    text += "shared x[16]\nglobal g[16]\n";
    for warp in 0..warps {
        let count = 1 + random.below(4) as usize;
        let body: Vec<String> = (0..count).map(|at| statement(random, at)).collect();
        let body = body.join("\n");
        let endless = random.below(6) == 0;
        text += &if endless {
            format!("warp {warp} {{\nloop {{\n{body}\n}}\n}}\n")
        } else {
            format!("warp {warp} {{\n{body}\n}}\n")
        };
    }
    text
}

/// A statement of warps on the bytes of an object whose only arrival is complete.
fn byte_statement(random: &mut Random, label: usize) -> String {
    let bytes = [8, 16][random.below(2) as usize];
    match random.below(12) {
        0 | 1 => format!("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [a[0]], {bytes}"),
        2 => format!("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [a[0]], {bytes}"),
        3 | 4 => {
            let to = ["x[0..8]", "x[8..16]"][random.below(2) as usize];
            format!("tlx.async_descriptor_load({to}, g[0..8], a[0])")
        }
        5 => "tlx.async_descriptor_load(x, g, a[0])".to_string(),
        6 => format!("tlx.barrier_expect_bytes(a[0], {bytes})"),
        7 => "mbarrier.arrive.shared.b64 _, [a[0]]".to_string(),
        8 => format!("mbarrier.test_wait.parity.shared.b64 p{label}, [a[0]], {}", random.below(2)),
        9 => "load x[0..8]".to_string(),
        _ => format!("tlx.barrier_wait(a[0], {})", random.below(2)),
    }
}

fn bytes_text(random: &mut Random) -> String {
    let mut text = "target sm_90\nlaunch warps=2\na = tlx.alloc_barriers(1, 1)\n".to_string();
    text += "shared x[16]\nglobal g[16]\n";
    let expected = 8 * (1 + random.below(4));
    for warp in 0..2 {
        let count = 1 + random.below(4) as usize;
        let body: Vec<String> = (0..count).map(|at| byte_statement(random, at)).collect();
        let first = match warp {
            0 => format!("tlx.barrier_expect_bytes(a[0], {expected})\nbar.arrive 1, 64"),
            _ => "bar.sync 1, 64".to_string(),
        };
        text += &format!("warp {warp} {{\n{first}\n{}\n}}\n", body.join("\n"));
    }
    text
}

/// A statement of the lanes of a warp, each separately or all at one instruction.
fn lane_statement(random: &mut Random, lanes: u32) -> String {
    let lane = random.below(u64::from(lanes));
    match random.below(14) {
        0 | 1 => "bar.sync 0".to_string(),
        2 => "barrier.sync 0".to_string(),
        3 => "barrier.sync 1, 32".to_string(),
        4 => format!("if lane_id == {lane} {{ bar.sync 0 }}"),
        5 => {
            format!("if lane_id == {lane} {{ barrier.arrive 1, 32 }} else {{ barrier.sync 1, 32 }}")
        }
        6 => format!("if lane_id == {lane} {{ exit }}"),
        7 => "bar.warp.sync 0xffffffff".to_string(),
        8 => "store x[4*lane_id..4*lane_id+4]".to_string(),
        9 => format!("if lane_id == {lane} {{ load x }}"),
        10 => "mbarrier.arrive.shared.b64 _, [a[0]]".to_string(),
        11 => "barrier.cluster.arrive.aligned\nbarrier.cluster.wait.aligned".to_string(),
        12 => format!("if lane_id == {lane} {{ barrier.cluster.arrive.aligned }}"),
        _ => format!("tlx.barrier_wait(a[0], {})", random.below(2)),
    }
}

fn lanes_text(random: &mut Random) -> String {
    let warps = 1 + random.below(2);
    let lanes = 2 + random.below(2) as u32;
    let count = 1 + random.below(u64::from(lanes) * warps);
    let mut text = format!("target sm_90\nlaunch warps={warps} lanes={lanes}\n");
    text += &format!("a = tlx.alloc_barriers(1, {count})\nshared x[16]\n");
    for warp in 0..warps {
        let count = 1 + random.below(4);
        let body: Vec<String> = (0..count).map(|_| lane_statement(random, lanes)).collect();
        text += &format!("warp {warp} {{\n{}\n}}\n", body.join("\n"));
    }
    text
}

/// A statement of warps of a cluster, some of which act on objects of other CTAs.
fn cluster_statement(random: &mut Random, label: usize) -> String {
    let mask = 1 + random.below(3);
    let rank = random.below(2);
    let far = format!("mapa.shared::cluster.u32 r{label}, a, {rank}");
    match random.below(12) {
        0..3 => format!(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [x], [g], 16, [a], {mask}"
        ),
        3 => format!(
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [a], {mask}"
        ),
        4 => format!(
            "{far}\nmapa.shared::cluster.u32 s{label}, x, {rank}\nred.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [s{label}], v, [r{label}]"
        ),
        5 => format!("{far}\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [r{label}]"),
        6 => "mbarrier.arrive.shared.b64 _, [a]".to_string(),
        7 => "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [a], 16".to_string(),
        8 => "tlx.barrier_expect_bytes(a[0], 16)".to_string(),
        9 => format!(
            "mbarrier.test_wait.parity.shared.b64 p{label}, [a], 0\nif p{label} {{ load x[0..8] }}"
        ),
        10 => "load x[8..16]".to_string(),
        _ => format!("tlx.barrier_wait(a[0], {})", random.below(2)),
    }
}

fn cluster_text(random: &mut Random) -> String {
    let count = 1 + random.below(2);
    let mut text = "target sm_100\nlaunch clusters=1 ctas=2 warps=2\n".to_string();
    text += &format!("a = tlx.alloc_barriers(1, {count})\nshared x[16]\nglobal g[16]\n");
    for (cta, warp) in [(0, 0), (0, 1), (1, 0)] {
        let count = 1 + random.below(3) as usize;
        let body: Vec<String> = (0..count).map(|at| cluster_statement(random, at)).collect();
        text += &format!("cta {cta} warp {warp} {{\n{}\n}}\n", body.join("\n"));
    }
    text
}

fn of(class: Class) -> u64 {
    let rules = RuleId::of_nvidia().filter(|rule| rule.get().class == Some(class));
    rules.fold(0, |set, rule| set | rule.bit())
}

/// Number of comparisons by kind.
#[derive(Default)]
struct Compared {
    programs: u32,
    broken: u64,
    endless: u32,
}

fn compare(text: impl Fn(&mut Random) -> String, programs: u32) -> Compared {
    let mut random = Random(0x0dd_ba11_5eed_1e55);
    let mut compared = Compared::default();
    for _ in 0..u64::from(programs) * as_many() {
        let text = text(&mut random);
        let scene = Scene::new("random.tide", &text);
        // A loop without an operation is no program.
        let Some(context) = scene.context() else { continue };
        let readings = Readings::default()
            .with(ReadingId::PtxMissingWait, random.below(2) as u8)
            .with(ReadingId::PtxLateExpect, random.below(2) as u8);
        let law = Law { text: true, hazards: true, readings };
        let machine = Machine::new(Rc::clone(&context), law);
        let Some(wanted) = everything(&machine) else { continue };
        one_run_agrees(&machine, &text);
        let got = reduced(&machine).unwrap_or_else(|| panic!("not finished\n{text}"));
        let names = |facts: Facts| -> Vec<&'static str> {
            RuleId::of_nvidia()
                .filter(|rule| facts.0 & u128::from(rule.bit()) != 0)
                .map(|rule| rule.get().id)
                .collect()
        };
        assert_eq!(got.map(names), wanted.map(names), "somewhere and always\n{text}");
        compared.broken |= wanted[0].0 as u64;
        compared.endless += u32::from(machine.has_cycles());
        compared.programs += 1;
    }
    compared
}

#[test]
fn random_programs_agree_with_plain_enumeration() {
    let compared = compare(text, 200);
    assert!(compared.programs > 120 && compared.endless > 10);
    for class in [Class::Race, Class::Deadlock, Class::Violation] {
        assert!(compared.broken & of(class) != 0, "{class:?}");
    }
}

#[test]
fn random_programs_whose_bytes_race_agree_with_plain_enumeration() {
    let compared = compare(bytes_text, 600);
    assert!(compared.programs > 400, "{}", compared.programs);
    for class in [Class::Race, Class::Deadlock, Class::Violation] {
        assert!(compared.broken & of(class) != 0, "{class:?}");
    }
}

#[test]
fn random_programs_of_lanes_agree_with_plain_enumeration() {
    let compared = compare(lanes_text, 400);
    assert!(compared.programs > 300, "{}", compared.programs);
    for class in [Class::Race, Class::Deadlock] {
        assert!(compared.broken & of(class) != 0, "{class:?}");
    }
}

#[test]
fn random_programs_of_clusters_agree_with_plain_enumeration() {
    let compared = compare(cluster_text, 600);
    assert!(compared.programs > 300, "{}", compared.programs);
    for class in [Class::Race, Class::Deadlock] {
        assert!(compared.broken & of(class) != 0, "{class:?}");
    }
}

/// Warps that share objects round after round: each waits for the phases of an object in order, and may arrive in each. One
/// statement may be left out or repeated.
fn rounds(random: &mut Random) -> String {
    let (warps, rounds) = (2 + random.below(2) as usize, 1 + random.below(3));
    let roles: Vec<[u64; 2]> = (0..warps).map(|_| [random.below(4), random.below(4)]).collect();
    let count = |object: usize| {
        let arrives = roles.iter().filter(|roles| roles[object] & 1 != 0).count();
        arrives.max(1)
    };
    let mut text = format!("target sm_90\nlaunch warps={warps}\n");
    text += &format!("a = tlx.alloc_barriers(1, {})\n", count(0));
    text += &format!("b = tlx.alloc_barriers(1, {})\n", count(1));
    text += "shared x[16]\nglobal g[16]\n";
    let (copies, meets) = (random.below(3) == 0, random.below(3) == 0);
    let ahead = random.below(4) == 0;
    for (warp, roles) in roles.iter().enumerate() {
        let mut body: Vec<String> = Vec::new();
        for round in 0..rounds {
            let mut objects = [(0, "a"), (1, "b")];
            if random.below(3) == 0 {
                objects.reverse();
            }
            for (at, object) in objects {
                let wait = format!("tlx.barrier_wait({object}[0], {})", round & 1);
                let before = format!("tlx.barrier_wait({object}[0], {})", round & 1 ^ 1);
                let first = roles[at] == 3 && ahead;
                if first {
                    body.push(before);
                }
                if roles[at] & 1 != 0 {
                    if copies && at == 0 && warp == 0 {
                        body.push(format!("tlx.barrier_expect_bytes({object}[0], 8)"));
                        body.push(format!(
                            "tlx.async_descriptor_load(x[0..8], g[0..8], {object}[0])"
                        ));
                    } else {
                        body.push(format!("mbarrier.arrive.shared.b64 _, [{object}[0]]"));
                    }
                }
                if roles[at] & 2 != 0 && !first {
                    body.push(wait);
                }
                if random.below(4) == 0 {
                    let access = ["load x[0..8]", "store x[8..16]"][random.below(2) as usize];
                    body.push(access.to_string());
                }
            }
            if meets {
                body.push("bar.sync 0".to_string());
            }
        }
        if random.below(8) == 0 && !body.is_empty() {
            let at = random.below(body.len() as u64) as usize;
            let moved = body.remove(at);
            if random.below(2) == 0 {
                body.insert(random.below(body.len() as u64 + 1) as usize, moved);
            }
        }
        text += &format!("warp {warp} {{\n{}\n}}\n", body.join("\n"));
    }
    text
}

#[test]
fn one_run_agrees_on_rounds_of_arrives_and_waits() {
    let mut random = Random(0x0e_0f_10);
    let mut decided = 0;
    for index in 0..1_500 {
        let text = rounds(&mut random);
        let scene = Scene::new("x.tide", &text);
        let Some(context) = scene.context() else { panic!("{text}") };
        let law = Law { text: index % 3 > 0, hazards: true, readings: Readings::default() };
        decided += usize::from(one_run_agrees(&Machine::new(context, law), &text));
    }
    assert!(decided > 200, "{decided} decided");
}
